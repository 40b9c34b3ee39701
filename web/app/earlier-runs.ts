/** The runs of this sitting that others have taken the place of: kept as lines beside the shown one. */
import { differingOptions, findOption, sameRecipe, valueOf } from '../engine/options.ts';
import type { OptionTable, Recipe } from '../engine/options.ts';
import type { Words } from '../i18n/index.ts';
import type { TokensPerCharacter } from '../views/loss-data.ts';
import type { RunData } from './run-data.ts';

export interface EarlierRun {
  readonly id: number;
  readonly run: RunData;
  readonly recipe: Recipe;
  /** Counts texts: runs of the same text have the same number. */
  readonly text: number;
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
  keep(run: RunData, about: Pick<EarlierRun, 'recipe' | 'text' | 'tokensPerCharacter'>): void {
    if (run.history.length < LEAST_STEPS) return;
    const same = this.#runs.find(
      (other) => other.text === about.text && sameRecipe(other.recipe, about.recipe),
    );
    if (same !== undefined && same.run.history.length >= run.history.length) return;
    const rest = this.#runs.filter((other) => other !== same);
    const entry = { id: same?.id ?? this.#last++, run, ...about, shown: same?.shown ?? true };
    this.#runs = [...rest, entry].slice(-MOST);
  }

  show(id: number, shown: boolean): void {
    this.#runs = this.#runs.map((run) => (run.id === id ? { ...run, shown } : run));
  }

  remove(id: number): void {
    this.#runs = this.#runs.filter((run) => run.id !== id);
  }
}

/** What tells an earlier run from the shown one: the values in which it differs. */
export function runName(
  { id, recipe, text }: Pick<EarlierRun, 'id' | 'recipe' | 'text'>,
  than: { readonly recipe: Recipe; readonly text: number },
  table: OptionTable,
  words: Words,
): string {
  const { t } = words;
  const parts = recipe.preset === than.recipe.preset ? [] : [recipe.preset];
  const names = parts.length > 0 ? [] : differingOptions(table, than.recipe, recipe);
  parts.push(...names.slice(0, 3).map((name) => optionText(table, recipe, name, words)));
  if (names.length > 3) parts.push('…');
  if (text !== than.text) parts.push(t('earlier.text'));
  if (parts.length === 0) parts.push(t('earlier.same'));
  return t('earlier.name', { number: id + 1, differs: parts.join(t('list.separator')) });
}

/** An option with its value, as a reader knows it. */
export function optionText(table: OptionTable, recipe: Recipe, name: string, words: Words): string {
  const option = findOption(table, name);
  const value = valueOf(table, recipe, name);
  const label = words.find(`option.${name}`) ?? name;
  const choice = option?.choices[value];
  if (choice !== undefined) return `${label} ${words.find(`choice.${name}.${choice}`) ?? choice}`;
  if (option?.type === 'bool') return `${label} ${words.t(value === 0 ? 'twin.off' : 'twin.on')}`;
  return `${label} ${String(value)}`;
}
