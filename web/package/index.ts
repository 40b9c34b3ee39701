/**
 * Glasshouse as a library: a trainer of small GPTs for browsers, workers and Node.
 *
 *     const trainer = await createTrainer();
 *     await trainer.setText(encodeText('anna\nbob\n'));
 *     await trainer.prepare({ preset: 'microgpt', changes: { steps: 200 } });
 *     const { losses } = await finishRun(trainer);
 *
 * An engine on this thread and one in a worker implement the same interface, Trainer.
 */
import { beside } from '../embed/beside.ts';
import { WORKERS } from '../embed/file-worker.ts';
import { createTrainer as startTrainer } from '../engine/create.ts';
import type { CreatedTrainer } from '../engine/create.ts';
import { DirectTrainer } from '../engine/direct.ts';
import { failure } from '../engine/errors.ts';
import type { EngineSource } from '../engine/engine-source.ts';
import { verifyReceipt as replay } from '../engine/verify.ts';
import { readingsOf } from '../engine/read-text.ts';
import { bytesOf, listOf } from '../engine/text-bytes.ts';
import type { Finding } from '../engine/receipt.ts';
import type { VerifyOptions } from '../engine/verify.ts';
import { MOST_THREADS } from '../engine/help.ts';
import { startNodeHelper } from '../engine/node-helper.ts';
import { canShareMemory } from '../engine/thread-memory.ts';
import type { Snapshot, Trainer } from '../engine/trainer.ts';
import { withChecks } from './checked.ts';
import { withPast } from './past.ts';
import type { TrainerWithPast } from './past.ts';
import { withRun } from './run.ts';
import type { RunCalls } from './run.ts';

export interface TrainerOptions {
  /** The engine's module: its URL, its bytes, or compiled. By default the file beside this one. */
  readonly engine?: EngineSource;
  /**
   * `auto`: in a worker if possible, else on this thread in short slices. `direct`: on this thread.
   * Node lacks Web Workers, so it always uses the calling thread.
   */
  readonly place?: 'auto' | 'direct';
  /**
   * Threads that train, to the same bits: in Node and in isolated pages 1 to 8, by default one for
   * each core. Elsewhere, and with `engine` or `place: 'direct'`, 1. Helpers join while the run
   * goes on; `threads` of a report says how many there are.
   */
  readonly threads?: number;
  /** Bytes of memory for snapshots, which `at` needs: 96 MB by default, 0 for none. */
  readonly past?: number;
}

/**
 * Default of TrainerOptions.past. For a small model enough snapshots fit to compute any step in a
 * fraction of a second.
 */
const PAST_BYTES = 96e6;

/** Starts a trainer. Close it after use: it holds memory and perhaps a worker. */
export async function createTrainer(options: TrainerOptions = {}): Promise<TrainerWithPast> {
  refuseNoObject(options);
  const { past = PAST_BYTES } = options;
  if (!(Number.isFinite(past) && past >= 0)) {
    throw failure('argument', 'past is a number of bytes, 0 for none', [], 'past');
  }
  const many = threadedOf(options);
  const threads = threadsOf(options, many === null ? 1 : MOST_THREADS);
  // Engines for earlier steps answer questions, on one thread.
  const second = (): Promise<Trainer> => startWith(options);
  const trainer = await (many === null || threads === 1
    ? second()
    : startThreaded(options, many, threads - 1));
  return withChecks(withPast(withRun(trainer), second, past));
}

function refuseNoObject(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw failure('argument', 'the options are an object', [], 'options');
}

/** The number of threads, of at most `most`; throws if more are asked for. */
function threadsOf({ threads }: TrainerOptions, most: number): number {
  const wanted = threads ?? Math.min(most, coresHere());
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= most) return wanted;
  const where = 'Node and isolated pages, with the engine of the package';
  const message = `threads is a whole number from 1 to ${String(most)} here; more have ${where}`;
  throw failure('argument', message, [most], 'threads');
}

/** The threaded module of the package; null where one thread trains. */
function threadedOf({ engine, place, threads }: TrainerOptions): EngineSource | null {
  if (engine !== undefined || place === 'direct' || threads === 1 || !canShareMemory()) return null;
  const found = new URL(/* @vite-ignore */ './glasshouse-threads.wasm', import.meta.url);
  const url = beside('glasshouse-threads.wasm', found);
  if (hasWorkers()) return url;
  // A bundled server may lack the file.
  return canBlock() ? tryInNode(url) : null;
}

function hasWorkers(): boolean {
  return typeof (globalThis as { Worker?: unknown }).Worker === 'function';
}

/** Whether this thread may wait for others; that of a page may not. */
function canBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}

function tryInNode(url: URL): Uint8Array<ArrayBuffer> | null {
  try {
    return readInNode(url.href);
  } catch {
    return null;
  }
}

/** Starts a trainer on one thread. */
async function startWith(options: TrainerOptions): Promise<Trainer> {
  const engine = engineOf(options);
  if (options.place === 'direct' || !hasWorkers()) return new DirectTrainer(engine);
  return copying(await startTrainer(engine, WORKERS));
}

/** Starts a trainer with `helpers`; `many` is the threaded module. */
async function startThreaded(
  options: TrainerOptions,
  many: EngineSource,
  helpers: number,
): Promise<Trainer> {
  if (hasWorkers()) return copying(await startTrainer(engineOf(options), WORKERS, many, helpers));
  return new DirectTrainer(many, { helpers: { count: helpers, start: startNodeHelper } });
}

