/**
 * Questions to the model at earlier steps of a run. Owns a second engine beside the one that
 * trains. To reach a step, the second engine restores a snapshot and recomputes the steps after it.
 */
import { failure, ignore } from './errors.ts';
import { invoke, Remote } from './remote.ts';
import type { Question } from './remote.ts';
import type { Files, Past, Trainer } from './trainer.ts';

/** Questions that do not change a model. */
export type Model = Pick<Trainer, Question>;

/** The model after `step` steps of a run. */
export interface PastModel extends Model {
  readonly step: number;
}

export interface VisitOptions {
  /** Ends the visit, which then rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the step at which the move begins, then each step reached between slices. */
  readonly onWay?: (step: number) => void;
}

/**
 * Starts a second engine with the run of `live`, whose checkpoint contains recipe and vocabulary.
 * `start` creates the engine; `check` throws if the engine is no longer wanted.
 */
export async function secondOf(
  live: Files,
  text: Uint8Array<ArrayBuffer> | string,
  start: () => Promise<Trainer>,
  check: () => void,
): Promise<Trainer> {
  const weights = await live.save('checkpoint', '');
  const second = await start();
  try {
    await second.setText(text);
    // `silent`, because `live` has reported these steps; a million of them take 100 MB.
    await second.prepare(null, { files: { weights }, purpose: 'resume', silent: true });
    check();
    return second;
  } catch (thrown) {
    second.close();
    throw thrown;
  }
}

export class PastRun {
  readonly #live: Pick<Past, 'wayBack'>;
  readonly #start: () => Promise<Trainer>;
  #second: Promise<Trainer> | null = null;
  /** Step of the second engine; null before the first visit and while it moves. */
  #step: number | null = null;
  /** Number of moves; after a cancelled one the step of the engine is unknown. */
  #moves = 0;
  /** Visits run one after the other. */
  #visits: Promise<unknown> = Promise.resolve();

  /** `start` creates an engine with the recipe and text of the run in `live`. */
  constructor(live: Pick<Past, 'wayBack'>, start: () => Promise<Trainer>) {
    this.#live = live;
    this.#start = start;
  }

  /** The second engine at its present step; null before the first visit and after `close`. */
  get engine(): Promise<Trainer> | null {
    return this.#second;
  }

  /** Moves the engine to `step`, then asks `question`. */
  visit<Answer>(
    step: number,
    question: (engine: Trainer) => Promise<Answer>,
    { signal, onWay = ignore }: VisitOptions = {},
  ): Promise<Answer> {
    const ended = rejectionOf(signal);
    const answer = this.#visits.then(() => {
      if (signal?.aborted) return ended;
      const asked = this.#moveTo(step, onWay, signal).then((engine) =>
        signal?.aborted ? ended : question(engine),
      );
      // On abort the next visit may begin at once: this move is cancelled.
      return Promise.race([asked, ended]).finally(() => {
        if (signal?.aborted) this.#cancelMove();
      });
    });
    this.#visits = answer.catch(ignore);
    return answer;
  }

  /** Cancels a move that is under way (`#step` is then null). */
  #cancelMove(): void {
    if (this.#step === null) this.#second?.then((second) => second.giveUpWay()).catch(ignore);
  }

  /** The model at `step`; each question is a visit. */
  at(step: number, options: VisitOptions = {}): PastModel {
    const model = new Remote<Question>((name, args) =>
      this.visit(step, (engine) => invoke(engine, name, args), options),
    );
    return Object.assign(model, { step });
  }

  close(): void {
    this.#second?.then((second) => {
      second.close();
    }, ignore);
    this.#second = null;
    this.#step = null;
  }

  async #moveTo(
    step: number,
    onWay: (step: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<Trainer> {
    const second = await this.#engine();
    if (this.#step === step) return second;
    const have = this.#step ?? undefined;
    const count = ++this.#moves;
    this.#step = null;
    const way = await this.#live.wayBack(step, have);
    if (signal?.aborted) throw failure('cancelled', 'another step is looked at now');
    onWay(way.from);
    await second.goBack(way, onWay);
    if (count === this.#moves) this.#step = step;
    return second;
  }

  #engine(): Promise<Trainer> {
    if (this.#second === null) {
      const second = this.#start();
      this.#second = second;
      // The next visit tries again.
      second.catch(() => {
        if (this.#second === second) this.#second = null;
      });
    }
    return this.#second;
  }
}

/** Rejects when the signal aborts; without a signal never settles. */
function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => {
      reject(failure('cancelled', 'another step is looked at now'));
    };
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
  ended.catch(ignore);
  return ended;
}
