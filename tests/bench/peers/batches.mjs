// Common input of all peers: windows of a configuration's tokens, and initial weights.
import { CONFIGS, textOf } from '../configs.mjs';

/** A fixed sequence of uniform numbers below 1. */
function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The text of the configuration as token ids. */
export function tokensOf(name) {
  const text = textOf(name);
  const symbols = [...new Set(text)].sort((a, b) => a - b);
  const idOf = new Map(symbols.map((symbol, id) => [symbol, id]));
  return Int32Array.from(text, (symbol) => idOf.get(symbol));
}

/** Returns a function that draws the next batch: `inputs` and `targets`, (B * T) token ids each. */
export function batchesOf(name) {
  const { T, B } = CONFIGS[name];
  const ids = tokensOf(name);
  const uniform = uniforms(1);
  return () => {
    const inputs = new Int32Array(B * T);
    const targets = new Int32Array(B * T);
    for (let b = 0; b < B; b++) {
      const first = Math.floor(uniform() * (ids.length - T - 1));
      inputs.set(ids.subarray(first, first + T), b * T);
      targets.set(ids.subarray(first + 1, first + T + 1), b * T);
    }
    return { inputs, targets };
  };
}

/** Returns a function that draws `count` normal numbers of this deviation (Box and Muller 1958). */
export function normals(seed = 42) {
  const uniform = uniforms(seed);
  return (count, deviation) =>
    Float32Array.from({ length: count }, () => {
      const radius = Math.sqrt(-2 * Math.log(uniform() + 1e-12));
      return deviation * radius * Math.cos(2 * Math.PI * uniform());
    });
}
