/**
 * The table of options that the engine gives as JSON. It drives the settings form, the URL and the
 * validation here, so that no range or default is written twice.
 */
import type { MaybeIdle } from '../base/idle-option.ts';
import type { Ladder } from '../base/ladder.ts';
import { failure } from './errors.ts';
import type { GlasshouseError } from './errors.ts';
import { rangesText } from './left-out.ts';
import type { ByteRange } from './left-out.ts';

/** One option of the recipe. */
export interface Option {
  readonly name: string;
  readonly group: string;
  readonly type: 'int' | 'real' | 'bool' | 'choice';
  readonly min: number;
  readonly max: number;
  /** Names of the choices; their index is the value. Empty for numbers. */
  readonly choices: readonly string[];
  /** Whether it may change during a run. */
  readonly live: boolean;
  /** Whether a form shows it without being asked for more. */
  readonly basic: boolean;
  /** How a form goes to the next round value; empty for choices. */
  readonly ladder: Ladder | '';
  /** The entry of the glossary that explains it; empty if no entry does. */
  readonly term: string;
  /** The choice without which it means nothing; null if it always means something. */
  readonly needs: MaybeIdle['needs'];
  /** The value in each preset, in the order of `OptionTable.presets`. */
  readonly presets: readonly number[];
}

/** All options, and the names of the presets that give them values. */
export interface OptionTable {
  readonly presets: readonly string[];
  readonly options: readonly Option[];
}

/** A preset and what differs from it: everything needed to repeat a run of the same text. */
export interface Recipe {
  readonly preset: string;
  readonly changes: Readonly<Record<string, number>>;
  /**
   * Bytes of the text that training never reads, in any order; none unless said. Lines that a range
   * touches are skipped where they are documents, windows of a stream drawn anew. Vocabulary, order
   * and held-out part stay those of the whole text.
   */
  readonly leftOut?: readonly ByteRange[];
}

/**
 * A recipe as callers may write it: the preset alone will do. With a model from a file, what
 * `changes` does not say is as in the file, and no preset is needed.
 */
export type WantedRecipe = Partial<Recipe>;

/** The recipe that was meant. */
export function wholeRecipe(wanted: WantedRecipe | null | undefined): Recipe {
  if (wanted?.preset === undefined) {
    const message = 'give a recipe with a preset, such as { preset: "microgpt" }';
    throw failure('argument', message, [], 'recipe');
  }
  return { ...wanted, preset: wanted.preset, changes: wanted.changes ?? {} };
}

/** The same recipe with every value said. */
export function fullRecipe(table: OptionTable, recipe: Recipe): Recipe {
  const values = table.options.map(({ name }) => [name, valueOf(table, recipe, name)] as const);
  return { ...recipe, changes: Object.fromEntries(values) };
}

/** Reads the engine's JSON; fields that a row leaves out get their neutral value. */
export function parseOptionTable(json: string): OptionTable {
  const raw = JSON.parse(json) as {
    presets: string[];
    options: (Omit<Partial<Option>, 'needs'> & { name: string; needs?: string })[];
  };
  const options = raw.options.map((row): Option => {
    const choices = row.choices ?? [];
    const [option = '', choice = ''] = row.needs?.split('=') ?? [];
    return {
      name: row.name,
      group: row.group ?? 'model',
      type: row.type ?? 'real',
      min: row.min ?? 0,
      max: row.max ?? Math.max(1, choices.length - 1),
      choices,
      live: row.live ?? false,
      basic: row.basic ?? false,
      ladder: row.ladder ?? '',
      term: row.term ?? '',
      needs: row.needs === undefined ? null : { option, choice },
      presets: row.presets ?? [],
    };
  });
  return { presets: raw.presets, options };
}

/** The option called `name`, or undefined. */
export function findOption(table: OptionTable, name: string): Option | undefined {
  return table.options.find((option) => option.name === name);
}

/** What `preset` gives to `option`. */
export function presetValue(table: OptionTable, preset: string, option: Option): number {
  return option.presets[table.presets.indexOf(preset)] ?? option.min;
}

