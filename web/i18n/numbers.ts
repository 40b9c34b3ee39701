/**
 * Numbers as they are read. English and Chinese write them alike: digits in groups of three, a
 * point. Not by `Intl`, whose first use takes Chromium 20 ms, in which the first visit could be
 * ready to train.
 */

/** What stands in the place of a number that is none, or is not known. */
const NONE = '–';

/** From here on, nobody counts digits any more. */
const LARGE = 1e9;

const RAISED = '⁻⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Where a group of three whole digits begins, behind another digit. */
const GROUP = /\B(?=(?:\d{3})+(?!\d))/g;

/**
 * A number of a program as it is read: with a real minus sign, since beside figures a hyphen is too
 * short, and with a power of ten in place of an exponent (1e-7).
 */
export function readable(text: string): string {
  const [digits = '', power = ''] = text.split(/e\+?/);
  const raised = power.replace(/./g, (sign) => RAISED['-0123456789'.indexOf(sign)] ?? '');
  return (raised === '' ? text : `${digits}\u202f×\u202f10${raised}`).replaceAll('-', '−');
}

/** A value of a setting: a small one as it is typed, a large one with its digits in groups. */
export function setting(value: number): string {
  return Number.isInteger(value) && value >= 1e4 ? number(value) : readable(String(value));
}

/** Grouped digits, with exactly `digits` decimals. */
export function number(value: number, digits = 0): string {
  if (!Number.isFinite(value)) return NONE;
  // What rounds to nothing has no sign.
  const shown = Math.abs(value) < 0.5 / 10 ** digits ? 0 : value;
  return grouped(shown.toFixed(digits));
}

/**
 * At most three significant digits, very large ones by their power of ten: for speeds and rates.
 */
export function short(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-4 || size >= LARGE)) {
    // At most three digits, as of all others: no noughts behind the last that counts.
    return readable(value.toExponential(2).replace(/\.?0+e/, 'e'));
  }
  // By way of the number again, which has no noughts behind the last digit that counts.
  return grouped(String(Number(value.toPrecision(3))));
}

/** A share of one as a percentage: below a tenth with one decimal. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return NONE;
  return `${number(100 * share, share > 0 && share < 0.0995 ? 1 : 0)}%`;
}

function grouped(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const digits = whole.replace(GROUP, ',');
  return readable(decimals === undefined ? digits : `${digits}.${decimals}`);
}
