/**
 * The settings of the page in its address: text, preset, changed options, language, probe, prompt,
 * … They are in the fragment, which browsers never send to a server.
 */
import instruments from 'virtual:instruments';
import { isTab, namesOf } from '../../base/instrument.ts';
import type { Instrument } from '../../base/instrument.ts';
import type { Pace } from '../../engine/trainer.ts';
import { rangesText, readRanges } from '../../engine/left-out.ts';
import { findOption, LEFT_OUT, presetValue } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import { DEFAULT_SAMPLE } from '../../engine/sampling.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import type { Lang } from '../../i18n/index.ts';
import { findSample, SAMPLE_TEXTS } from '../text/texts.ts';
import type { SampleId, SampleText, SourceId } from '../text/texts.ts';

/** A parsed address; options are read later, because they need the option table. */
export interface Address {
  readonly params: URLSearchParams;
  readonly lang: string | null;
  readonly source: SourceId;
}

/** Selectable speeds in steps per second; 0 is full speed. */
export const PACES: readonly number[] = [0, 300, 100, 30, 10, 3, 1];

/** The tabs by their names in addresses. */
export const TABS = namesOf(instruments).view;

/** Longer texts to analyse are left out of the address. */
export const SCORED_LENGTH = 400;

const ASK_NUMBERS = ['temperature', 'topK', 'topP', 'maxTokens'] as const;

/** Parses a fragment such as `#text=tang&preset=microgpt&layers=3`. */
export function readAddress(hash: string): Address {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const text = params.get('text') ?? 'names';
  const source = text === 'own' ? 'own' : (findSample(text)?.id ?? 'names');
  return { params, lang: params.get('lang'), source };
}

/** The recipe of an address. Drops unknown names; keeps invalid values, to be reported. */
export function readRecipe(address: Address, table: OptionTable): Recipe {
  const asked = address.params.get('preset') ?? '';
  const suggested = findSample(address.source)?.preset ?? 'microgpt';
  const preset = table.presets.includes(asked) ? asked : suggested;
  const changes: Record<string, number> = {};
  for (const [name, text] of address.params) {
    const option = findOption(table, name);
    if (option === undefined) continue;
    const choice = option.choices.indexOf(text);
    const value = choice >= 0 ? choice : text === '' ? NaN : Number(text);
    if (value !== presetValue(table, preset, option)) changes[name] = value;
  }
  const leftOut = readRanges(address.params.get(LEFT_OUT) ?? '');
  // Byte ranges of an unknown text are meaningless.
  return leftOut === null || address.source === 'own'
    ? { preset, changes }
    : { preset, changes, leftOut };
}

/**
 * Whether an address names settings of the recipe; the seed does not count, since it does not
 * depend on the text.
 */
export function namesSettings({ params }: Address, table: OptionTable): boolean {
  return (
    params.has('preset') ||
    params.has(LEFT_OUT) ||
    table.options.some(({ name }) => name !== 'seed' && params.has(name))
  );
}

/** The prompt and the sampling parameters of an address. */
export function readAsk(address: Address): PromptRequest {
  const number = (name: string, standard: number): number => {
    const text = address.params.get(name);
    const value = text === null || text === '' ? NaN : Number(text);
    return Number.isFinite(value) ? value : standard;
  };
  return {
    prompt: address.params.get('prompt') ?? findSample(address.source)?.prompt ?? '',
    temperature: number('temperature', DEFAULT_SAMPLE.temperature),
    topK: number('topK', DEFAULT_SAMPLE.topK),
    topP: number('topP', DEFAULT_SAMPLE.topP),
    maxTokens: number('maxTokens', DEFAULT_SAMPLE.maxTokens),
    seed: number('askSeed', DEFAULT_SAMPLE.seed),
  };
}

/** Minimum duration of the first run in a browser, so that its progress can be watched. */
export const WATCHED: Pace = { seconds: 16 };

/** The text of a page whose address names none, by language; names in the other languages. */
const FIRST_TEXTS: Readonly<Partial<Record<Lang, SampleId>>> = { zh: 'tang' };

/**
 * The fragment with which the site's page begins, for a reader of `lang`, if its address sets at
 * most the language; null otherwise. It names text and settings, so that it can be shared.
 */
