/**
 * Changes that the text check offers for texts of many kinds: none may remove content.
 * fixtures/texts/PROVENANCE.md names the sources of the texts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CURES, exampleOf } from '../web/instruments/text/text-check/advice.ts';
import { loadAllWords } from '../web/i18n/index.ts';
import { createAdviser } from './node/adviser.ts';
import type { Adviser } from './node/adviser.ts';

const folder = join(import.meta.dirname, 'fixtures/texts');

/** A text as the page reads it: decoded, without a byte order mark, lines ending with LF. */
function textOf(file: string, encoding = 'utf-8'): string {
  const text = new TextDecoder(encoding).decode(readFileSync(join(folder, file)));
  return text.replace(/\r\n?/g, '\n');
}

let adviser: Adviser;
beforeAll(async () => {
  adviser = await createAdviser();
});
afterAll(() => {
  adviser.close();
});

type TextCure = keyof typeof CURES;
const isOfText = (cure: string | null): cure is TextCure => cure !== null && cure in CURES;

/** Changes of the text that the check offers, for reading by line or as a stream. */
async function offered(text: string): Promise<TextCure[]> {
  const all: TextCure[] = [];
  for (const sequences of ['documents', 'stream']) {
    const settings = { sequences, context: 2, tokenizer: 'char' };
    const advice = (await adviser.advise(text, settings)).all;
    all.push(...advice.map(({ cure }) => cure).filter(isOfText));
  }
  return [...new Set(all)];
}

describe('a text to which nothing has to be done is offered no change of it', () => {
  test.each([
    // Programs and other structured texts: indentation, symbols and repeated lines are content.
    ...['code.py', 'code.cpp', 'py.txt', 'include.txt', 's.txt', 'hard-breaks.md', 'data.jsonl'],
    ...['server-log.txt', 'a.srt', 'tunes.abc', 'abc.txt', 'dna.fasta', 'poem-refrain.txt'],
    // Letters and joiners of many scripts, and separators of lines or words.
    ...['vietnamese-short.txt', 'devanagari.txt', 'thai-utf8.txt', 'emoji-zwj.txt', 'nul.txt'],
    ...['arabic-utf8.txt', 'hebrew-utf8.txt', 'russian-utf8.txt', 'one-char.txt', 'two-chars.txt'],
    ...['names-lf.txt', 'names-cr.txt', 'names-crlf.txt', 'names-mixed-ends.txt', 'names-bom.txt'],
    ...['names-ff.txt', 'names-nel.txt', 'names-u2028.txt'],
  ])('%s', async (file) => {
    expect(await offered(textOf(file))).toEqual([]);
  });

  test.each([
    ['hu.txt', 'windows-1250'],
    ['hungarian-1250.txt', 'windows-1250'],
    ['czech-1250.txt', 'windows-1250'],
    ['polish-1250.txt', 'windows-1250'],
    ['french-latin1.txt', 'windows-1252'],
    ['french-mac.txt', 'macintosh'],
    ['russian-1251.txt', 'windows-1251'],
    ['russian-866.txt', 'ibm866'],
    ['arabic-1256.txt', 'windows-1256'],
    ['japanese-sjis.txt', 'shift_jis'],
    ['chinese-big5.txt', 'big5'],
    ['chinese-gbk.txt', 'gbk'],
    ['prose-utf16le.txt', 'utf-16le'],
  ])('%s, read as %s', async (file, encoding) => {
    expect(await offered(textOf(file, encoding))).toEqual([]);
  });

  test.each([
    [
      'a plain no-break space in Chinese',
      `${'床前明月光，疑是地上霜。\n'.repeat(9)}举头\u00a0望明月`,
    ],
    ['quotes in strings of JSON', `${'{"text": "it\'s late"}\n'.repeat(9)}{"text": "“Go!”"}\n`],
    ['a play with many lines that are the same', 'ROMEO:\nAy me!\nJULIET:\nAy me!\n'.repeat(9)],
    ['musical and mathematical signs', `${'play it in the key of C\n'.repeat(9)}C♯ ∈ {♭, ½}\n`],
    ['emoji, once each', `${'good night and sleep well\n'.repeat(9)}🌙 ☃️ 👩🏽‍🚀 🇫🇷\n`],
    ['letters with marks', `${'a e i o u and all of that\n'.repeat(9)}é à ő ñ ạ Ω ψ\n`],
    ['tabs', `${'name, value and other things\n'.repeat(9)}one\ttwo\n`],
    ['Khmer words', 'ខ្ញុំ\u200bស្រឡាញ់\u200bអ្នក\n'.repeat(9)],
    ['a log with plain dates', '2025-08-10 18:00:00 INFO core: started\n'.repeat(9)],
    ['a log with dates in brackets', '[2025-08-10 18:00:00] app.ERROR: it failed\n'.repeat(9)],
    [
      'a log with names in brackets',
      '[main] [18:04:11] started\n[main] [18:04:13] done\n'.repeat(9),
    ],
    ['lyrics with times', '[00:12.00]Line of a song: la\n[00:15.30]Another line\n'.repeat(9)],
    ['a programme', 'Mo 18:00\nYoga\nDi 19:30\nPilates\nMo — 12.03.2024 20:00\nDance\n'.repeat(9)],
    ['a recipe', 'Serves: 4\nPrep: 10:30\nBake: 1:15\nCups: 3\n'.repeat(9)],
    ['verses', '3:16 For God so loved the world\n3:17 For God sent not his Son\n'.repeat(9)],
    ['a table', '2024-03-12 18:04, Ada, hi\n2024-03-12 18:05, Ben, hello\n'.repeat(9)],
    ['settings', 'time: 18:04\nname: Ada\n- at: 19:00\n'.repeat(9)],
  ])('%s', async (_, text) => {
    expect(await offered(text)).toEqual([]);
  });
});

