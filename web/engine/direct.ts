/**
 * The trainer on the engine itself: works in Node, in a worker, and on the page's own thread where
 * workers are refused. Owns the engine and its threads; its calls (direct-calls.ts) share the
 * current run (engine-state.ts).
 */
import { Engine } from './binding/engine.ts';
import type { EngineSource } from './compile.ts';
import { answerOf } from './direct-calls.ts';
import { EngineState } from './engine-state.ts';
import { failure, ignore } from './errors.ts';
import type { Helpers } from './help.ts';
import { Remote } from './remote.ts';
import type { Method } from './remote.ts';
import type { Checkpoint, Snapshot, Trainer } from './trainer.ts';

export interface DirectOptions {
  /** Milliseconds of training between two chances for other calls; shorter on the page's thread. */
  readonly slice?: number;
  /**
   * Threads that help this one, with the threaded module. This thread must be one that may wait.
   */
  readonly helpers?: Helpers;
}

/** Fulfils Trainer on the module in this thread. Takes the module's bytes, its URL, or itself. */
export class DirectTrainer extends Remote<Method> implements Trainer {
  #loading: Promise<Engine>;
  readonly #state: EngineState;
  readonly #endHelpers: (() => void)[] = [];
  readonly closed: Promise<void>;
  #tellClosed: () => void = () => undefined;
  #closed = false;

  constructor(source: EngineSource, { slice = 25, helpers }: DirectOptions = {}) {
    super(async (name, args) => {
      await this.#loading;
      return answerOf(this.#state, name, args);
    });
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#loading = Engine.load(source).then((engine) => {
      if (!this.#closed && helpers !== undefined) this.#callHelpers(engine, helpers);
      return engine;
    });
    // The first call reports a failed load. This catch only keeps Node from exiting on an unhandled
    // rejection.
    this.#loading.catch(() => undefined);
    this.#state = new EngineState(source, () => this.#loading, slice);
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    return this.#state.teller.subscribe(listener);
  }

  /** Where the run is; null without a run. */
  get place(): Pick<Checkpoint, 'run' | 'step' | 'state'> | null {
    const { run } = this.#state.slot;
    return run && { run: run.number, step: run.step, state: run.state };
  }

  /** Whether the listener is ready for another snapshot; the worker holds it back until told. */
  set ready(ready: () => boolean) {
    this.#state.teller.ready = ready;
  }

  /** Sends what is new, if it was held back. The worker calls it when its page is ready again. */
  flush(): void {
    this.#state.teller.flush();
  }

  close(): void {
    this.#tellClosed();
    this.#state.close();
    this.#closed = true;
    const loading = this.#loading;
    // Whatever is asked from here on is answered as by a worker that is gone.
    this.#loading = Promise.reject(failure('worker', 'the trainer was closed'));
    this.#loading.catch(ignore);
    void loading.then(
      (engine) => {
        engine.stopThreads();
        for (const end of this.#endHelpers.splice(0)) end();
      },
      () => undefined,
    );
  }

  /** They come when they can: nothing waits for them. */
  #callHelpers(engine: Engine, { count, start }: Helpers): void {
    while (this.#endHelpers.length < count) {
      const slot = engine.slot();
      if (slot === null) return;
      this.#endHelpers.push(start(slot));
    }
  }
}
