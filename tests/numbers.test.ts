/** The page's number formats against Intl.NumberFormat in both languages. */
import { describe, expect, test } from 'vitest';
import { loadAllWords } from '../web/i18n/index.ts';
import { number, percent, short } from '../web/i18n/numbers.ts';

const LOCALES = ['en', 'zh-Hans-CN'];

/** 4,000 pseudo-random values of many magnitudes and both signs, with and without decimals. */
function* values(): Generator<number> {
  let seed = 7;
  for (let at = 0; at < 4000; at++) {
    seed = (seed * 48271) % 2147483647;
    const size = 10 ** ((at % 13) - 4);
    yield (at % 2 === 0 ? 1 : -1) * (seed / 2147483647) * size;
    yield Math.round((seed / 2147483647) * size);
  }
}

/** Formats with Intl.NumberFormat, with a true minus sign as on the page. */
function platform(locale: string, options: Intl.NumberFormatOptions): (value: number) => string {
  const form = new Intl.NumberFormat(locale, options);
  return (value) => {
    const rounded = form.format(value).replace('-', '−');
    return /[1-9]/.test(rounded) ? rounded : rounded.replace('−', '');
  };
}

/** Exactly `digits` decimals. */
const decimals = (digits: number): Intl.NumberFormatOptions => ({
  minimumFractionDigits: digits,
  maximumFractionDigits: digits,
});

describe.each(LOCALES)('numbers in %s', (locale) => {
  test.each([0, 1, 2, 4])('have %i decimals and groups as the platform writes them', (digits) => {
    const written = platform(locale, decimals(digits));
    for (const value of values()) expect(number(value, digits)).toBe(written(value));
  });

  test('have three digits that count where they are short', () => {
    const written = platform(locale, { maximumSignificantDigits: 3 });
    for (const value of values()) {
      if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e9)) continue;
      expect(short(value)).toBe(written(value));
    }
  });

  test('are percentages', () => {
    const small = platform(locale, { ...decimals(1), style: 'percent' });
    const large = platform(locale, { ...decimals(0), style: 'percent' });
    for (const value of values()) {
      const share = Math.abs(value) % 1;
      const isSmall = share > 0 && share < 0.0995;
      expect(percent(share)).toBe(isSmall ? small(share) : large(share));
    }
  });
});

test('what is no number is a dash; tiny and huge ones have their power of ten', () => {
  expect([number(NaN), short(Infinity), percent(NaN)]).toEqual(['–', '–', '–']);
  expect(short(1.234e-7)).toBe('1.23\u202f×\u202f10⁻⁷');
  expect(short(-2e12)).toBe('−2\u202f×\u202f10¹²');
  expect(number(-0.004, 2)).toBe('0.00');
});

describe('a duration', () => {
  test.each([
    ['en', '47:59:59', '2 days'],
    ['zh', '47:59:59', '2 天'],
  ] as const)('is told in hours as long as these are few, in %s', async (lang, hours, days) => {
    const { duration } = await loadAllWords(lang);
    expect(duration(65)).toBe('1:05');
    expect(duration(48 * 3600 - 1)).toBe(hours);
    expect(duration(48 * 3600)).toBe(days);
    expect(duration(2_281_243)).toBe(days.replace('2', '26'));
    expect(duration(NaN)).toBe('–');
  });
});
