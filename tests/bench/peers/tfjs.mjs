// The training step on TensorFlow.js, as an expert would write it: activations as matrices,
// tf.train.adam, and explicit code for two operations that are slow in its WebAssembly backend.
// TensorFlow.js lacks AdamW, so there is no weight decay.
import { CONFIGS } from '../configs.mjs';
import { batchesOf, normals } from './batches.mjs';

const RATE = 1e-3;

/**
 * Selects the WebAssembly backend; returns a function that counts its threads. `folder` contains
 * its binaries. With shared memory the backend chooses the threaded binary, but uses at most half
 * of navigator.hardwareConcurrency.
 */
export async function startTfjs(tf, wasm, folder, threads) {
  const { log } = console;
  console.log = () => {}; // hides its advertisement for another package
  wasm.setWasmPaths(folder);
  wasm.setThreadsCount(threads);
  if (!(await tf.setBackend('wasm'))) throw new Error('its WebAssembly backend does not start');
  await tf.ready();
  console.log = log;
  // Counts actual threads: workers that run one, and the caller.
  const { PThread } = tf.backend().wasm;
  return () => 1 + (PThread?.runningWorkers.length ?? 0);
}

/** Returns a step that resolves with its loss once it is complete. `tf` has its backend set. */
export function tfjsStep(tf, name) {
  const { preset, V, T, C, L, H, B } = CONFIGS[name];
  const d = C / H;
  const draw = normals();
  const weights = [];
  const keep = (tensor) => {
    const variable = tf.variable(tensor);
    weights.push(variable);
    return variable;
  };
  const matrix = (rows, columns, deviation = 0.02) =>
    keep(tf.tensor2d(draw(rows * columns, deviation), [rows, columns]));
  const gain = () => keep(tf.ones([C]));

  const tokens = matrix(V, C);
  const positions = matrix(T, C);
  const finalGain = gain();
  const head = matrix(C, V);
  const blocks = Array.from({ length: L }, () => ({
    gain1: gain(),
    gain2: gain(),
    qkv: matrix(C, 3 * C),
    out: matrix(C, C, 0.02 / Math.sqrt(2 * L)),
    fc: matrix(C, 4 * C),
    proj: matrix(4 * C, C, 0.02 / Math.sqrt(2 * L)),
  }));
  const future = tf.tidy(() => {
    const above = tf.linalg.bandPart(tf.ones([T, T]), -1, 0).sub(1);
    return above.mul(1e9).reshape([1, 1, T, T]);
  });

  // Products are fast only for two plain matrices. The gradient of matMul needs transposed factors
  // and takes a slow scalar loop; explicit transposes avoid it.
  const product = tf.customGrad((a, b, save) => {
    save([a, b]);
    return {
      value: tf.matMul(a, b),
      gradFunc: (dout, [x, w]) => [tf.matMul(dout, w.transpose()), tf.matMul(x.transpose(), dout)],
    };
  });
  const norm = (x, weight) => {
    const centred = x.sub(x.mean(-1, true));
    return centred.mul(centred.square().mean(-1, true).add(1e-5).rsqrt()).mul(weight);
  };
  const gelu = (x) => {
    const inner = x
      .square()
      .mul(x)
      .mul(0.044715)
      .add(x)
      .mul(Math.sqrt(2 / Math.PI));
    return x.mul(0.5).mul(inner.tanh().add(1));
  };
  const activation = preset === 'microgpt' ? (x) => x.relu().square() : gelu;

  const lossOf = (inputs, targets) => {
    // A matrix product instead of gather, whose gradient is also a scalar loop.
    const embedded = product(tf.oneHot(inputs, V).cast('float32'), tokens);
    let x = embedded
      .reshape([B, T, C])
      .add(positions)
      .reshape([B * T, C]);
    for (const block of blocks) {
      const qkv = product(norm(x, block.gain1), block.qkv).reshape([B, T, 3, H, d]);
      const [q, k, v] = qkv.transpose([2, 0, 3, 1, 4]).unstack(0);
      const scores = tf.matMul(q, k, false, true).mul(1 / Math.sqrt(d));
      const mixed = tf.matMul(tf.softmax(scores.add(future)), v);
      const heads = mixed.transpose([0, 2, 1, 3]).reshape([B * T, C]);
      x = x.add(product(heads, block.out));
      x = x.add(product(activation(product(norm(x, block.gain2), block.fc)), block.proj));
    }
    const logits = product(norm(x, finalGain), head);
    return tf
      .logSoftmax(logits)
      .mul(tf.oneHot(targets, V))
      .sum()
      .mul(-1 / (B * T));
  };

  const optimizer = tf.train.adam(RATE, 0.9, 0.95, 1e-8);
  const next = batchesOf(name);
  return async () => {
    const { inputs, targets } = next();
    const [x, y] = [tf.tensor1d(inputs, 'int32'), tf.tensor1d(targets, 'int32')];
    const loss = optimizer.minimize(() => lossOf(x, y), true, weights);
    const [value] = await loss.data();
    tf.dispose([x, y, loss]);
    return value;
  };
}
