/** What runs are called: by what sets each apart, in the words that the settings use. */
import { rangesText } from '../../engine/left-out.ts';
import { LEFT_OUT, differingOptions, findOption, valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import { setting } from '../../i18n/numbers.ts';
import type { Words } from '../../i18n/index.ts';
import { isIdle } from '../../base/idle-option.ts';
import type { KeptText } from '../text/text-source.ts';

/** Values that a name says; of more it says how many. */
const MOST = 3;

/** Where a text comes from: its title. */
export type TextOrigin = Pick<KeptText, 'source' | 'fileName'>;

/** A run among others. */
export interface OneRun {
  readonly recipe: Recipe;
  readonly text: TextOrigin;
  /** See text-key.ts; empty if the text is not known. */
  readonly textKey: string;
}

/** A run by itself. */
export interface SoleRun {
  /** That the reader gave it, or empty. */
  readonly name: string;
  readonly recipe: Recipe;
  readonly text: TextOrigin;
}

/** Letters of a name that go into the name of a file. */
const IN_FILE = 32;

/** Letters, digits and points of ASCII, which every file system takes. */
function plain(text: string): string {
  const kept = text.replaceAll(/[^A-Za-z0-9.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  return kept.slice(0, IN_FILE);
}

/** A short number for a text, the same for the same. */
function mark(text: string): string {
  const sum = Array.from(text).reduce(
    (hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193),
    0x811c9dc5,
  );
  return (sum >>> 16).toString(16).padStart(4, '0');
}

/** A run by itself, and which text of the reader's own it learns. */
export type FiledRun = SoleRun & Pick<OneRun, 'textKey'>;

/** Digits of a text's key in the name of a file. */
const KEY_IN_FILE = 6;

/**
 * A run in the names of its files: in no language, and another for another run. The reader's name
 * as far as it is ASCII, and a mark for what is not.
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

/** What a run learns: a sample text, a file, or the reader's own text. */
export function textTitle({ source, fileName }: TextOrigin, words: Words): string {
  if (source !== 'own') return words.t(`text.${source}`);
  return fileName === '' ? words.t('runs.own') : fileName;
}

/** The name of a run by itself: the reader's, or its text with what was changed in its preset. */
export function runTitle(run: SoleRun, table: OptionTable | null, words: Words): string {
  return run.name === '' ? unnamedTitle(run, table, words) : run.name;
}

/** The name that a run has by itself, also where the reader gave it another. */
export function unnamedTitle(run: SoleRun, table: OptionTable | null, words: Words): string {
  return withDifferences(textTitle(run.text, words), changesOf(run, table, words), words);
}

/** What was changed in the preset of a run; at most this many values are said. */
function changesOf(
  { recipe }: SoleRun,
  table: OptionTable | null,
  words: Words,
  most = MOST,
): string {
  return table === null ? '' : changedText(recipe, table, words, most);
}

/** What was changed in its preset, with the values; at most this many of them are said. */
export function changedText(recipe: Recipe, table: OptionTable, words: Words, most = MOST): string {
  const run = { recipe, text: { source: 'own', fileName: '' }, textKey: '' } as const;
  const preset = { ...run, recipe: { preset: recipe.preset, changes: {} } };
  return differences(run, [preset], table, words, most);
}

/** A text with what sets a run on it apart, if anything does. */
export function withDifferences(text: string, differs: string, words: Words): string {
  return differs === '' ? text : words.t('runs.with', { text, differs });
}

/**
 * A run at the beginning of a sentence, or as a heading; at most this many changed values are said.
 */
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
 * What sets `run` apart from `others`: text, preset, and its value of each option in which any of
 * them differs; first those that tell the most of them apart. Empty where nothing does. At most
 * this many values are said.
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
  // Other presets differ in much that their names say.
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
  // To say that there is one more takes as much room as that one.
  const shown = names.length <= most + 1 ? names : names.slice(0, most);
  parts.push(...shown.map((name) => optionText(table, recipe, name, words)));
  const list = parts.join(t('list.separator'));
  const rest = names.length - shown.length;
  return rest === 0 ? list : t('runs.more', { list, count: rest });
}

/** The name of the text, unless the others are called the same. */
function textName({ text }: OneRun, others: readonly OneRun[], words: Words): string {
  const title = textTitle(text, words);
  const same = others.every((other) => textTitle(other.text, words) === title);
  return same ? words.t('earlier.text') : title;
}

/** An option with its value, as a reader knows it. */
export function optionText(table: OptionTable, recipe: Recipe, name: string, words: Words): string {
  const option = words.find(`option.${name}`) ?? name;
  if (name === LEFT_OUT) {
    return words.t('runs.value', { option, value: setting(recipe.leftOut?.length ?? 0) });
  }
  const value = valueText(table, name, valueOf(table, recipe, name), words);
  return words.t('runs.value', { option, value });
}

/** A value of an option, as a reader knows it. */
export function valueText(table: OptionTable, name: string, value: number, words: Words): string {
  const option = findOption(table, name);
  const choice = option?.choices[value];
  if (choice !== undefined) return words.find(`choice.${name}.${choice}`) ?? choice;
  if (option?.type === 'bool') return words.t(value === 0 ? 'twin.off' : 'twin.on');
  if (!Number.isFinite(value)) return '–';
  // Seeds are copied, not read.
  return name === 'seed' ? String(value) : setting(value);
}
