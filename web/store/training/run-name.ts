/** Names runs by their differences, in the words of the settings form. */
import { rangesText } from '../../engine/left-out.ts';
import { LEFT_OUT, differingOptions, findOption, valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import { setting } from '../../i18n/numbers.ts';
import type { Words } from '../../i18n/index.ts';
import { isIdle } from '../../base/idle-option.ts';
import type { KeptText } from '../text/text-source.ts';

/** Maximum number of values in a name; further ones are counted, in file names hashed. */
const MOST = 3;

/** Origin of a text, from which its title is made. */
export type TextOrigin = Pick<KeptText, 'source' | 'fileName'>;

/** A run to compare with others. */
export interface OneRun {
  readonly recipe: Recipe;
  readonly text: TextOrigin;
  /** Hash of the text (see text-key.ts); empty if unknown. */
  readonly textKey: string;
}

/** A run to name without comparison. */
export interface SoleRun {
  /** Name given by the reader; empty for none. */
  readonly name: string;
  readonly recipe: Recipe;
  readonly text: TextOrigin;
}

/** Maximum characters of a name in a file name. */
const IN_FILE = 32;

/** Reduces a text to ASCII letters, digits and points, which every file system accepts. */
function plain(text: string): string {
  const kept = text.replaceAll(/[^A-Za-z0-9.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  return kept.slice(0, IN_FILE);
}

/** A short hash of a text. */
function mark(text: string): string {
  const sum = Array.from(text).reduce(
    (hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193),
    0x811c9dc5,
  );
  return (sum >>> 16).toString(16).padStart(4, '0');
}

/** A run to name in file names, with the key of its text. */
export type FiledRun = SoleRun & Pick<OneRun, 'textKey'>;

/** Number of digits of a text key in a file name. */
const KEY_IN_FILE = 6;

/**
 * File name of a run without extension, the same in all languages and different for each run. The
 * reader's name is reduced to ASCII, with a hash if that changes it.
 */
export function runFile({ name, ...run }: FiledRun, table: OptionTable): string {
  if (name !== '') return plain(name) === name ? name : joined(plain(name), mark(name));
  const { recipe, text, textKey } = run;
  const own = joined(
    plain(text.fileName.replace(/\.[^.]*$/, '')) || 'own',
    textKey.slice(0, KEY_IN_FILE),
  );
  const changes = differingOptions(table, { preset: recipe.preset, changes: {} }, recipe).map(
    (option) => {
      if (option === LEFT_OUT) return `without${mark(rangesText(recipe.leftOut ?? []))}`;
      const value = valueOf(table, recipe, option);
      return `${option}${findOption(table, option)?.choices[value] ?? String(value)}`;
    },
  );
  const rest = changes.slice(MOST).join();
  return joined(
    text.source === 'own' ? own : text.source,
    recipe.preset,
    ...changes.slice(0, MOST).map(plain),
    rest === '' ? '' : mark(rest),
  );
}

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('-');

/** Title of a text: of a sample text, a file, or the reader's own. */
export function textTitle({ source, fileName }: TextOrigin, words: Words): string {
  if (source !== 'own') return words.t(`text.${source}`);
  return fileName === '' ? words.t('runs.own') : fileName;
}

/** The reader's name of the run; else its text with the changes to its preset. */
export function runTitle(run: SoleRun, table: OptionTable | null, words: Words): string {
  return run.name === '' ? unnamedTitle(run, table, words) : run.name;
}

/** The default name of a run, even if the reader named it. */
export function unnamedTitle(run: SoleRun, table: OptionTable | null, words: Words): string {
  return withDifferences(textTitle(run.text, words), changesOf(run, table, words), words);
}

/** Changes to the preset of a run; lists at most `most` values. */
function changesOf(
  { recipe }: SoleRun,
  table: OptionTable | null,
  words: Words,
  most = MOST,
): string {
  return table === null ? '' : changedText(recipe, table, words, most);
}

/** Changes to the preset of a recipe, with values; lists at most `most`. */
export function changedText(recipe: Recipe, table: OptionTable, words: Words, most = MOST): string {
  const run = { recipe, text: { source: 'own', fileName: '' }, textKey: '' } as const;
  const preset = { ...run, recipe: { preset: recipe.preset, changes: {} } };
  return differences(run, [preset], table, words, most);
}

/** A text title followed by differences, if any. */
export function withDifferences(text: string, differs: string, words: Words): string {
  return differs === '' ? text : words.t('runs.with', { text, differs });
}

/** A run at the start of a sentence or as a heading; lists at most `most` changed values. */
export function runPhrase(
  run: SoleRun,
  table: OptionTable | null,
  words: Words,
  most = MOST,
): string {
  if (run.name !== '') return words.t('runs.the', { name: run.name });
  const phrase = words.t('runs.a', { text: textTitle(run.text, words) });
  return withDifferences(phrase, changesOf(run, table, words, most), words);
}

/**
 * Differences of `run` from `others`: text, preset, and its value of each differing option, the
 * most distinctive first. Empty if equal. Lists at most `most` values, and counts further ones if
 * there are several.
 */
export function differences(
  run: OneRun,
  others: readonly OneRun[],
  table: OptionTable,
  words: Words,
  most = MOST,
): string {
  const { t } = words;
  const { recipe } = run;
  const texts = others.filter(({ textKey }) => textKey !== run.textKey);
  const presets = others.filter((other) => other.recipe.preset !== recipe.preset);
  const parts: string[] = [];
  if (texts.length > 0) parts.push(textName(run, texts, words));
  if (presets.length > 0) parts.push(recipe.preset);
  // The preset alone distinguishes `run` from runs of other presets. Instead of their values, those
  // of the unchanged preset are compared.
  const same = others.filter((other) => !presets.includes(other)).map((other) => other.recipe);
  if (presets.length > 0) same.push({ preset: recipe.preset, changes: {} });
  const named = new Set(same.flatMap((other) => differingOptions(table, other, recipe)));
  const values = Object.fromEntries(
    table.options.map(({ name }) => [name, valueOf(table, recipe, name)]),
  );
  const names = table.options
    .filter((option) => named.has(option.name) && !isIdle(option, table.options, values))
    .map(({ name }) => name);
  if (named.has(LEFT_OUT)) names.push(LEFT_OUT);
  const kinds = (name: string): number =>
    new Set(same.map((other) => valueOf(table, other, name)).concat(values[name] ?? NaN)).size;
  names.sort((a, b) => kinds(b) - kinds(a));
  // Counting a single further value would take as much space as the value.
  const shown = names.length <= most + 1 ? names : names.slice(0, most);
  parts.push(...shown.map((name) => optionText(table, recipe, name, words)));
  const list = parts.join(t('list.separator'));
  const rest = names.length - shown.length;
  return rest === 0 ? list : t('runs.more', { list, count: rest });
}

/** Title of the text; a general word if the others have the same title. */
function textName({ text }: OneRun, others: readonly OneRun[], words: Words): string {
  const title = textTitle(text, words);
  const same = others.every((other) => textTitle(other.text, words) === title);
  return same ? words.t('earlier.text') : title;
}

/** An option with its value, in the reader's language. */
export function optionText(table: OptionTable, recipe: Recipe, name: string, words: Words): string {
  const option = words.find(`option.${name}`) ?? name;
  if (name === LEFT_OUT) {
    return words.t('runs.value', { option, value: setting(recipe.leftOut?.length ?? 0) });
  }
  const value = valueText(table, name, valueOf(table, recipe, name), words);
  return words.t('runs.value', { option, value });
}

/** A value of an option, in the reader's language. */
export function valueText(table: OptionTable, name: string, value: number, words: Words): string {
  const option = findOption(table, name);
  const choice = option?.choices[value];
  if (choice !== undefined) return words.find(`choice.${name}.${choice}`) ?? choice;
  if (option?.type === 'bool') return words.t(value === 0 ? 'twin.off' : 'twin.on');
  if (!Number.isFinite(value)) return '–';
  // Seeds are copied, so they have no digit groups.
  return name === 'seed' ? String(value) : setting(value);
}
