/** Signs in place of unreadable characters: web/kit/unreadable.ts. */
import { expect, test } from 'vitest';
import { hasUnreadable, withoutUnreadable, withUnreadableSigns } from '../web/kit/unreadable.ts';

test.each([
  ['anna', 'anna', 'anna'],
  ['a\uFFFDb', 'a▯b', 'a(?)b'],
  ['\uFFFD\u0000\u007F\uFFFD\uFFFD end', '▯▯▯ end', '(?) end'],
  ['two\nlines\tand é 猫', 'two\nlines\tand é 猫', 'two\nlines\tand é 猫'],
])('has signs, at most three in a row, and one name in %j', (text, signs, named) => {
  expect(withUnreadableSigns(text)).toBe(signs);
  expect(withoutUnreadable(text, '(?)')).toBe(named);
  expect(hasUnreadable(text)).toBe(signs !== text);
});