/** The value of option `name` in a recipe: the change, or else the preset's value. */
export function valueOf(table: OptionTable, recipe: Recipe, name: string): number {
  const change = recipe.changes[name];
  if (change !== undefined) return change;
  const option = findOption(table, name);
  return option === undefined ? NaN : presetValue(table, recipe.preset, option);
}

/** The name of what was chosen for option `name`; empty for options that are numbers. */
export function choiceOf(table: OptionTable, recipe: Recipe, name: string): string {
  return findOption(table, name)?.choices[valueOf(table, recipe, name)] ?? '';
}

/** The recipe with one option changed; a change back to the preset's value is no change. */
export function withChange(
  table: OptionTable,
  recipe: Recipe,
  name: string,
  value: number,
): Recipe {
  const changes = Object.fromEntries(
    Object.entries(recipe.changes).filter(([other]) => other !== name),
  );
  const option = findOption(table, name);
  const same = option !== undefined && presetValue(table, recipe.preset, option) === value;
  if (!same) changes[name] = value;
  return { ...recipe, changes };
}

/** Whether two recipes would make the same run. */
export function sameRecipe(a: Recipe, b: Recipe): boolean {
  const names = new Set([...Object.keys(a.changes), ...Object.keys(b.changes)]);
  return (
    a.preset === b.preset &&
    [...names].every((name) => Object.is(a.changes[name], b.changes[name])) &&
    rangesText(a.leftOut ?? []) === rangesText(b.leftOut ?? [])
  );
}

/** The one option that is no number, and so no row of the table: `leftOut` of a recipe. */
export const LEFT_OUT = 'left_out';

/** Names of options that differ between two recipes, by the value that each would have. */
export function differingOptions(table: OptionTable, a: Recipe, b: Recipe): string[] {
  const isSame = rangesText(a.leftOut ?? []) === rangesText(b.leftOut ?? []);
  return table.options
    .map((option) => option.name)
    .filter((name) => valueOf(table, a, name) !== valueOf(table, b, name))
    .concat(isSame ? [] : [LEFT_OUT]);
}

/**
 * Why `value` cannot be given to `option`, or null. The engine says the same with the same code.
 */
export function checkValue(option: Option, value: number): GlasshouseError | null {
  const whole = option.type !== 'real';
  if (!Number.isFinite(value)) {
    const message = `${option.name} must be a number from ${String(option.min)} to ${String(option.max)}`;
    return failure('number', message, [option.min, option.max], option.name);
  }
  if (value < option.min || value > option.max) {
    const message = `${option.name} is ${String(value)}, but must be from ${String(option.min)} to ${String(option.max)}`;
    return failure('range', message, [value, option.min, option.max], option.name);
  }
  if (whole && !Number.isInteger(value)) {
    const message = `${option.name} is ${String(value)}, but must be a whole number`;
    return failure('whole', message, [value], option.name);
  }
  return null;
}

/** Whether `name` may be `value` with the other options as they are: heads share the channels. */
export function fitsRecipe(
  table: OptionTable,
  recipe: Recipe,
  name: string,
  value: number,
): boolean {
  const other = withChange(table, recipe, name, value);
  const [channels, heads] = [valueOf(table, other, 'channels'), valueOf(table, other, 'heads')];
  return channels % heads === 0;
}

/**
 * What is wrong with each value of a recipe that its option does not allow, and with heads that do
 * not fit.
 */
export function wrongValues(table: OptionTable, recipe: Recipe): GlasshouseError[] {
  const wrong = wrongOptions(table, recipe);
  const shared = [valueOf(table, recipe, 'channels'), valueOf(table, recipe, 'heads')];
  const known = !wrong.some(({ subject }) => subject === 'channels' || subject === 'heads');
  if (known && !fitsRecipe(table, recipe, 'heads', shared[1]!)) {
    wrong.push(failure('heads', 'heads must divide channels', shared));
  }
  return wrong;
}

function wrongOptions(table: OptionTable, recipe: Recipe): GlasshouseError[] {
  return table.options
    .map((option) => checkValue(option, valueOf(table, recipe, option.name)))
    .filter((error) => error !== null);
}

/** The first value of a recipe that its option does not allow, or null. */
export function checkRecipe(table: OptionTable, recipe: Recipe): GlasshouseError | null {
  return wrongOptions(table, recipe)[0] ?? null;
}
