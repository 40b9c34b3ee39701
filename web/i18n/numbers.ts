/**
 * Formats numbers as English and Chinese do: commas between groups of three digits, a decimal
 * point. `Words` set the marks of other languages (`Language.marks`). `Intl` is avoided, because
 * its first use takes Chromium 20 ms of the page's start.
 */

/** Shown for NaN and infinities. */
const NONE = '–';

/** Minimum size that `short` writes as a power of ten. */
const LARGE = 1e9;

const RAISED = '⁻⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Positions of grouping commas: before every three digits, but not at the start. */
const GROUP = /\B(?=(?:\d{3})+(?!\d))/g;

/**
 * Makes the output of a program readable: a minus sign in place of the hyphen, a power of ten in
 * place of an exponent (1e-7).
 */
export function readable(text: string): string {
  const [digits = '', power = ''] = text.split(/e\+?/);
  const raised = power.replace(/./g, (sign) => RAISED['-0123456789'.indexOf(sign)] ?? '');
  return (raised === '' ? text : `${digits}\u202f×\u202f10${raised}`).replaceAll('-', '−');
}

/** The value of a setting: small ones as typed, large ones with grouped digits. */
export function setting(value: number): string {
  return Number.isInteger(value) && value >= 1e4 ? number(value) : readable(String(value));
}

/** Grouped digits with exactly `digits` decimals. */
export function number(value: number, digits = 0): string {
  if (!Number.isFinite(value)) return NONE;
  // A number that rounds to 0 has no sign.
  const shown = Math.abs(value) < 0.5 / 10 ** digits ? 0 : value;
  return grouped(shown.toFixed(digits));
}

/**
 * At most three significant digits, with a power of ten if very large or very small; for speeds and
 * rates.
 */
export function short(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-4 || size >= LARGE)) {
    // At most three digits, without trailing zeros.
    return readable(value.toExponential(2).replace(/\.?0+e/, 'e'));
  }
  // Number() drops trailing zeros.
  return grouped(String(Number(value.toPrecision(3))));
}

/** A share of 1 in percent, with a decimal below 10 %. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return NONE;
  return `${number(100 * share, share > 0 && share < 0.0995 ? 1 : 0)}%`;
}

function grouped(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const digits = whole.replace(GROUP, ',');
  return readable(decimals === undefined ? digits : `${digits}.${decimals}`);
}