export function firstFragment({ params }: Address, lang: Lang): string | null {
  if (withoutLang(params).size > 0) return null;
  const sample = findSample(FIRST_TEXTS[lang] ?? 'names')!;
  const first = paramsOnPage(sample);
  const asked = params.get('lang');
  if (asked !== null) first.set('lang', asked);
  return `#${first.toString()}`;
}

/** Whether the address sets at most the language, or is a first fragment of the site's page. */
export function isPlain({ params }: Address): boolean {
  const rest = withoutLang(params).toString();
  return rest === '' || SAMPLE_TEXTS.some((sample) => paramsOnPage(sample).toString() === rest);
}

function withoutLang(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => name !== 'lang'));
}

function paramsOnPage({ id, onPage: { preset, changes } }: SampleText): URLSearchParams {
  const params = new URLSearchParams({ text: id, preset });
  for (const [name, value] of Object.entries(changes)) params.set(name, String(value));
  return params;
}

/** Steps per second; 0 for full speed. */
export function readPace(address: Address): number {
  const asked = address.params.get('pace') ?? '0';
  const pace = asked === 'full' ? 0 : Number(asked);
  return PACES.includes(pace) ? pace : 0;
}

/** The tab to open; empty for the first. */
export function readTab(address: Address): string {
  const view = address.params.get('view') ?? '';
  const isNamed = ({ id, aliases = [] }: Instrument): boolean => [id, ...aliases].includes(view);
  return instruments.find((one) => isTab(one) && isNamed(one))?.id ?? '';
}

/** Whether two fragments have the same language, text, preset and tab. */
export function samePlace(one: string, other: string, table: OptionTable): boolean {
  const [a, b] = [readAddress(one), readAddress(other)];
  const samePreset = readRecipe(a, table).preset === readRecipe(b, table).preset;
  const sameText = a.source === b.source && a.lang === b.lang;
  return sameText && samePreset && readTab(a) === readTab(b);
}

/** All settings in an address. */
export interface PageSettings {
  /** Language chosen by the reader; null if the browser decides. */
  readonly lang: string | null;
  readonly source: SourceId;
  readonly recipe: Recipe;
  /** The text of the attention panel; null for the default of the training text. */
  readonly probe: string | null;
  /** The text analysed token by token; null for the probe. */
  readonly scored: string | null;
  readonly ask: PromptRequest;
  /** Steps per second, 0 for full speed. */
  readonly pace: Pace;
  /** The open tab; empty for the first. */
  readonly tab: string;
}

/** Whether a value in a fragment is neither a choice nor a number. */
function isUnreadable(text: string, choices: readonly string[]): boolean {
  return !choices.includes(text) && (text === '' || Number.isNaN(Number(text)));
}

/**
 * Writes the fragment of these settings: text, preset, and what differs from the defaults.
 * `before`: the previous fragment, whose unreadable values stay until they are corrected.
 */
export function writeAddress(settings: PageSettings, table: OptionTable, before = ''): string {
  const { params: said } = readAddress(before);
  const { lang, source, recipe, probe, scored, ask, pace, tab } = settings;
  const params = new URLSearchParams();
  const sample = findSample(source);
  // Without them, the page would begin with a text and settings of its own.
  params.set('text', source);
  params.set('preset', recipe.preset);
  for (const [name, value] of Object.entries(recipe.changes)) {
    const choices = findOption(table, name)?.choices ?? [];
    const kept = said.get(name) ?? '';
    const none = isUnreadable(kept, choices) ? kept : '';
    params.set(name, Number.isNaN(value) ? none : (choices[value] ?? String(value)));
  }
  if (recipe.leftOut !== undefined && source !== 'own') {
    params.set(LEFT_OUT, rangesText(recipe.leftOut));
  }
  if (probe !== null) params.set('probe', probe);
  if (scored !== null && scored.length <= SCORED_LENGTH) params.set('scored', scored);
  if (ask.prompt !== (sample?.prompt ?? '')) params.set('prompt', ask.prompt);
  for (const name of ASK_NUMBERS) {
    if (ask[name] !== DEFAULT_SAMPLE[name]) params.set(name, String(ask[name]));
  }
  if (ask.seed !== DEFAULT_SAMPLE.seed) params.set('askSeed', String(ask.seed));
  if (typeof pace === 'number' && pace > 0) params.set('pace', String(pace));
  if (tab !== '') params.set('view', tab);
  if (lang !== null) params.set('lang', lang);
  return `#${params.toString()}`;
}
