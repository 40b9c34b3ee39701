/** Characters that nobody sees, and letters in pieces, before a text is learned: found, and mended. */
import { describe, expect, test } from 'vitest';
import { joinLetters, removeHidden } from '../web/app/check-up/letters.ts';
import { findingsOf } from './node/findings-of.ts';

describe('characters that nobody sees', () => {
  test.each([
    ['control characters', 'a\0b\u0007c', 'abc', 2],
    ['colours of a terminal, with what tells of them', '\x1b[1;31mred\x1b[0m', 'red', 2],
    ['what a backspace takes back, a picture whole', 'helo\blo 😀\b!', 'hello !', 2],
    ['separators, which part words', 'one\x1ftwo\x85three', 'one two three', 2],
    ['hyphens for the ends of lines', 'Donau\u00addampf', 'Donaudampf', 1],
    ['joiners that join nothing', 'wo\u200drd no\u200c\u200dthing 1\u200d2', 'word nothing 12', 4],
    ['signs without width', '\ufeffa\u200bb \u2060c\u3164', 'ab c', 4],
    ['letters of no script', 'a\u{e0041}\u{e0042}b', 'ab', 2],
    ['signs of formulas that are not drawn', 'a\u2062b\u2064c', 'abc', 2],
    ['marks of direction where all letters go one way', '\u200eAnna: hi\u202e', 'Anna: hi', 2],
    ['but none where some go the other way', '\u200fשלום\u200e abc\0', '\u200fשלום\u200e abc', 1],
  ])('%s', (_, text, left, count) => {
    expect(findingsOf(text).hidden?.count).toBe(count);
    expect(removeHidden(text)).toBe(left);
    expect(findingsOf(left).hidden).toBeNull();
  });

  test('blanks, line ends and what joins pictures and letters are not among them', () => {
    const text = 'a\tb\r\nc\fd\u00a0e 👨‍👩‍👧 ❤️‍🔥 می‌خواهم ۱۰\u200cساله حرف \u200dه क्‍ष 🏴󠁧󠁢󠁥󠁮󠁧󠁿\n';
    expect(findingsOf(text).hidden).toBeNull();
    expect(removeHidden(text)).toBe(text);
  });

  test('of garbled characters, what they are made of is not counted', () => {
    const latin = (text: string): string =>
      Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
    const garbled = latin('Größe, là-bas, déjà, naïve, Äpfel, Øre, frío. '.repeat(4));
    expect(garbled).toMatch(/[\u0080-\u009f\u00ad]/);
    expect(findingsOf(garbled).garbled).not.toBeNull();
    expect(findingsOf(garbled).hidden).toBeNull();
    expect(findingsOf(`${garbled}\0`).hidden).toEqual({ count: 1, example: '\0' });
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
    expect(pieces).toMatchObject({ count, both: false });
    expect(left).toContain(pieces?.example);
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

  test('that the text has in one piece, too, are named first', () => {
    const text = 'cafe\u0301 Müller, Mu\u0308ller';
    expect(findingsOf(text).pieces).toEqual({ count: 2, example: 'ü', both: true });
  });
});
