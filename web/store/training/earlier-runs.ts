/** Earlier runs of this session, shown as lines beside the current one. */
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
   * Recipe of the run kept before this one, relative to which the name lists differences. For the
   * first run, recipe of the run after it; null until that begins.
   */
  readonly before: Recipe | null;
  /** Hidden because a run of another kind began, not by the reader. */
  readonly aside?: boolean;
  /** Whether the run began with the weights of an opened model; false by default. */
  readonly isOpened?: boolean;
}

/**
 * A run from before a reload, with the text key of the run that was shown then; null if unknown.
 */
export type BesideRun = EarlierRun & { readonly beside: string | null };

/** Facts that decide whether losses are comparable, which requires the same text and tokens. */
export type RunKind = Pick<OneRun, 'recipe' | 'textKey'>;

/** Whether two runs learn the same text in the same tokens. */
export function sameKind(a: RunKind, b: RunKind, table: OptionTable): boolean {
  return a.textKey === b.textKey && tokensOf(a, table) === tokensOf(b, table);
}

/** Identifies the tokenizer of a run; only BPE has a vocabulary size. */
function tokensOf({ recipe }: RunKind, table: OptionTable): string {
  const chosen = valueOf(table, recipe, 'tokenizer');
  const name = findOption(table, 'tokenizer')?.choices[chosen] ?? '';
  return name === 'bpe' ? `${name} ${String(valueOf(table, recipe, 'vocabulary'))}` : name;
}

/** Maximum number of lines that can be told apart; beyond it, the oldest is dropped. */
const MOST = 6;
/** Minimum number of steps that make a curve. */
const LEAST_STEPS = 3;

export class EarlierRuns {
  readonly #changed: () => void;
  #runs: readonly EarlierRun[] = [];
  /** Recipe of the run kept last, even if that run was removed since. */
  #recipe: Recipe | null = null;

  constructor(changed: () => void = () => undefined) {
    this.#changed = changed;
  }

  /** All earlier runs, oldest first. */
  get all(): readonly EarlierRun[] {
    return this.#runs;
  }

  /** Keeps a run that another one replaces. */
  layBeside(run: CurrentRun): void {
    const { data, tokensPerCharacter, model } = run;
    this.keep(data, { ...namedBy(run), tokensPerCharacter, isOpened: model !== null });
    if (data.step > 0) data.attentions.clear();
  }

  /** Keeps `run`. Of two runs with equal text and recipe, and so equal curves, keeps the longer. */
  keep(run: RunData, about: OneRun & Pick<EarlierRun, 'tokensPerCharacter' | 'isOpened'>): void {
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
   * Inserts runs from before a reload ahead of the present ones; each keeps its number unless that
   * is in use. A run stays visible only if `wanted`, the key of the present text, is the key of its
   * text or of the text it was shown beside.
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

  /** Names the first earlier run relative to a run with `recipe`, which has begun. */
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
   * Hides lines of other kinds than the new run's, and shows again lines of its kind that `begin`
   * hid.
   */
  begin(kind: RunKind, table: OptionTable): void {
    this.#runs = this.#runs.map((run) => {
      if (!sameKind(run, kind, table))
        return run.shown ? { ...run, shown: false, aside: true } : run;
      return run.aside === true ? { ...run, shown: true, aside: false } : run;
    });
  }

  /**
   * Updates the lines when run `now` has replaced `before`. `resumedAt`: step from which `now` was
   * resumed; null if it is new.
   */
  layAside(now: OneRun, before: OneRun | null, resumedAt: number | null, table: OptionTable): void {
    this.follow(now.recipe);
    if (resumedAt !== null) this.resume(now, resumedAt, table);
    // Between runs of the same kind, the reader's choice of lines stays.
    if (before === null || !sameKind(before, now, table)) this.begin(now, table);
  }

  /** Removes the line of a run that is resumed from `step`; hides the line if it is longer. */
  resume(about: RunKind, step: number, table: OptionTable): void {
    // Compares values, because a file does not name the preset.
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

  /** The next number after the largest in use. */
  #next(...runs: readonly EarlierRun[]): number {
    return Math.max(0, ...[...this.#runs, ...runs].map(({ id }) => id + 1));
  }
}

/** Whether two runs have equal texts and recipes, and so equal curves. */
function isSame(a: RunKind, b: RunKind): boolean {
  return a.textKey === b.textKey && sameRecipe(a.recipe, b.recipe);
}

/**
 * Whether two runs have equal losses at the last step of the shorter, and so equal curves up to it;
 * options may have been changed at different steps.
 */
function agree({ history: a }: RunData, { history: b }: RunData): boolean {
  const last = Math.min(a.length, b.length);
  const [one, other] = [a.at(last), b.at(last)];
  // A long run keeps only some losses, and a file may lack some.
  if (one === undefined || other === undefined || one.step !== other.step) return true;
  return one.loss === other.loss || Number.isNaN(one.loss) || Number.isNaN(other.loss);
}
