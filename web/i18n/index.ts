/**
 * Texts in the reader's language, and numbers and dates in its form; every visible string comes
 * from here. A catalogue has two parts: texts of the first screen, and texts of panels that load
 * later.
 */
import WORDS from 'virtual:words/loaders';
import type { FirstWords, KeysOf, LaterWords } from './areas.ts';
import { languageOf } from './lang.ts';
import type { Lang } from './lang.ts';
import { number, percent, short } from './numbers.ts';

export { chooseLang, docsLang, languageOf, LANGS } from './lang.ts';
export type { DocsLang, Lang } from './lang.ts';
/** A key of the first screen. */
export type Key = KeysOf<FirstWords>;
/** A key of either part. */
export type AnyKey = Key | KeysOf<LaterWords>;
/** The first part of a catalogue. */
export type Catalogue = Readonly<Record<Key, string>>;
/** A whole catalogue. */
export type WholeCatalogue = Readonly<Record<AnyKey, string>>;
/** Part of a catalogue in another language: the same keys; a missing key is a type error. */
export type Translation<Area> = Readonly<Record<keyof Area, string>>;
/** A translation into a language whose missing texts are shown in English. */
export type PartialTranslation<Area> = Partial<Translation<Area>>;

/** Loaded catalogues: `catalogues` has at least the first part, `wholes` both parts. */
const catalogues = new Map<Lang, Catalogue>();
const wholes = new Map<Lang, WholeCatalogue>();

/** A placeholder for a value (`{name}`), or for a word form that agrees with a number. */
const PLACE = /\{(\w+)(?:\|([^{}]*))?\}/g;

/** A placeholder for another catalogue text, such as the name of a button: `{=run.start}`. */
const NAME = /\{=([\w.-]+)\}/g;

/** Marks both ends of an inserted value until the spaces there are set. */
const SEAM = '\uE000';
const HAN = String.raw`\p{Script=Han}`;
const OTHER = String.raw`(?!${HAN})[\p{L}\p{N}%]`;
const HAN_BESIDE_HAN = new RegExp(`(?<=${HAN})(?:${SEAM} | ${SEAM})(?=${HAN})`, 'gu');
const HAN_BESIDE_OTHER = new RegExp(
  `(?<=${HAN})${SEAM}(?=${OTHER})|(?<=${OTHER})${SEAM}(?=${HAN})`,
  'gu',
);

/**
 * Sets the spaces around inserted values: one between Chinese and other letters or digits, none
 * between Chinese and Chinese.
 */
function spaced(text: string): string {
  return text.replace(HAN_BESIDE_HAN, '').replace(HAN_BESIDE_OTHER, ' ').replaceAll(SEAM, '');
}

/** Values of the placeholders. Counts must be numbers, so that word forms can agree with them. */
export type Values = Readonly<Record<string, string | number>>;

/** Texts and number formats of one language; by default only the texts of the first screen. */
export interface Words<Known extends string = Key> {
  readonly lang: Lang;
  /**
   * The text of `key`, with `{name}` replaced by its value and `{name|token|tokens}` by the form
   * that agrees with the number `name`, by the rule of the language (`Language.form`).
   */
  readonly t: (key: Known, values?: Values) => string;
  /** The text of a key known only at run time; null if the catalogue lacks it. */
  readonly find: (key: string, values?: Values) => string | null;
  /** Grouped digits with exactly `digits` decimals (0 by default). */
  readonly number: (value: number, digits?: number) => string;
  /**
   * At most three significant digits, with a power of ten if very large or very small; for speeds
   * and rates.
   */
  readonly short: (value: number) => string;
  readonly percent: (share: number) => string;
  readonly bytes: (count: number) => string;
  /** Hours, minutes and seconds; days if there are many hours. */
  readonly duration: (seconds: number) => string;
  /** Date and time of `time`, in milliseconds since 1970, in the reader's time zone. */
  readonly moment: (time: number) => string;
}

/** Texts of both parts. */
export type AllWords = Words<AnyKey>;

/** Joins sentences, with a space between them in languages that use one. */
export function sentences(parts: readonly string[], { lang }: Pick<Words, 'lang'>): string {
  return parts.filter((part) => part !== '').join(gap({ lang }));
}

/** The space between two sentences or after a colon; empty in Chinese, whose marks include it. */
export function gap({ lang }: Pick<Words, 'lang'>): string {
  return languageOf(lang).gap;
}

