/** The runs of this sitting that others have taken the place of: kept as lines beside the shown one. */
import { sameRecipe } from '../engine/options.ts';
import type { TokensPerCharacter } from '../views/loss-data.ts';
import type { RunData } from './run-data.ts';
import type { OneRun } from './run-name.ts';

export interface EarlierRun extends OneRun {
  readonly id: number;
  readonly run: RunData;
  readonly tokensPerCharacter: TokensPerCharacter;
  readonly shown: boolean;
}

/** More lines than these could not be told apart; the oldest goes. */
const MOST = 6;
/** Shorter runs are no curve. */
const LEAST_STEPS = 3;

export class EarlierRuns {
  #runs: readonly EarlierRun[] = [];
  #last = 0;

  /** The oldest first. */
  get all(): readonly EarlierRun[] {
    return this.#runs;
  }

  /** Keeps `run`; of two runs of the same text and recipe, which are equal, the longer. */
  keep(run: RunData, about: OneRun & Pick<EarlierRun, 'tokensPerCharacter'>): void {
    if (run.history.length < LEAST_STEPS) return;
    const same = this.#runs.find(
      (other) => other.textNumber === about.textNumber && sameRecipe(other.recipe, about.recipe),
    );
    if (same !== undefined && same.run.history.length >= run.history.length) return;
    const rest = this.#runs.filter((other) => other !== same);
    const entry = { id: same?.id ?? this.#last++, run, ...about, shown: same?.shown ?? true };
    this.#runs = [...rest, entry].slice(-MOST);
  }

  /** Puts runs of an earlier visit before those of now, with the numbers that they had where these are free. */
  restore(runs: readonly EarlierRun[]): void {
    const taken = new Set(this.#runs.map(({ id }) => id));
    this.#last = Math.max(this.#last, ...runs.map(({ id }) => id + 1));
    const restored = runs.map((run) => (taken.has(run.id) ? { ...run, id: this.#last++ } : run));
    this.#runs = [...restored, ...this.#runs].slice(-MOST);
  }

  show(id: number, shown: boolean): void {
    this.#runs = this.#runs.map((run) => (run.id === id ? { ...run, shown } : run));
  }

  remove(id: number): void {
    this.#runs = this.#runs.filter((run) => run.id !== id);
  }
}
