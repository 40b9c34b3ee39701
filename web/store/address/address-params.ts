/**
 * What an address can say, parameter by parameter: written by hand as often as by the page, so that
 * what is no parameter of ours is named instead of passed over.
 */
import { readRanges } from '../../engine/left-out.ts';
import { findOption, LEFT_OUT } from '../../engine/options.ts';
import type { OptionTable } from '../../engine/options.ts';
import { CONTROLS, LOCKS, PANELS, readStop } from './lesson.ts';
import { PACES, TABS } from './page-settings.ts';
import { findSample } from '../text/texts.ts';

/** Any value will do, or it is checked where it is used. */
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

/** Parameters, each with the values that it may have. */
export type AddressParams = Readonly<
  Record<string, (value: string, table: OptionTable) => boolean>
>;

/** The parameters of the page, beside those of the options. */
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
  lang: (value) => /^(en|zh)\b/i.test(value),
};

/** The parameters of lessons: frames and elements know them too. */
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

/** At most this many are named, each so long: a stranger's link may hold thousands. */
const MOST = 5;
const LONGEST = 40;

/** The unknown parameters of an address, and known ones with an unknown value. */
export function unknownParams(
  params: URLSearchParams,
  table: OptionTable,
  known: AddressParams,
): readonly string[] {
  const unknown: string[] = [];
  for (const [name, value] of params) {
    // What an option cannot be is said at its field and in the run bar, and bars the run.
    if (findOption(table, name) !== undefined) continue;
    if (Object.hasOwn(known, name) && known[name]?.(value, table) === true) continue;
    const said = Array.from(value === '' ? name : `${name}=${value}`);
    unknown.push(said.length > LONGEST ? `${said.slice(0, LONGEST).join('')}…` : said.join(''));
    if (unknown.length === MOST) break;
  }
  return unknown;
}
