/**
 * The engine's table of options. Settings form, links and validation are all driven by it, so that
 * no range or default is written twice.
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
  /** Names of the choices, by value; empty for numbers. */
  readonly choices: readonly string[];
  /** Whether it may change during a run. */
  readonly live: boolean;
  /** Whether a form shows it without "more options". */
  readonly basic: boolean;
  /** How a form steps its value; empty for choices. */
  readonly ladder: Ladder | '';
  /** Glossary entry that explains it; empty if none. */
  readonly term: string;
  /** The choice of another option that it depends on; null if it always has an effect. */
  readonly needs: MaybeIdle['needs'];
  /** Its value in each preset, ordered like `OptionTable.presets`. */
  readonly presets: readonly number[];
}

/** All options, and the names of the presets. */
export interface OptionTable {
  readonly presets: readonly string[];
  readonly options: readonly Option[];
}

/** A preset and the changes to it: with the text, everything needed to repeat a run. */
export interface Recipe {
  readonly preset: string;
  readonly changes: Readonly<Record<string, number>>;
  /**
   * Bytes of the text that training skips, in any order; none by default. Documents (lines) that a
   * range touches are skipped, and windows of a stream are redrawn. Vocabulary, order and held-out
   * part stay those of the whole text.
   */
  readonly leftOut?: readonly ByteRange[];
}

/**
 * A recipe as callers write it. Only the preset is required, and with a model from a file not even
 * that: missing changes are then as in the file.
 */
export type WantedRecipe = Partial<Recipe>;

/** Fills in the defaults; throws without a preset. */
export function wholeRecipe(wanted: WantedRecipe | null | undefined): Recipe {
  if (wanted?.preset === undefined) {
    const message = 'give a recipe with a preset, such as { preset: "microgpt" }';
    throw failure('argument', message, [], 'recipe');
  }
  return { ...wanted, preset: wanted.preset, changes: wanted.changes ?? {} };
}

/** The same recipe with the value of every option in `changes`. */
export function fullRecipe(table: OptionTable, recipe: Recipe): Recipe {
  const values = table.options.map(({ name }) => [name, valueOf(table, recipe, name)] as const);
  return { ...recipe, changes: Object.fromEntries(values) };
}

/** Parses the engine's JSON; a missing field gets its neutral value. */
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

/** The value of `option` in `preset`. */
export function presetValue(table: OptionTable, preset: string, option: Option): number {
  return option.presets[table.presets.indexOf(preset)] ?? option.min;
}

/** The value of option `name`: the change, or else that of the preset; NaN if unknown. */
export function valueOf(table: OptionTable, recipe: Recipe, name: string): number {
  const change = recipe.changes[name];
  if (change !== undefined) return change;
  const option = findOption(table, name);
  return option === undefined ? NaN : presetValue(table, recipe.preset, option);
}

/** Name of the choice for option `name`; empty if it is no choice. */
export function choiceOf(table: OptionTable, recipe: Recipe, name: string): string {
  return findOption(table, name)?.choices[valueOf(table, recipe, name)] ?? '';
}

/** The recipe with one option changed; the preset's value removes the change. */
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

/**
 * Whether two recipes have the same preset, changes and skipped bytes. Other recipes can still give
 * the same run, such as one with a change to the preset's own value.
 */
export function sameRecipe(a: Recipe, b: Recipe): boolean {
  const names = new Set([...Object.keys(a.changes), ...Object.keys(b.changes)]);
  return (
    a.preset === b.preset &&
    [...names].every((name) => Object.is(a.changes[name], b.changes[name])) &&
    rangesText(a.leftOut ?? []) === rangesText(b.leftOut ?? [])
  );
}

/** The only option that is no number and has no row in the table: `leftOut` of a recipe. */
export const LEFT_OUT = 'left_out';

/** Names of the options whose values differ between two recipes. */
export function differingOptions(table: OptionTable, a: Recipe, b: Recipe): string[] {
  const isSame = rangesText(a.leftOut ?? []) === rangesText(b.leftOut ?? []);
  return table.options
    .map((option) => option.name)
    .filter((name) => valueOf(table, a, name) !== valueOf(table, b, name))
    .concat(isSame ? [] : [LEFT_OUT]);
}

/**
 * The error of `value` for `option`; null if allowed. Codes `range` and `whole` are those of the
 * engine, which refuses values that are not finite with `range`.
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

/** Whether `value` fits the other options: heads must divide channels. */
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

/** The errors of all values that are not allowed, and of heads that do not divide the channels. */
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

/** The error of the first value that is not allowed; null if all are. */
export function checkRecipe(table: OptionTable, recipe: Recipe): GlasshouseError | null {
  return wrongOptions(table, recipe)[0] ?? null;
}
