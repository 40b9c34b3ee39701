/** Advice of the text check: findings, their texts and the changes offered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leakedLines } from '../web/instruments/text/text-check/examine.ts';
import { CURES } from '../web/instruments/text/text-check/advice.ts';
import { createAdviser } from './node/adviser.ts';
import type { Adviser, Settings } from './node/adviser.ts';
import { findingsOf } from './node/findings-of.ts';

const stream = { sequences: 'stream', context: 8 };

describe('the advice', () => {
  let adviser: Adviser;
  beforeAll(async () => {
    adviser = await createAdviser();
  });
  afterAll(() => {
    adviser.close();
  });

  test('names long lines that repeat in a stream, without a remedy, and no refrains', async () => {
    const line = 'The cat sat on the mat, and it was glad.';
    const text = `${line}\nO ho!\nAnother line.\n${line}\nO ho!\n`;
    const { say, find } = await adviser.advise(text, stream);
    expect(say('repeats')).toMatch(/^Long lines that repeat an earlier one: 1\./);
    expect(find('repeats')?.cure).toBeNull();
    const refrain = await adviser.advise('O ho!\nAnother line.\nO ho!\n', stream);
    expect(refrain.all).toEqual([]);
  });

  test('offers to remove repeats from a list of names that is read line by line', async () => {
    const cure = async (text: string) => (await adviser.advise(text)).find('duplicates')?.cure;
    expect(await cure('anna\nbea\nanna\n'.repeat(9))).toBe('duplicates');
    expect(await cure('x = 1\ny = 2\nx = 1\n')).toBeNull();
  });

  test('says when what is held out is learned, too', async () => {
    const leak = /About \d+ held-out lines are also in the training text/;
    const passage = Array.from({ length: 9 }, (_, i) => `line number ${String(i)} of the text`);
    const twice = [...passage, ...passage].join('\n');
    const said = async (settings: Settings, id: string) =>
      (await adviser.advise(twice, settings)).say(id);
    expect(await said({ ...stream, validation: 0.2 }, 'repeats')).toMatch(leak);
    expect(await said(stream, 'repeats')).not.toMatch(leak);
    // A list holds out each line by chance; its copy is mostly in the training part.
    expect(await said({ validation: 0.2 }, 'duplicates')).toContain('About 3 held-out lines');
    // A stream holds out its end: 3 of the 18 lines begin there.
    expect(leakedLines(findingsOf(twice), 0.2, false)).toBe(3);
    // The repeated lines are all in the training part.
    const within = [...passage.slice(0, 2), ...passage].join('\n');
    expect(leakedLines(findingsOf(within), 0.2, false)).toBe(0);
  });

  test('says nothing of rare characters: with bytes for tokens a text is predicted worse', async () => {
    const text = `${"a line of the song, it's la la la ".repeat(6)}\npizza ☃ 7 café Ωψ\n`;
    expect((await adviser.advise(text)).all).toEqual([]);
  });

  test('names what nobody sees and what is in pieces, and cures each with one press', async () => {
    const text = '\u200eMu\u0308ller\nMüller\ncafe\u0301\n'.repeat(9);
    const { find, say } = await adviser.advise(text);
    expect(say('hidden')).toMatch(/^Invisible characters: 9\./);
    expect(say('pieces')).toMatch(
      /^Letters stored in several pieces, such as letter and accent: 18\./,
    );
    expect([find('hidden')?.cure, find('pieces')?.cure]).toEqual(['hidden', 'pieces']);
    const cured = CURES.pieces(CURES.hidden(text));
    expect(cured).toBe('Müller\nMüller\ncafé\n'.repeat(9));
    expect((await adviser.advise(cured)).all.map(({ id }) => id)).toEqual(['duplicates']);
  });

  test('notes that a text is a web page, and offers no change of it', async () => {
    const page = '<!DOCTYPE html>\n<html><body>\n<p>Anna</p>\n</body></html>\n';
    const { find, say } = await adviser.advise(page);
    expect(say('html')).toMatch(/^This is the source of a web page: 7 tags\./);
    expect(find('html')?.cure).toBeNull();
    expect((await adviser.advise(`A page begins so:\n${page}`)).find('html')).toBeUndefined();
  });

  test('says of lost characters where to look for them, and offers no change of the text', async () => {
    const { find, say } = await adviser.advise('caf\ufffd and na\ufffdve');
    expect(say('lost')).toBe(
      'Characters that were lost when the file was read: 2. Choose another encoding, or get the text again.',
    );
    expect(find('lost')?.cure).toBeNull();
  });
});
