/** The text check's findings on invisible characters and decomposed letters, and their repair. */
import { describe, expect, test } from 'vitest';
import { joinLetters, removeHidden } from '../web/instruments/text/text-check/letters.ts';
import { findingsOf } from './node/findings-of.ts';

describe('characters that nobody sees', () => {
  test.each([
    ['colours of a terminal', '\x1b[1;31mred\x1b[0m', 'red', 2],
    ['hyphens for the ends of lines', 'Donau\u00addampf', 'Donaudampf', 1],
    ['joiners that join nothing', 'wo\u200drd no\u200c\u200dthing 1\u200d2', 'word nothing 12', 3],
    ['signs without width', '\ufeffa\u200bb \u2060c', 'ab c', 3],
    ['letters of no script', 'a\u{e0041}\u{e0042}b', 'ab', 2],
    ['marks of direction where all letters go one way', '\u200eAnna: hi\u202e', 'Anna: hi', 2],
    ['but none where some go the other way', '\u200fשלום\u200e a\ufeffc', '\u200fשלום\u200e ac', 1],
  ])('are removed: %s', (_, text, left, count) => {
    expect(findingsOf(text).hidden?.count).toBe(count);
    expect(removeHidden(text)).toBe(left);
    expect(findingsOf(left).hidden).toBeNull();
  });

  test.each([
    ['blanks and line ends', 'a\tb\nc\fd\u00a0e\u2028f\u3000g\u0085h'],
    ['what joins pictures', '👨‍👩‍👧 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['what joins letters', 'می‌خواهم ۱۰\u200cساله حرف \u200dه क्‍ष'],
    ['what parts words of Thai and Khmer', 'ไทย\u200bคำ ខ្ញុំ\u200bស្រឡាញ់'],
    ['control characters that part words', 'one\0two\x1fthree\bfour'],
  ])('stay if a text needs them: %s', (_, text) => {
    expect(findingsOf(text).hidden).toBeNull();
    expect(removeHidden(text)).toBe(text);
  });

  test('are shown with the text around the first of them', () => {
    const { change } = findingsOf(`${'word '.repeat(9)}ca\u00adfé ${'word '.repeat(9)}`).hidden!;
    expect(change).toEqual({
      before: 'word word ca\u00adfé word word',
      after: 'word word café word word',
    });
  });
});

describe('letters in pieces', () => {
  test.each([
    ['letters with one mark', 'Mu\u0308ller, cafe\u0301', 'Müller, café', 2],
    ['with two, or the second of two', 'Vie\u0302\u0323t, ti\u00ea\u0301ng', 'Việt, tiếng', 2],
    ['Japanese', 'か\u3099き\u3099', 'がぎ', 2],
    ['as far as there is one', 'e\u0323\u0301', 'ẹ\u0301', 1],
    ['Korean syllables', '한국어'.normalize('NFD'), '한국어', 3],
  ])('%s', (_, text, left, count) => {
    const { pieces } = findingsOf(text);
    expect(pieces?.count).toBe(count);
    expect(left).toContain(pieces?.change.after);
    expect(joinLetters(text)).toBe(left);
    expect(findingsOf(left).pieces).toBeNull();
  });

  test.each([
    ['those that Unicode has in no other way', 'x\u0304 ק\u05bc ก\u0e34 का'],
    ['signs that NFC would take for others', '豈 \u2126 \u212b'],
    ['how pictures are drawn', '❤️ 1️⃣'],
    [
      'what NFC writes in as many characters, or more',
      '\ufb2a\u05b8 q\u0307\u0323 \u{2f800}\ufe00',
    ],
  ])('%s stay as they are', (_, text) => {
    expect(findingsOf(text).pieces).toBeNull();
    expect(joinLetters(text)).toBe(text);
  });

  test('are seen as a whole where a long line is cut, and so are joiners', () => {
    expect(findingsOf(`${'か'.repeat(16384)}\u3099`).pieces?.count).toBe(1);
    expect(findingsOf(`${'字'.repeat(16384)}\u200d字`).hidden?.count).toBe(1);
  });
});
