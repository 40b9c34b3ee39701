/**
 * The reader's language: texts from the catalogues, numbers in the reader's form. Every string that
 * a person can see comes from here. A catalogue comes in two parts: what the first screen says, and
 * what panels say whose code comes later, which only they can ask for.
 */
import type { KeysOf, LaterWords } from './areas.ts';
import type { en } from './en.ts';
import type { Lang } from './lang.ts';
import { number, percent, short } from './numbers.ts';

export { chooseLang, LANG_TAGS, LANGS } from './lang.ts';
export type { Lang } from './lang.ts';
/** What the first screen can say. */
export type Key = keyof typeof en;
/** What a panel can say that comes later. */
export type AnyKey = Key | KeysOf<LaterWords>;
/** A catalogue has all keys and no other: leaving one out is a type error. */
export type Catalogue = Translation<typeof en>;
/** Both parts of a catalogue. */
export type WholeCatalogue = Readonly<Record<AnyKey, string>>;
/** An area of a catalogue in another language: the same keys. */
export type Translation<Area> = Readonly<Record<keyof Area, string>>;

/** Those that are here, by their first part or whole; the others come when a reader wants them. */
const catalogues = new Map<Lang, Catalogue>();
const wholes = new Map<Lang, WholeCatalogue>();
const LOADERS: Readonly<Record<Lang, () => Promise<Catalogue>>> = {
  en: async () => (await import('./en.ts')).en,
  zh: async () => (await import('./zh.ts')).zh,
};
const LATER: Readonly<Record<Lang, () => Promise<Readonly<Record<KeysOf<LaterWords>, string>>>>> = {
  en: async () => (await import('virtual:words/en-later')).default,
  zh: async () => (await import('virtual:words/zh-later')).default,
};
const LOCALES: Readonly<Record<Lang, string>> = { en: 'en', zh: 'zh-Hans-CN' };

/** A place of a text: for a value, or for the one of two forms that goes with it. */
const PLACE = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

/** A name that is written elsewhere in the catalogue, such as that of a button: `{=run.start}`. */
const NAME = /\{=([\w.-]+)\}/g;

/** Marks where a value begins and ends, until the spaces there are right. */
const SEAM = '\uE000';
const HAN = String.raw`\p{Script=Han}`;
const OTHER = String.raw`(?!${HAN})[\p{L}\p{N}%]`;
const HAN_BESIDE_HAN = new RegExp(`(?<=${HAN})(?:${SEAM} | ${SEAM})(?=${HAN})`, 'gu');
const HAN_BESIDE_OTHER = new RegExp(
  `(?<=${HAN})${SEAM}(?=${OTHER})|(?<=${OTHER})${SEAM}(?=${HAN})`,
  'gu',
);

/**
 * A space between Chinese and other letters or digits, none between Chinese and Chinese: which of
 * them a value ends with, its text does not know.
 */
function spaced(text: string): string {
  return text.replace(HAN_BESIDE_HAN, '').replace(HAN_BESIDE_OTHER, ' ').replaceAll(SEAM, '');
}

/**
 * What goes into the places of a text. Counts are given as numbers, so that words can go with them.
 */
export type Values = Readonly<Record<string, string | number>>;

/** Texts and number forms of one language; without more said, the texts of the first screen. */
export interface Words<Known extends string = Key> {
  readonly lang: Lang;
  /**
   * The text of `key` with `{name}` replaced by the values, and `{name|token|tokens}` by the form
   * that goes with the number in `name`: the first for one, the second for any other.
   */
  readonly t: (key: Known, values?: Values) => string;
  /** The text of a key known only at run time, or null. */
  readonly find: (key: string, values?: Values) => string | null;
  /** Grouped digits, with exactly `digits` decimals (none by default). */
  readonly number: (value: number, digits?: number) => string;
  /**
   * At most three significant digits, very large ones by their power of ten: for speeds and rates.
   */
  readonly short: (value: number) => string;
  readonly percent: (share: number) => string;
  readonly bytes: (count: number) => string;
  /** Hours, minutes and seconds, or days where these are many. */
  readonly duration: (seconds: number) => string;
  /** Day and time of a moment in milliseconds since 1970, on the reader's clock. */
  readonly moment: (time: number) => string;
}

/** The words of panels that come later, which know those of the first screen too. */
export type AllWords = Words<AnyKey>;

