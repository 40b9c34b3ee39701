/**
 * The trainer on the engine itself: in Node, in a worker, or on the page's thread if workers are
 * refused. Owns the engine and its threads; its calls (direct-calls.ts) share the current run
 * (engine-state.ts).
 */
import { Engine } from './binding/engine.ts';
import type { EngineSource } from './engine-source.ts';
import { answerOf } from './direct-calls.ts';
import { EngineState } from './engine-state.ts';
import { failure, ignore } from './errors.ts';
import type { Helpers } from './help.ts';
import { Remote } from './remote.ts';
import type { Method } from './remote.ts';
import type { Checkpoint, Snapshot, Trainer } from './trainer.ts';

export interface DirectOptions {
  /** Milliseconds of training before other calls get a turn; shorter on the page's thread. */
  readonly slice?: number;
  /** Helper threads of the threaded module. This thread must be allowed to block. */
  readonly helpers?: Helpers;
}

/** Implements Trainer on this thread. Takes the module, its bytes or its URL. */
export class DirectTrainer extends Remote<Method> implements Trainer {
  #loading: Promise<Engine>;
  readonly #state: EngineState;
  readonly #endHelpers: (() => void)[] = [];
  readonly closed: Promise<void>;
  #resolveClosed: () => void = () => undefined;
  #closed = false;

  constructor(source: EngineSource, { slice = 25, helpers }: DirectOptions = {}) {
    super((name, args) => this.ask(name, args));
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#loading = Engine.load(source).then((engine) => {
      if (!this.#closed && helpers !== undefined) this.#startHelpers(engine, helpers);
      return engine;
    });
    // The first call reports a failed load. This catch only keeps Node from exiting on an unhandled
    // rejection.
    this.#loading.catch(() => undefined);
    this.#state = new EngineState(source, () => this.#loading, slice);
  }

  /** Makes a call by its name. */
  async ask(name: Method, args: readonly unknown[]): Promise<unknown> {
    await this.#loading;
    return answerOf(this.#state, name, args);
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    return this.#state.reporter.subscribe(listener);
  }

  /** Number, step and state of the current run; null without a run. */
  get place(): Pick<Checkpoint, 'run' | 'step' | 'state'> | null {
    const { run } = this.#state.slot;
    return run && { run: run.number, step: run.step, state: run.state };
  }

  /** Sets the flow control: while `ready` returns false, reports wait for `flush`. */
  set ready(ready: () => boolean) {
    this.#state.reporter.ready = ready;
  }

  /**
   * Sends a waiting report: at once if training waits for its delivery, else when due. Called when
   * the page acknowledges a report.
   */
  flush(): void {
    this.#state.reporter.flush();
  }

  close(): void {
    this.#resolveClosed();
    this.#state.close();
    this.#closed = true;
    const loading = this.#loading;
    // Further calls reject as if the worker were gone.
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

  /** Helpers start in the background; training does not wait for them. */
  #startHelpers(engine: Engine, { count, start }: Helpers): void {
    while (this.#endHelpers.length < count) {
      const slot = engine.slot();
      if (slot === null) return;
      this.#endHelpers.push(start(slot));
    }
  }
}
