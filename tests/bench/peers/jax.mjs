// The training step on jax-js: value, gradient and AdamW in one compiled function. Arrays are
// owned: an operation consumes its arguments; `.ref` keeps an array for another use.
import { CONFIGS } from '../configs.mjs';
import { batchesOf, normals } from './batches.mjs';

const [RATE, BETA1, BETA2, DECAY, EPSILON] = [1e-3, 0.9, 0.95, 0.01, 1e-8];

/** Selects jax-js's WebAssembly device. */
export async function startJax(jax) {
  if (!(await jax.init('wasm')).includes('wasm')) throw new Error('it has no WebAssembly device');
  jax.defaultDevice('wasm');
}

/** Returns a step that resolves with its loss once it is complete. `jax` has its device set. */
export function jaxStep(jax, name) {
  const { numpy: np, nn, jit, valueAndGrad, tree, blockUntilReady } = jax;
  const { preset, V, T, C, L, H, B } = CONFIGS[name];
  const rows = B * T;
  const draw = normals();
  const matrix = (height, width, deviation = 0.02) =>
    np.array(draw(height * width, deviation)).reshape([height, width]);

  let weights = {
    tokens: matrix(V, C),
    positions: matrix(T, C),
    finalGain: np.ones([C]),
    head: matrix(C, V),
  };
  for (let l = 0; l < L; l++) {
    weights[`gain1.${l}`] = np.ones([C]);
    weights[`gain2.${l}`] = np.ones([C]);
    weights[`qkv.${l}`] = matrix(C, 3 * C);
    weights[`out.${l}`] = matrix(C, C, 0.02 / Math.sqrt(2 * L));
    weights[`fc.${l}`] = matrix(C, 4 * C);
    weights[`proj.${l}`] = matrix(4 * C, C, 0.02 / Math.sqrt(2 * L));
  }
  const zeros = () =>
    Object.fromEntries(Object.entries(weights).map(([key, { shape }]) => [key, np.zeros(shape)]));
  let means = zeros();
  let squares = zeros();

  const norm = (x, gain) => nn.standardize(x, -1, { epsilon: 1e-5 }).mul(gain);
  const activation = preset === 'microgpt' ? (x) => np.square(nn.relu(x)) : nn.gelu;
  const lossOf = (w, inputs, targets) => {
    const embedded = np.dot(nn.oneHot(inputs, V), w.tokens).reshape([B, T, C]);
    let x = embedded.add(w.positions.reshape([1, T, C])).reshape([rows, C]);
    for (let l = 0; l < L; l++) {
      const qkv = np.dot(norm(x.ref, w[`gain1.${l}`]), w[`qkv.${l}`]).reshape([B, T, 3, H, C / H]);
      const query = qkv.ref.slice([], [], 0);
      const key = qkv.ref.slice([], [], 1);
      const value = qkv.slice([], [], 2);
      const heads = nn.dotProductAttention(query, key, value, { isCausal: true });
      x = x.add(np.dot(heads.reshape([rows, C]), w[`out.${l}`]));
      const wide = activation(np.dot(norm(x.ref, w[`gain2.${l}`]), w[`fc.${l}`]));
      x = x.add(np.dot(wide, w[`proj.${l}`]));
    }
    const logits = nn.logSoftmax(np.dot(norm(x, w.finalGain), w.head), -1);
    return logits
      .mul(nn.oneHot(targets, V))
      .sum()
      .mul(-1 / rows);
  };

  const update = (weight, mean, square, gradient, rate, correction) => {
    const m = mean.mul(BETA1).add(gradient.ref.mul(1 - BETA1));
    const v = square.mul(BETA2).add(np.square(gradient).mul(1 - BETA2));
    const move = m.ref.mul(rate).div(np.sqrt(v.ref.mul(correction)).add(EPSILON));
    return [weight.mul(1 - RATE * DECAY).sub(move), m, v];
  };
  const whole = jit((w, m, v, rate, correction, inputs, targets) => {
    const [loss, gradients] = valueAndGrad(lossOf)(tree.ref(w), inputs, targets);
    const [W, M, S] = [{}, {}, {}];
    for (const key of Object.keys(w)) {
      [W[key], M[key], S[key]] = update(
        ...[w[key], m[key], v[key], gradients[key], rate.ref, correction.ref],
      );
    }
    rate.dispose?.();
    correction.dispose?.();
    return [W, M, S, loss];
  });

  const next = batchesOf(name);
  const number = (value) => np.array(new Float32Array([value])).reshape([]);
  const ids = (values) => np.array(values, { dtype: np.int32 });
  let steps = 0;
  return async () => {
    const { inputs, targets } = next();
    steps++;
    const rate = number(RATE / (1 - BETA1 ** steps));
    const correction = number(1 / (1 - BETA2 ** steps));
    const result = whole(weights, means, squares, rate, correction, ids(inputs), ids(targets));
    [weights, means, squares] = result;
    await blockUntilReady(weights);
    return (await result[3].data())[0];
  };
}
