/**
 * Models of a run at any of its steps, in one engine beside the one that trains, which goes from
 * step to step. Owns that engine.
 */
import { failure, ignore } from './errors.ts';
import { invoke, Remote } from './remote.ts';
import type { Question } from './remote.ts';
import type { Files, Past, Trainer } from './trainer.ts';

/** What can be asked of a model that stays as it is. */
export type Model = Pick<Trainer, Question>;

/** The model that a run had after `step` steps. */
export interface PastModel extends Model {
  readonly step: number;
}

export interface VisitOptions {
  /** Ends the visit: it then fails with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Hears where the way begins, and then the steps done. */
  readonly onWay?: (step: number) => void;
}

/**
 * Another engine with the run of `live` on `text`: its checkpoint has vocabulary and recipe too.
 * `start` makes it; `check` throws once nobody wants it any more.
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
    // The live one has told of its steps: of a million they would be a hundred megabytes here.
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
  /** The step at which that engine is; null before it is at one, and while it goes to one. */
  #step: number | null = null;
  /** Counts the ways that were begun: one that was given up says nothing of where the engine is. */
  #ways = 0;
  /** One visit after the other. */
  #visits: Promise<unknown> = Promise.resolve();

  /** `start` makes an engine with the recipe and the text of the run that `live` trains. */
  constructor(live: Pick<Past, 'wayBack'>, start: () => Promise<Trainer>) {
    this.#live = live;
    this.#start = start;
  }

  /** That engine, wherever it is; null before the first visit. */
  get engine(): Promise<Trainer> | null {
    return this.#second;
  }

  /** What `question` answers of the engine at `step`, in its turn. */
  visit<Answer>(
    step: number,
    question: (engine: Trainer) => Promise<Answer>,
    { signal, onWay = ignore }: VisitOptions = {},
  ): Promise<Answer> {
    const ended = endOf(signal);
    const answer = this.#visits.then(() => {
      if (signal?.aborted) return ended;
      const asked = this.#go(step, onWay, signal).then((engine) =>
        signal?.aborted ? ended : question(engine),
      );
      // The next one may begin at once: the engine gives up the way that it is on.
      return Promise.race([asked, ended]).finally(() => {
        if (signal?.aborted) this.#giveUp();
      });
    });
    this.#visits = answer.catch(ignore);
    return answer;
  }

  /** Nobody wants what the engine is on the way to. */
  #giveUp(): void {
    if (this.#step === null) this.#second?.then((second) => second.giveUpWay()).catch(ignore);
  }

  /** The model of `step`, each question to which is a visit. */
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

  async #go(
    step: number,
    onWay: (step: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<Trainer> {
    const second = await this.#engine();
    if (this.#step === step) return second;
    const have = this.#step ?? undefined;
    const count = ++this.#ways;
    this.#step = null;
    const way = await this.#live.wayBack(step, have);
    if (signal?.aborted) throw failure('cancelled', 'another step is looked at now');
    onWay(way.from);
    await second.goBack(way, onWay);
    if (count === this.#ways) this.#step = step;
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

/** Fails when the signal comes; never ends without one. */
function endOf(signal: AbortSignal | undefined): Promise<never> {
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
