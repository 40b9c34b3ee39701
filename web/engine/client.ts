/** The page's end of the worker protocol: a Trainer that forwards its calls to a worker. */
import { factsOf, failure, GlasshouseError } from './errors.ts';
import type { StartHelper } from './help.ts';
import { MOVED_ARGUMENTS } from './protocol.ts';
import type { Moved, ToPage, ToWorker, Wire } from './protocol.ts';
import { Remote } from './remote.ts';
import type { Method } from './remote.ts';
import type { Snapshot, Trainer } from './trainer.ts';

type Listener = (value: unknown) => void;

interface Waiting {
  readonly resolve: Listener;
  readonly reject: (error: GlasshouseError) => void;
  readonly onPartial: Listener | undefined;
}

export interface WorkerOptions {
  /** Number of helper threads for the worker, if its module can use them. */
  readonly helpers?: number;
  /** Starts a helper thread when the worker asks for one; without it no helper starts. */
  readonly startHelper?: StartHelper;
}

/** Implements Trainer by calls to `serve` at the other end of `wire`. */
export class WorkerTrainer extends Remote<Method> implements Trainer {
  readonly #wire: Wire;
  readonly #close: () => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  readonly #ready: Promise<void>;
  readonly #startHelper: StartHelper | undefined;
  readonly #endHelpers: (() => void)[] = [];
  #lastId = 0;
  /** The error of all further calls; null while the worker lives. */
  #failed: GlasshouseError | null = null;
  readonly closed: Promise<void>;
  #resolveClosed: () => void = () => undefined;
  #run = 0;

  /** `module` may still be loading; `close` terminates the worker. */
  constructor(
    wire: Wire,
    module: Promise<WebAssembly.Module>,
    close: () => void,
    { helpers = 0, startHelper }: WorkerOptions = {},
  ) {
    super((method, args) => this.#call(method, args));
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#wire = wire;
    this.#close = close;
    this.#startHelper = startHelper;
    wire.addEventListener('message', (event: MessageEvent) => {
      this.#receive(event.data as ToPage);
    });
    this.#ready = module.then(
      (loaded) => {
        this.#post({ kind: 'load', module: loaded, helpers });
      },
      (thrown: unknown) => {
        this.#post({ kind: 'load-failed', error: factsOf(thrown) });
      },
    );
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.fail(failure('worker', 'the worker was closed'));
    this.#close();
    for (const end of this.#endHelpers.splice(0)) end();
  }

  /** Has the worker fetch the scripts that it needs later. */
  preload(): void {
    this.#post({ kind: 'preload' });
  }

  /** Rejects all waiting and further calls, because the worker is gone. */
  fail(error: GlasshouseError): void {
    this.#failed ??= error;
    this.#resolveClosed();
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  async #call(method: Method, given: readonly unknown[]): Promise<unknown> {
    if (this.#failed === null) await this.#ready;
    // The worker may have failed while the module was loading.
    if (this.#failed !== null) throw this.#failed;
    const id = ++this.#lastId;
    const args = given.filter((one) => !isListener(one));
    const progress = given.findIndex(isListener);
    return new Promise((resolve, reject) => {
      // Computed first, because it throws if an argument cannot be transferred.
      const transfer = (MOVED_ARGUMENTS as Moved)[method]?.(...args);
      this.#post({ kind: 'call', id, method, args, progress }, transfer);
      this.#waiting.set(id, { resolve, reject, onPartial: given.find(isListener) });
    });
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#wire.postMessage(message, transfer);
  }

  #receive(message: ToPage): void {
    if (message.kind === 'hello') return;
    if (message.kind === 'help') {
      if (this.#startHelper !== undefined) this.#endHelpers.push(this.#startHelper(message.task));
      return;
    }
    if (message.kind === 'snapshot') {
      this.#post({ kind: 'seen' });
      // Drops a late snapshot of an earlier run.
      if (message.snapshot.run < this.#run) return;
      this.#run = message.snapshot.run;
      for (const listener of this.#listeners) listener(message.snapshot);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (message.kind === 'partial') {
      waiting?.onPartial?.(message.value);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'result') waiting?.resolve(message.value);
    else waiting?.reject(new GlasshouseError(message.error));
  }
}

/** A function among the arguments is the progress callback; functions are not sent. */
function isListener(value: unknown): value is Listener {
  return typeof value === 'function';
}