/** The worker gets copies of texts, because buffers are transferred and callers keep theirs. */
function copying({ trainer }: CreatedTrainer): Trainer {
  const handOver = trainer.setText.bind(trainer);
  trainer.setText = (text) => handOver(typeof text === 'string' ? text : bytesOf(text).slice());
  return trainer;
}

function engineOf({ engine }: Pick<TrainerOptions, 'engine'>): EngineSource {
  const source = engine ?? ours();
  const isAddress = source instanceof URL || typeof source === 'string';
  return (isAddress ? readInNode(String(source)) : null) ?? source;
}

function ours(): URL {
  const found = new URL(/* @vite-ignore */ './glasshouse.wasm', import.meta.url);
  return beside('glasshouse.wasm', found);
}

/** The used part of Node's `process`; undefined elsewhere. */
interface NodeProcess {
  readonly versions?: { readonly node?: string };
  getBuiltinModule?(name: 'node:fs'): { readFileSync(file: URL): Uint8Array };
  getBuiltinModule?(name: 'node:os'): { availableParallelism(): number };
}
const { process } = globalThis as { process?: NodeProcess };

/** Cores of this machine: in Node those that the process may use. */
function coresHere(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  const inNode = process?.getBuiltinModule?.('node:os').availableParallelism();
  return inNode ?? navigator?.hardwareConcurrency ?? 1;
}

/** The bytes of a `file:` URL in Node, whose fetch does not read files; null elsewhere. */
function readInNode(address: string): Uint8Array<ArrayBuffer> | null {
  const version = process?.versions?.node;
  if (!address.startsWith('file:') || version === undefined) return null;
  if (process?.getBuiltinModule === undefined) {
    throw failure('load', `this is Node ${version}, and Glasshouse needs Node 20.19 or later`);
  }
  try {
    return new Uint8Array(process.getBuiltinModule('node:fs').readFileSync(new URL(address)));
  } catch (thrown) {
    throw failure('load', `the engine could not be read: ${String(thrown)}`);
  }
}

/** A text as UTF-8 bytes. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string')
    throw failure('argument', 'encodeText: a text is a string', [], 'text');
  return new TextEncoder().encode(text);
}

/**
 * Replays the run of a receipt (the JSON of `trainer.receipt()`) on its text, on this thread, and
 * reports the first difference. A fork needs the texts of all its runs (see `receiptRuns`), in any
 * order. A text may also be the bytes of a file, which `readText` converts. Rejects with
 * GlasshouseError if the JSON is no receipt, a text is not that of the receipt, the run is longer
 * than `maxSteps`, or it cannot be replayed.
 */
export async function verifyReceipt(
  json: string,
  text: Uint8Array | string | readonly (Uint8Array | string)[],
  options: VerifyOptions & Pick<TrainerOptions, 'engine'> = {},
): Promise<Finding> {
  if (typeof (json as unknown) !== 'string') {
    throw failure('argument', 'verifyReceipt: json is the json of a receipt, a string', [], 'json');
  }
  refuseNoObject(options);
  const texts = listOf<Uint8Array | string>(text).flatMap(readingsOf);
  return replay(engineOf(options), json, texts, options);
}

/** Results of a run that was trained to its end. */
export interface FinishedRun {
  /** Losses in nats per token, from step 1. */
  readonly losses: readonly number[];
  /** The last report of the run. */
  readonly last: Snapshot;
}

/**
 * Trains the prepared run to its end, from its present step. Rejects like `train`.
 */
export async function finishRun(trainer: Trainer & Partial<RunCalls>): Promise<FinishedRun> {
  if (typeof (trainer as Partial<Trainer> | undefined)?.start !== 'function') {
    throw failure('argument', 'finishRun: the trainer is one of createTrainer', [], 'trainer');
  }
  const running = 'train' in trainer ? (trainer as RunCalls) : withRun(trainer);
  const losses: number[] = [];
  let last: Snapshot | null = null;
  const stop = trainer.subscribe((snapshot) => {
    if (snapshot.run !== last?.run) losses.length = 0;
    last = snapshot;
    snapshot.losses.forEach((loss, index) => {
      losses[snapshot.lossesFrom + index] = loss;
    });
  });
  try {
    await running.train();
  } finally {
    stop();
  }
  // The listener missed the steps of a run that was already under way.
  const { step } = running.status();
  if (losses.length < step || losses.includes(undefined as never)) {
    await addEarlier(losses, trainer);
  }
  return { losses, last: last! };
}

/** Fills in losses of steps before the listener; NaN for steps that the engine no longer stores. */
async function addEarlier(losses: number[], trainer: Trainer): Promise<void> {
  const { history, step } = await trainer.checkpoint('');
  const { stride = 1 } = history;
  for (let index = 0; index < step; index++) {
    losses[index] ??= index % stride === 0 ? (history.losses[index / stride] ?? NaN) : NaN;
  }
}

export { readText } from '../engine/read-text.ts';
export { GlasshouseError } from '../engine/errors.ts';
export type { ErrorFacts } from '../engine/errors.ts';
export type { EngineSource } from '../engine/engine-source.ts';
export { receiptRuns } from '../engine/receipt.ts';
export type { Finding, ReceiptRun } from '../engine/receipt.ts';
export type { VerifyOptions } from '../engine/verify.ts';
export type { ByteRange } from '../engine/left-out.ts';
export type { Option, OptionTable, Recipe, WantedRecipe } from '../engine/options.ts';
export type { PastModel, VisitOptions } from '../engine/past-run.ts';
export type * from '../engine/trainer.ts';
export type { NamedRecipe, OptionName, PresetName } from './names.ts';
export type { ReadOptions, TrainerWithPast } from './past.ts';
export type { RunCalls, RunStatus } from './run.ts';