/** Sentences one after the other: with a space between them where the language has one. */
export function sentences(parts: readonly string[], { lang }: Pick<Words, 'lang'>): string {
  return parts.filter((part) => part !== '').join(gap({ lang }));
}

/**
 * What stands between two sentences, and after a colon: full-width marks bring their room along.
 */
export function gap({ lang }: Pick<Words, 'lang'>): string {
  return lang === 'zh' ? '' : ' ';
}

/** A sentence that begins with a name, as it stands at its beginning: with a capital. */
export function capitalised(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

/** Words of which none stands at the beginning of a line with its number left behind. */
export function withNumbers(text: string): string {
  return text.replace(/ (?=\d)/g, '\u00a0');
}

/** Brings the catalogue of `lang` along, for forms that carry all they need in themselves. */
export function addCatalogue(lang: Lang, catalogue: WholeCatalogue): void {
  catalogues.set(lang, catalogue);
  wholes.set(lang, catalogue);
}

/**
 * Fetches what the first screen says in `lang` unless it is here. Rejects where it cannot be had.
 */
export async function loadCatalogue(lang: Lang): Promise<void> {
  if (!catalogues.has(lang)) catalogues.set(lang, await LOADERS[lang]());
}

/** The words of the first screen in `lang`, whose catalogue must be here. */
export function wordsOf(lang: Lang): Words {
  const catalogue = catalogues.get(lang);
  if (catalogue === undefined) throw new Error(`the catalogue of ${lang} is not here yet`);
  return makeWords(lang, catalogue);
}

/** Whether all words of `lang` are here. */
export function hasAllWords(lang: Lang): boolean {
  return wholes.has(lang);
}

/** All words of `lang`, fetched unless they are here. Rejects where they cannot be had. */
export async function loadAllWords(lang: Lang): Promise<AllWords> {
  let whole = wholes.get(lang);
  if (whole === undefined) {
    const [first, later] = await Promise.all([
      catalogues.get(lang) ?? LOADERS[lang](),
      LATER[lang](),
    ]);
    whole = { ...first, ...later };
    addCatalogue(lang, whole);
  }
  return makeWords(lang, whole);
}

/** From this many hours on, days say more. */
const MANY_HOURS = 48;

function makeWords<Known extends string>(
  lang: Lang,
  catalogue: Readonly<Record<Known, string>>,
): Words<Known> {
  const named = (text: string): string =>
    text.replace(NAME, (_, key: string) => catalogue[key as Known]);
  const seam = lang === 'zh' ? SEAM : '';
  const fill = (text: string, values: Values): string => {
    const filled = named(text).replace(
      PLACE,
      (whole, name: string, one?: string, other?: string) => {
        const value = values[name];
        if (value === undefined) return whole;
        if (one !== undefined) return Number(value) === 1 ? one : (other ?? '');
        return `${seam}${typeof value === 'number' ? plain(value) : value}${seam}`;
      },
    );
    return seam === '' ? filled : spaced(filled);
  };
  const plain = (value: number): string => (Number.isInteger(value) ? number(value) : short(value));
  const find: AllWords['find'] = (key, values = {}) => {
    const text = (catalogue as Readonly<Record<string, string | undefined>>)[key];
    return text === undefined ? null : fill(text, values);
  };
  return {
    lang,
    t: (key, values = {}) => fill(catalogue[key], values),
    find,
    number,
    short,
    percent,
    bytes: (count) => {
      const units = ['B', 'KB', 'MB', 'GB', 'TB'];
      let value = count;
      let unit = 0;
      while (value >= 1000 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
      }
      return `${number(value, unit > 0 && value < 10 ? 1 : 0)} ${units[unit] ?? ''}`;
    },
    moment: (time) =>
      new Date(time).toLocaleString(LOCALES[lang], { dateStyle: 'medium', timeStyle: 'short' }),
    duration: (seconds) => {
      if (!Number.isFinite(seconds)) return '–';
      const whole = Math.ceil(seconds);
      const hours = Math.floor(whole / 3600);
      if (hours >= MANY_HOURS)
        return fill(catalogue['app.days' as Known], { days: Math.round(hours / 24) });
      const minutes = Math.floor((whole % 3600) / 60);
      const rest = String(whole % 60).padStart(2, '0');
      if (hours === 0) return `${String(minutes)}:${rest}`;
      return `${String(hours)}:${String(minutes).padStart(2, '0')}:${rest}`;
    },
  };
}