/** The sentence with a capital first letter; it may begin with a name in lower case. */
export function capitalised(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

/** Makes spaces before digits non-breaking, so that a word stays with its number. */
export function withNumbers(text: string): string {
  return text.replace(/ (?=\d)/g, '\u00a0');
}

/**
 * Returns `own` with English as the prototype if the language may lack texts: `in` finds the
 * English texts, and `Object.hasOwn` tells them apart.
 */
function onEnglish<Texts extends Catalogue>(
  lang: Lang,
  own: Texts,
  english: ReadonlyMap<Lang, Texts>,
): Texts {
  if (!languageOf(lang).isPartial) return own;
  return Object.assign(Object.create(english.get('en') ?? null) as object, own);
}

/**
 * Adds a whole catalogue. English must be added first, because partial languages fall back to it.
 */
export function addCatalogue(lang: Lang, own: WholeCatalogue): void {
  const whole = onEnglish(lang, own, wholes);
  catalogues.set(lang, whole);
  wholes.set(lang, whole);
}

/** Loads the first part of a catalogue, unless loaded. Rejects if that fails. */
export async function loadCatalogue(lang: Lang): Promise<void> {
  if (catalogues.has(lang)) return;
  const [own] = await Promise.all([
    WORDS[lang].first(),
    languageOf(lang).isPartial ? loadCatalogue('en') : null,
  ]);
  catalogues.set(lang, onEnglish(lang, own, catalogues));
}

/** Texts of the first screen; throws if their catalogue is not loaded. */
export function wordsOf(lang: Lang): Words {
  const catalogue = catalogues.get(lang);
  if (catalogue === undefined) throw new Error(`the catalogue of ${lang} is not here yet`);
  return makeWords(lang, catalogue);
}

/** Whether the whole catalogue is loaded. */
export function hasAllWords(lang: Lang): boolean {
  return wholes.has(lang);
}

/** All texts of `lang`, loaded on demand. Rejects if loading fails. */
export async function loadAllWords(lang: Lang): Promise<AllWords> {
  if (!wholes.has(lang)) {
    const [first, later] = await Promise.all([
      catalogues.get(lang) ?? WORDS[lang].first(),
      WORDS[lang].later(),
      languageOf(lang).isPartial ? loadAllWords('en') : null,
    ]);
    addCatalogue(lang, { ...first, ...later });
  }
  return makeWords(lang, wholes.get(lang)!);
}

/** Hours from which a duration is given in days. */
const MANY_HOURS = 48;

function makeWords<Known extends string>(
  lang: Lang,
  catalogue: Readonly<Record<Known, string>>,
): Words<Known> {
  const { dir, marks } = languageOf(lang);
  /** Isolates English and numbers in languages that are written right to left. */
  const leftToRight = (text: string): string => (dir === 'rtl' ? `\u2066${text}\u2069` : text);
  const marked = (text: string): string =>
    leftToRight(text.replace(/[,.]/g, (mark) => marks[',.'.indexOf(mark)]!));
  const figures = dir === 'rtl' || marks !== ',.' ? marked : (text: string): string => text;
  const named = (text: string): string =>
    text.replace(NAME, (_, key: string) => catalogue[key as Known]);
  const fill = (key: Known, values: Values): string => {
    // An English text in place of a missing one follows the English rules.
    const isOwn = Object.hasOwn(catalogue, key);
    const { form, gap: space } = languageOf(isOwn ? lang : 'en');
    const seam = space === '' ? SEAM : '';
    const filled = named(catalogue[key]).replace(PLACE, (whole, name: string, forms?: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      if (forms !== undefined) return forms.split('|')[form(Number(value))] ?? '';
      return `${seam}${typeof value === 'number' ? plain(value) : value}${seam}`;
    });
    if (!isOwn) return leftToRight(filled);
    return seam === '' ? filled : spaced(filled);
  };
  const plain = (value: number): string =>
    Number.isInteger(value) ? figures(number(value)) : figures(short(value));
  const find: AllWords['find'] = (key, values = {}) =>
    key in catalogue ? fill(key as Known, values) : null;
  return {
    lang,
    t: (key, values = {}) => fill(key, values),
    find,
    number: (value, digits) => figures(number(value, digits)),
    short: (value) => figures(short(value)),
    percent: (share) => figures(percent(share)),
    bytes: (count) => {
      const units = ['B', 'KB', 'MB', 'GB', 'TB'];
      let value = count;
      let unit = 0;
      while (value >= 1000 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
      }
      return figures(`${number(value, unit > 0 && value < 10 ? 1 : 0)} ${units[unit] ?? ''}`);
    },
    moment: (time) =>
      new Date(time).toLocaleString(languageOf(lang).tag, {
        dateStyle: 'medium',
        timeStyle: 'short',
      }),
    duration: (seconds) => {
      if (!Number.isFinite(seconds)) return '–';
      const whole = Math.ceil(seconds);
      const hours = Math.floor(whole / 3600);
      if (hours >= MANY_HOURS) return fill('app.days' as Known, { days: Math.round(hours / 24) });
      const minutes = Math.floor((whole % 3600) / 60);
      const rest = String(whole % 60).padStart(2, '0');
      if (hours === 0) return `${String(minutes)}:${rest}`;
      return `${String(hours)}:${String(minutes).padStart(2, '0')}:${rest}`;
    },
  };
}
