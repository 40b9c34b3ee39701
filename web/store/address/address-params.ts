/**
 * The parameters of a link and their valid values. Links are often written by hand, so unknown
 * parameters are reported, not ignored.
 */
import { readRanges } from '../../engine/left-out.ts';
import { findOption, LEFT_OUT } from '../../engine/options.ts';
import type { OptionTable } from '../../engine/options.ts';
import { findLang } from '../../i18n/lang.ts';
import { CONTROLS, LOCKS, PANELS, readStop } from './lesson.ts';
import { PACES, TABS } from './page-settings.ts';
import { findSample } from '../text/texts.ts';

/** Accepts any value; the code that uses the parameter may check it. */
const anything = (): boolean => true;
const number = (value: string): boolean => value !== '' && Number.isFinite(Number(value));
const oneOf =
  (names: readonly string[]) =>
  (value: string): boolean =>
    names.includes(value);
const someOf =
  (names: readonly string[]) =>
  (value: string): boolean =>
    value.split(/[\s,]+/).every((name) => name === '' || names.includes(name));

/** Parameters, each with the check of its values. */
export type AddressParams = Readonly<
  Record<string, (value: string, table: OptionTable) => boolean>
>;

/** Parameters of the site's page, in addition to the options. */
export const PAGE_PARAMS: AddressParams = {
  text: (value) => value === 'own' || findSample(value) !== undefined,
  preset: (value, { presets }) => presets.includes(value),
  [LEFT_OUT]: (value) => readRanges(value) !== null,
  fit: anything,
  probe: anything,
  scored: anything,
  prompt: anything,
  temperature: number,
  topK: number,
  topP: number,
  maxTokens: number,
  askSeed: number,
  pace: oneOf(['full', ...PACES.map(String)]),
  view: oneOf(TABS),
  stop: (value) => readStop(value) !== null,
  card: anything,
  lang: (value) => findLang(value) !== undefined,
};

/** Parameters of lessons, in frames and elements. */
export const ADDRESS_PARAMS: AddressParams = {
  ...PAGE_PARAMS,
  theme: oneOf(['auto', 'light', 'dark']),
  show: someOf(PANELS),
  lock: someOf(LOCKS),
  hide: someOf(CONTROLS),
  task: anything,
  name: anything,
  autostart: anything,
  host: anything,
};

/**
 * Maximum number of reported parameters, and characters of each: an untrusted link may have
 * thousands.
 */
const MOST = 5;
const LONGEST = 40;

/** Unknown parameters of a link, and known ones with an invalid value. */
export function unknownParams(
  params: URLSearchParams,
  table: OptionTable,
  known: AddressParams,
): readonly string[] {
  const unknown: string[] = [];
  for (const [name, value] of params) {
    // An invalid value of an option is reported at its field and prevents the run.
    if (findOption(table, name) !== undefined) continue;
    if (Object.hasOwn(known, name) && known[name]?.(value, table) === true) continue;
    const said = Array.from(value === '' ? name : `${name}=${value}`);
    unknown.push(said.length > LONGEST ? `${said.slice(0, LONGEST).join('')}…` : said.join(''));
    if (unknown.length === MOST) break;
  }
  return unknown;
}
