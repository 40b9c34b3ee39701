/**
 * The runs of this sitting that others have taken the place of: kept as lines beside the shown one.
 */
import { differingOptions, findOption, sameRecipe, valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { TokensPerCharacter } from '../../data/loss-data.ts';
import { namedBy } from './current-run.ts';
import type { CurrentRun } from './current-run.ts';
import type { RunData } from './run-data.ts';
import type { OneRun } from './run-name.ts';

export interface EarlierRun extends OneRun {
  readonly id: number;
  readonly run: RunData;
  readonly tokensPerCharacter: TokensPerCharacter;
  readonly shown: boolean;
  /**
   * What the run kept before it was made with, which its name tells it from; for the first, what
   * the run that took its place was made with, and null until then.
   */
  readonly before: Recipe | null;
  /** Hidden because a run of another kind began, not by the reader. */
  readonly aside?: boolean;
}

/** A run of an earlier visit, with the key of the text that it lay beside. */
export type BesideRun = EarlierRun & { readonly beside: string | null };

/** What losses are measured on: of another text, or other tokens, they are no measure of these. */
export type RunKind = Pick<OneRun, 'recipe' | 'textKey'>;

/** Whether two runs learn the same text in the same tokens. */
export function sameKind(a: RunKind, b: RunKind, table: OptionTable): boolean {
  return a.textKey === b.textKey && tokensOf(a, table) === tokensOf(b, table);
}

/** How a run cuts its text into tokens; only word pieces have a size of vocabulary to choose. */
function tokensOf({ recipe }: RunKind, table: OptionTable): string {
  const chosen = valueOf(table, recipe, 'tokenizer');
  const name = findOption(table, 'tokenizer')?.choices[chosen] ?? '';
  return name === 'bpe' ? `${name} ${String(valueOf(table, recipe, 'vocabulary'))}` : name;
}

/** More lines than these could not be told apart; the oldest goes. */
const MOST = 6;
/** Shorter runs are no curve. */
const LEAST_STEPS = 3;

export class EarlierRuns {
  readonly #changed: () => void;
  #runs: readonly EarlierRun[] = [];
  /** Of the run kept last, also when it was removed since. */
  #recipe: Recipe | null = null;

  constructor(changed: () => void = () => undefined) {
    this.#changed = changed;
  }

  /** The oldest first. */
  get all(): readonly EarlierRun[] {
    return this.#runs;
  }

  /** Another run takes the place of the shown one. */
  layBeside(run: CurrentRun): void {
    const { data, tokensPerCharacter } = run;
    this.keep(data, { ...namedBy(run), tokensPerCharacter });
    if (data.step > 0) data.attentions.clear();
  }

  /** Keeps `run`; of two runs of the same text and recipe, which are equal, the longer. */
  keep(run: RunData, about: OneRun & Pick<EarlierRun, 'tokensPerCharacter'>): void {
    if (run.history.length < LEAST_STEPS) return;
    const same = this.#runs.find((other) => isSame(other, about) && agree(other.run, run));
    if (same !== undefined && same.run.history.length >= run.history.length) return;
    const rest = this.#runs.filter((other) => other !== same);
    const { id, shown, before } = same ?? { id: this.#next(), shown: true, before: this.#recipe };
    const entry = { id, run, ...about, shown, before };
    this.#recipe = about.recipe;
    this.#runs = [...rest, entry].slice(-MOST);
  }

  /**
   * Puts runs of an earlier visit before those of now, with the numbers that they had where these
   * are free. `beside` is the key of the text that a run lay beside, `wanted` that of now: with
   * another text it would lie beside nothing of its kind.
   */
  restore(found: readonly BesideRun[], wanted: string): void {
    const runs = found.map(({ beside, ...run }): EarlierRun => {
      const shown = run.shown && [run.textKey, beside].includes(wanted);
      return { ...run, shown, aside: run.aside === true || shown !== run.shown };
    });
    const taken = new Set(this.#runs.map(({ id }) => id));
    let next = this.#next(...runs);
    this.#recipe ??= runs.at(-1)?.recipe ?? null;
    const restored = runs.map((run) => (taken.has(run.id) ? { ...run, id: next++ } : run));
    this.#runs = [...restored, ...this.#runs].slice(-MOST);
    this.#changed();
  }

  /** A run of this recipe has begun: the first is told from it. */
  follow(recipe: Recipe): void {
    this.#runs = this.#runs.map((run) =>
      run.before === null && !sameRecipe(run.recipe, recipe) ? { ...run, before: recipe } : run,
    );
  }

  /** Shows the curve of the run with this text and recipe. */
  reveal(about: RunKind): void {
    const found = this.#runs.find((run) => isSame(run, about));
    if (found !== undefined) this.show(found.id, true);
  }

  show(id: number, shown: boolean): void {
    this.#runs = this.#runs.map((run) => (run.id === id ? { ...run, shown, aside: false } : run));
    this.#changed();
  }

  /**
   * A run of this kind has begun: curves of other kinds step aside, and those of its own come back.
   */
  begin(kind: RunKind, table: OptionTable): void {
    this.#runs = this.#runs.map((run) => {
      if (!sameKind(run, kind, table))
        return run.shown ? { ...run, shown: false, aside: true } : run;
      return run.aside === true ? { ...run, shown: true, aside: false } : run;
    });
  }

  /**
   * The run `now` has taken the place of `before`: curves that it is not to be compared with step
   * aside. `resumedAt` is the step from which it goes on; null if it begins.
   */
  layAside(now: OneRun, before: OneRun | null, resumedAt: number | null, table: OptionTable): void {
    this.follow(now.recipe);
    if (resumedAt !== null) this.resume(now, resumedAt, table);
    // What the reader chose to see stays as it is while runs of one kind follow each other.
    if (before === null || !sameKind(before, now, table)) this.begin(now, table);
  }

  /** The run with this text and recipe goes on from `step`: its own curve is no other one. */
  resume(about: RunKind, step: number, table: OptionTable): void {
    // By values: a file does not say which preset they were chosen from.
    const isIt = (run: EarlierRun): boolean =>
      run.textKey === about.textKey &&
      differingOptions(table, run.recipe, about.recipe).length === 0;
    this.#runs = this.#runs
      .filter((run) => !(isIt(run) && run.run.history.length <= step))
      .map((run) => (isIt(run) ? { ...run, shown: false, aside: false } : run));
  }

  remove(id: number): void {
    this.#runs = this.#runs.filter((run) => run.id !== id);
    this.#changed();
  }

  /** One more than the largest that is there: what was taken away leaves no gap behind the last. */
  #next(...runs: readonly EarlierRun[]): number {
    return Math.max(0, ...[...this.#runs, ...runs].map(({ id }) => id + 1));
  }
}

/** Equal texts and recipes give equal curves. */
function isSame(a: RunKind, b: RunKind): boolean {
  return a.textKey === b.textKey && sameRecipe(a.recipe, b.recipe);
}

/**
 * Whether two runs went the same way as far as both went: a setting may have been changed at other
 * steps of them.
 */
function agree({ history: a }: RunData, { history: b }: RunData): boolean {
  const last = Math.min(a.length, b.length);
  const [one, other] = [a.at(last), b.at(last)];
  // Of long runs only some losses are kept, and a file may lack some.
  if (one === undefined || other === undefined || one.step !== other.step) return true;
  return one.loss === other.loss || Number.isNaN(one.loss) || Number.isNaN(other.loss);
}
