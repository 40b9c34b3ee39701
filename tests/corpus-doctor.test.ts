/** What is found in texts before they are learned, and what mending makes of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  examine,
  removeDuplicates,
  replaceRare,
  replacementsFor,
  stripMarkup,
  suitablePreset,
  tidySpace,
} from '../web/app/corpus-doctor.ts';
import type { Findings } from '../web/app/corpus-doctor.ts';

function findingsOf(text: string): Findings {
  const examination = examine(text);
  for (;;) {
    const { done, value } = examination.next();
    if (done === true) return value;
  }
}

const texts = join(import.meta.dirname, '../public/texts');
const sample = (name: string): string => readFileSync(join(texts, name), 'utf8');

describe('an examination', () => {
  test('counts characters as people do, not code units or bytes', () => {
    const found = findingsOf('月月😀\n月');
    expect(found.characters).toBe(5);
    expect(found.distinct).toBe(3); // two signs and the line end
    expect(found.rare).toEqual([{ character: '😀', count: 1 }]);
  });

  test('finds lines that came before, whatever their line ends', () => {
    const found = findingsOf('anna\r\nbea\nanna\n\n\nanna');
    expect(found.lines).toBe(4);
    expect(found.duplicates).toBe(2);
    expect(found.carriageReturns).toBe(1);
    expect(found.lineFeeds).toBe(4);
  });

  test('finds left-overs of web pages, but no ordinary signs', () => {
    expect(findingsOf('<p class="x">a &amp; b</p> &#39; 1 < 2 & 3 > 2').markup).toBe(4);
    expect(findingsOf('a < b and c > d & e;').markup).toBe(0);
  });

  test('finds untidy blanks', () => {
    expect(findingsOf('a\tb  c \nd\u00a0e\u200b').untidy).toBe(5);
    expect(findingsOf('a b c\nd e').untidy).toBe(0);
  });

  test('tells the middle, the longest and the outstanding lines', () => {
    const found = findingsOf(`${'abcde\n'.repeat(30)}${'x'.repeat(500)}\na`);
    expect([found.medianLine, found.longestLine]).toEqual([5, 500]);
    expect([found.longLines, found.shortLines]).toEqual([1, 1]);
  });

  test('stops often enough in a single line of a million characters', () => {
    for (const line of ['word '.repeat(200_000), '长'.repeat(1_000_000)]) {
      const examination = examine(line);
      let stops = 0;
      while (examination.next().done !== true) stops++;
      expect(stops).toBeGreaterThan(50);
    }
  });

  test('says nothing of an empty text', () => {
    const found = findingsOf('');
    expect([found.characters, found.lines, found.medianLine, found.longestLine]).toEqual([
      0, 0, 0, 0,
    ]);
  });

  test.each([
    ['first-names-en.txt', 'microgpt'],
    ['tang-quatrains-zh.txt', 'microgpt'],
    ['moby-dick-en.txt', 'tinygpt'],
  ])('of %s suggests its own preset', (name, preset) => {
    expect(suitablePreset(findingsOf(sample(name)))).toBe(preset);
  });
});

describe('mending', () => {
  test('removes repeated lines and keeps the first, and empty lines', () => {
    expect(removeDuplicates('b\na\n\nb\n\na\nc')).toBe('b\na\n\n\nc');
    expect(findingsOf(removeDuplicates('x\nx\nx')).duplicates).toBe(0);
  });

  test('replaces rare characters by plain ones and leaves out signs that have none', () => {
    const text = `${'Andre and Zoe. '.repeat(5)}André “Zoë” ☃…`;
    const mended = replaceRare(text);
    expect(mended).toContain('Andre');
    expect(mended).not.toMatch(/[éë“”☃…]/);
    expect(findingsOf(mended).rare.map(({ character }) => character)).toEqual(['"']);
  });

  test('leaves letters and digits that have no common plain form: words stay whole', () => {
    const text = 'pizza 7 ☃\nécole 北京\n';
    expect(replaceRare(text)).toBe('pizza 7\nécole 北京\n');
    expect(replacementsFor(findingsOf(text))).toEqual([{ character: '☃', plain: '' }]);
    // With an "e" that is common, the accent can go.
    expect(replacementsFor(findingsOf(`${text}eee`))).toContainEqual({
      character: 'é',
      plain: 'e',
    });
  });

  test.each([
    ['punctuation stays', 'Où es-tu, mon amour? 🌙', 'Où es-tu, mon amour?'],
    ['of any script', '你好，世界！《书》：¿qué?', '你好，世界！《书》：¿qué?'],
    ['a picture goes as one', 'so ❤️ or 👩🏽‍🚀 or 👨‍👩‍👧 or 🇫🇷.', 'so or or or.'],
    ['no two blanks', 'a ☃ b ☃\nc', 'a b\nc'],
    ['no words run together', 'snow☃man ☃(cold)', 'snow man (cold)'],
    ['no blank where none is written', '你☃好 a\u00adb', '你好 ab'],
    ['a blank for a blank', 'a\tb\u00a0c \u3000d\t\ne', 'a b c d\ne'],
    ['quotation marks are made plain once', '“a” and ‘b’', '"a" and \'b\''],
    ['no letter becomes another one', 'が각й ' + 'かккии', 'が각й ' + 'かккии'],
    ['what becomes rare by it goes too', '👨‍🚀 👨 👨', ''],
  ])('of rare characters: %s', (_, text, mended) => {
    expect(replaceRare(text)).toBe(mended);
  });

  test('of rare characters leaves nothing to do that it made itself', () => {
    const parts = [
      ...[
        'a',
        'b',
        'é',
        ' ',
        ' ',
        '\n',
        '\r\n',
        ',',
        '.',
        '“',
        '”',
        '’',
        '…',
        '—',
        '☃',
        '🌙',
        '❤️',
      ],
      ...[
        '👩🏽‍🚀',
        '🇫🇷',
        '1️⃣',
        '\t',
        '\u00a0',
        '\u200b',
        '\u00ad',
        '\u0301',
        '中',
        '，',
        '™',
        '\u0007',
      ],
    ];
    let seed = 1;
    const next = (below: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: next(24) }, () => parts[next(parts.length)]!).join('');
      const [before, after] = [findingsOf(text), findingsOf(replaceRare(text))];
      const said = JSON.stringify([text, replaceRare(text)]);
      expect(replacementsFor(after), said).toEqual([]);
      expect(after.untidy, said).toBeLessThanOrEqual(before.untidy);
      expect(after.lineFeeds + after.carriageReturns, said).toBe(
        before.lineFeeds + before.carriageReturns,
      );
    }
  });

  test('tidies blanks so that none are found any more', () => {
    const text = '\ufeffa\tb  c \r\n\r\n\r\n\r\nd\u00a0e\rf';
    expect(tidySpace(text)).toBe('a b c\n\nd e\nf');
    const { untidy, carriageReturns } = findingsOf(tidySpace(text));
    expect([untidy, carriageReturns]).toEqual([0, 0]);
  });

  test('takes markup out and keeps what it enclosed', () => {
    expect(stripMarkup('<b>Tom</b> &amp; &#20013;&#x6587; &nosuch; 1 < 2')).toBe(
      'Tom & 中文 &nosuch; 1 < 2',
    );
  });

  test.each([
    ['&lt;b&gt;x&lt;/b&gt;', 'x'],
    ['&amp;lt;b&amp;gt; &amp;amp;', ' &'],
    ['&nosuch; &#xd800;&#0; 1 &lt; 2', '&nosuch;  1 < 2'],
    ['<<b>i>x', 'x'],
  ])('of the markup %j leaves none to be found', (text, left) => {
    expect(stripMarkup(text)).toBe(left);
    expect(findingsOf(left).markup).toBe(0);
  });
});
