// The benchmark's standard configurations, and texts with exactly their vocabularies.
//
// Sizes: V vocabulary, T context, C channels, L layers, H heads, B sequences per step. The text
// determines V: the character tokenizer counts distinct characters and adds BOS.

/** Pre-norm, learned positions, multi-head, 4C MLP, untied head; XS follows microgpt. */
export const CONFIGS = {
  XS: { preset: 'microgpt', V: 28, T: 32, C: 64, L: 2, H: 4, B: 1 },
  S: { preset: 'gpt2', V: 65, T: 64, C: 128, L: 4, H: 4, B: 8 },
  M: { preset: 'gpt2', V: 65, T: 128, C: 192, L: 6, H: 6, B: 8 },
  L: { preset: 'gpt2', V: 256, T: 256, C: 384, L: 6, H: 6, B: 8 },
};

/** Options that turn the preset into the configuration `name`. */
export function optionsOf(name) {
  const { preset, V, T, C, L, H, B } = CONFIGS[name];
  const options = { context: T, channels: C, layers: L, heads: H, batch: B, steps: 1e9 };
  // Only the byte tokenizer has a vocabulary of 256.
  if (preset === 'gpt2') Object.assign(options, { tied_head: 0, tokenizer: V === 256 ? 0 : 1 });
  return options;
}

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\n';

/**
 * A text of about 200,000 bytes for the configuration `name`: a first-order Markov chain with a few
 * preferred successors, so that there is something to learn. Documents are one character longer
 * than the context of XS, so that every step trains on a full context.
 */
export function textOf(name) {
  const { preset, V, T } = CONFIGS[name];
  const documents = preset === 'microgpt';
  const symbols = V === 256 ? 256 : V - 1;
  const bytes = new Uint8Array(documents ? 5000 * (T + 2) : 200_000);
  let state = 1;
  let last = 0;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // Starts with each symbol in turn, so that the text contains all of them.
    const follower = (last * 7 + ((state >>> 16) % 4)) % symbols;
    last = i < symbols ? i : state >>> 28 === 0 ? (state >>> 8) % symbols : follower;
    bytes[i] = V === 256 ? last : CHARACTERS.charCodeAt(last);
    if (documents && i % (T + 2) === T + 1) bytes[i] = 10;
  }
  return bytes;
}

/**
 * Floating-point operations per trained token: 6 for every weight of a matrix product (all weights
 * except the two embedding tables; the head counts), and causal attention.
 */
export function flopsPerToken(name, parameters) {
  const { V, T, C, L } = CONFIGS[name];
  return 6 * (parameters - V * C - T * C) + 6 * L * C * T;
}
