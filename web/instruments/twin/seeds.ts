/**
 * Trains two runs again with other seeds, in a second engine, to test whether their difference
 * exceeds chance.
 */
import { signal } from '@preact/signals';
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Recipe } from '../../engine/options.ts';
import type { RunInfo, Trainer } from '../../engine/trainer.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import type { StartSecond } from '../../store/questions.ts';
import type { HeldText } from '../../store/text/engine-text.ts';
import { bytesOfText } from '../../store/text/text-source.ts';
import { RunData } from '../../store/training/run-data.ts';

/** Number of seeds in addition to the pair's own. */
export const MORE_SEEDS = 2;
/** Two-sided 5 % quantile of Student's t with two degrees of freedom, for three differences. */
const T_OF_THREE = 4.303;

export type Two<Value> = readonly [Value, Value];

/** A run that was trained to its end in the second engine. */
export interface TrainedRun {
  readonly trainer: Trainer;
  readonly data: RunData;
  readonly info: RunInfo;
}

/** Two runs, and the value by which they are compared. */
export interface Pair {
  readonly text: HeldText;
  readonly recipes: Two<Recipe>;
  readonly names: Two<string>;
  readonly unit: LossUnit;
  readonly values: Two<number>;
  /** Measures the compared value of a run that was trained with another seed. */
  readonly measure: (run: TrainedRun) => Promise<number>;
}

/** The same two recipes with another seed. */
export interface Seeded {
  readonly seed: number;
  readonly recipes: Two<Recipe>;
}

export function keyOf({ text, recipes }: Pair): string {
  return JSON.stringify([text.key, recipes]);
}

export interface SeedRow {
  readonly seed: number;
  readonly values: Two<number>;
}

export interface Judged {
  /** Mean of the second value minus the first. */
  readonly mean: number;
  /** Standard deviation of a difference. */
  readonly deviation: number;
  /** Whether the difference is significant at the 5 % level. */
  readonly isReal: boolean;
}

/** Paired t-test of three differences (Student, "The probable error of a mean", 1908). */
export function judge(rows: readonly SeedRow[]): Judged {
  const gaps = rows.map(({ values: [first, second] }) => second - first);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const squares = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (gaps.length - 1));
  const isReal = Math.abs(mean) > (T_OF_THREE * deviation) / Math.sqrt(gaps.length);
  return { mean, deviation, isReal };
}

/** Progress of training the other pairs. */
export interface SeedsProgress {
  /** Number of the run, from 1 to `runs`. */
  readonly run: number;
  readonly runs: number;
  readonly step: number;
  readonly steps: number;
}

export interface SeedsState {
  /** Key of the pair (see `keyOf`); empty before the first. */
  readonly key: string;
  readonly unit: LossUnit;
  readonly rows: readonly SeedRow[];
  /** Progress of the training; null if nothing trains. */
  readonly progress: SeedsProgress | null;
  readonly error: GlasshouseError | null;
}

/** Trains a pair with other seeds; keeps the results of the last pair. */
export class Seeds {
  readonly state = signal<SeedsState>({
    ...{ key: '', unit: 'nats', rows: [], progress: null, error: null },
  });
  #worker: Trainer | null = null;
  /** Counts calls of `train`: answers to an older call are ignored. */
  #turn = 0;

  /** Adds the row of `pair`, which is already trained, then trains two runs per other seed. */
  async train(
    pair: Pair,
    [first, ...others]: readonly Seeded[],
    start: StartSecond,
  ): Promise<void> {
    this.stop();
    const turn = this.#turn;
    const isNewest = (): boolean => turn === this.#turn;
    const runs = 2 * others.length;
    this.state.value = {
      key: keyOf(pair),
      unit: pair.unit,
      rows: [{ seed: first!.seed, values: pair.values }],
      progress: { run: 1, runs, step: 0, steps: 0 },
      error: null,
    };
    try {
      const { trainer, place } = await start();
      if (!isNewest()) {
        trainer.close();
        return;
      }
      this.#worker = trainer;
      // Training on the thread of the page would block it.
      if (place !== 'worker') throw failure('no-worker', 'there is no worker to train in');
      await trainer.setText(await bytesOfText(pair.text));
      for (const [at, { seed, recipes }] of others.entries()) {
        const values: number[] = [];
        for (const recipe of recipes) {
          const run = 1 + 2 * at + values.length;
          const done = await trained(trainer, recipe, ({ step, steps }) => {
            if (isNewest()) this.#set({ progress: { run, runs, step, steps } });
          });
          values.push(await pair.measure(done));
        }
        if (!isNewest()) return;
        const { rows } = this.state.peek();
        this.#set({ rows: [...rows, { seed, values: [values[0]!, values[1]!] }] });
      }
    } catch (thrown) {
      if (isNewest()) this.#set({ error: asError(thrown) });
    }
    if (isNewest()) this.#close();
  }

  /** Stops the training. Complete rows stay. */
  stop(): void {
    this.#turn++;
    this.#close();
  }

  #close(): void {
    this.#worker?.close();
    this.#worker = null;
    this.#set({ progress: null });
  }

  #set(change: Partial<SeedsState>): void {
    this.state.value = { ...this.state.peek(), ...change };
  }
}

/** Trains a run of `recipe` to its end. */
async function trained(
  trainer: Trainer,
  recipe: Recipe,
  tell: (data: RunData) => void,
): Promise<TrainedRun> {
  const info = await trainer.prepare(recipe);
  const data = new RunData(info.run);
  data.steps = info.steps;
  tell(data);
  await new Promise<void>((resolve, reject) => {
    const stop = trainer.subscribe((snapshot) => {
      if (snapshot.run !== info.run) return;
      data.take(snapshot);
      tell(data);
      if (data.state !== 'finished' && data.state !== 'diverged') return;
      stop();
      resolve();
    });
    trainer.start().catch(reject);
    void trainer.closed.then(() => {
      reject(failure('cancelled', 'the engine is gone'));
    });
  });
  return { trainer, data, info };
}
