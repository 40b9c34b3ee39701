/** Runs exported models with onnxruntime and compares their numbers with the engine's. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as ort from 'onnxruntime-web';
import type { FileEngine } from './file-engine.ts';

// One thread: test machines have few cores, and the models are small. The explicit path selects the
// package's own module; transformers.js would otherwise set a public address.
const dist = join(import.meta.dirname, '../../node_modules/onnxruntime-web/dist/');
ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = pathToFileURL(dist).href;

export type Session = ort.InferenceSession;

export const openOnnx = (file: Uint8Array): Promise<Session> =>
  ort.InferenceSession.create(file, { executionProviders: ['wasm'], logSeverityLevel: 3 });

/** Integers as a tensor of `rows` rows. */
function wholes(numbers: readonly number[], rows = 1): ort.Tensor {
  return new ort.Tensor('int64', BigInt64Array.from(numbers, BigInt), [
    rows,
    numbers.length / rows,
  ]);
}

const logitsOf = (outputs: ort.InferenceSession.ReturnType): Float32Array =>
  outputs['logits']!.data as Float32Array;

/** The logits after each id, from the graph without a cache. */
export async function plainLogits(session: Session, ids: readonly number[]): Promise<Float32Array> {
  return logitsOf(await session.run({ input_ids: wholes(ids) }));
}

/** One text, or several of the same length, in a KV cache of the graph. */
export class OnnxText {
  readonly #session: Session;
  readonly #rows: number;
  #past: Record<string, ort.Tensor> = {};
  #mask: number[][];

  constructor(session: Session, heads: number, headSize: number, rows = 1) {
    this.#session = session;
    this.#rows = rows;
    this.#mask = Array.from({ length: rows }, () => []);
    for (const name of session.inputNames.filter((name) => name.startsWith('past'))) {
      this.#past[name] = new ort.Tensor('float32', [], [rows, heads, 0, headSize]);
    }
  }

  /**
   * Reads the same number of ids for each row; `mask` 0 hides an id. Returns the logits after each.
   */
  async read(
    ids: readonly number[],
    mask: readonly number[] = ids.map(() => 1),
  ): Promise<Float32Array> {
    const width = ids.length / this.#rows;
    this.#mask = this.#mask.map((row, i) => [...row, ...mask.slice(i * width, (i + 1) * width)]);
    const outputs = await this.#session.run({
      input_ids: wholes(ids, this.#rows),
      attention_mask: wholes(this.#mask.flat(), this.#rows),
      ...this.#past,
    });
    for (const name of Object.keys(this.#past)) {
      this.#past[name] = outputs[name.replace('past_key_values', 'present')]!;
    }
    return logitsOf(outputs);
  }
}

/** The logits after each id, from the engine. */
export function engineLogits(
  engine: FileEngine,
  trainer: number,
  ids: readonly number[],
): Float32Array {
  const padded = new Int32Array([...ids, 0]); // the last id is only a target
  const count = engine.lend(new Uint8Array(padded.buffer), (at) =>
    engine.call('probe_ids', trainer, at, padded.length, 0),
  );
  if (count !== ids.length) throw new Error(`status ${count}`);
  const nodes = JSON.parse(engine.text('probe_json', [trainer])) as { name: string }[];
  const index = nodes.findIndex(({ name }) => name === 'logits');
  const vocab = engine.call('trainer_get', trainer, 'vocab');
  return engine.floats(engine.pointer('probe_data', trainer, index), count * vocab);
}

/** The largest difference, relative to the largest absolute value of `wanted`. */
export function difference(got: Float32Array, wanted: Float32Array): number {
  if (got.length !== wanted.length) throw new Error(`${got.length} of ${wanted.length} numbers`);
  let apart = 0;
  let largest = 0;
  for (const [i, value] of wanted.entries()) {
    const distance = Math.abs(value - got[i]!);
    if (!(distance <= apart)) apart = distance; // also true for NaN
    largest = Math.max(largest, Math.abs(value));
  }
  return apart / largest;
}