describe('a chat loses its dates and times, and nothing else', () => {
  test.each([
    ['chat-es.txt', ['stamps'], 'Ada: hi\nAda: hi'],
    ['chat-id.txt', ['stamps'], 'Ada: hi\nAda: hi'],
    ['wa-spanish-pm.txt', ['stamps'], 'Ada: are you there\nBen: yes, on my way'],
    ['wa-nnbsp.txt', ['stamps'], 'Ada: are you there\nBen: yes, on my way'],
    ['wa-ios.txt', ['hidden', 'stamps'], 'Ada: are you there\nBen: yes, on my way'],
    ['telegram-nospace.txt', ['stamps'], 'Ada: are you there\n\nBen: yes, on my way'],
    ['irc.txt', ['stamps'], '<Ada> are you there\n<Ben> yes, on my way'],
  ])('%s', async (file, cures, begin) => {
    const text = textOf(file);
    expect(await offered(text)).toEqual(cures);
    const after = cures.reduce((cured, cure) => CURES[cure as TextCure](cured), text);
    expect(after.startsWith(begin)).toBe(true);
    expect(after).not.toMatch(/\d/);
    expect(await offered(after)).toEqual([]);
  });
});

describe('letters in pieces are put together, and nothing else is changed', () => {
  test.each(['vietnamese-nfd.txt', 'korean-jamo.txt'])('%s', async (file) => {
    const text = textOf(file);
    expect(await offered(text)).toEqual(['pieces']);
    expect(CURES.pieces(text)).toBe(text.normalize('NFC'));
  });
});

test('every change of a text shows its first place before it is made', async () => {
  const list = `anna\u200b\ncafe\u0301\n${'anna\nbea\n'.repeat(9)}`;
  const chat = '10.08.25, 18:01 - Ada: hi\n'.repeat(9);
  const words = await loadAllWords('en');
  const shown = async (text: string): Promise<Record<string, string>> => {
    const { all } = await adviser.advise(text);
    const changes = all.filter(({ cure }) => isOfText(cure));
    return Object.fromEntries(changes.map((one) => [one.id, exampleOf(one, words)]));
  };
  expect({ ...(await shown(list)), ...(await shown(chat)) }).toEqual({
    hidden: '“anna⟨U+200B⟩” → “anna”',
    pieces: '“e ◌́” → “é”',
    duplicates: '“anna” is removed',
    stamps: '“10.08.25, 18:01 - Ada: hi” → “Ada: hi”',
  });
});
