/**
 * What the check-up of a text says of it, and what it offers: sentences, their order, their
 * remedies.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leakedLines } from '../web/instruments/text/check-up/examine.ts';
import { Speeds, stepOperations } from '../web/store/training/pace.ts';
import { mended } from '../web/instruments/text/check-up/remedy.ts';
import { createAdviser } from './node/adviser.ts';
import type { Adviser, Settings } from './node/adviser.ts';
import { findingsOf } from './node/findings-of.ts';

const texts = join(import.meta.dirname, '../public/texts');
const sample = (name: string): string => readFileSync(join(texts, name), 'utf8');
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
    const found = (await adviser.advise(text, stream)).find('duplicates');
    expect(found?.text).toMatch(/^Long lines that repeat an earlier one: 1\./);
    expect(found?.remedies).toEqual([]);
    const refrain = await adviser.advise('O ho!\nAnother line.\nO ho!\n', stream);
    expect(refrain.find('duplicates')).toBeUndefined();
  });

  test('offers to remove repeats from a list of names that is read line by line', async () => {
    const names = 'anna\nbea\nanna\n'.repeat(9);
    const remedies = async (text: string, settings: Settings) =>
      (await adviser.advise(text, settings)).find('duplicates')?.remedies;
    expect(await remedies(names, {})).toEqual(['duplicates']);
    expect(await remedies('x = 1\ny = 2\nx = 1\n', {})).toEqual([]);
  });

  test('says when what is held out is learned, too', async () => {
    const leak = /Of the lines held out for validation, (about )?\d+ stands? in the part/;
    const passage = Array.from({ length: 9 }, (_, i) => `line number ${String(i)} of the text`);
    const twice = [...passage, ...passage].join('\n');
    const said = async (settings: Settings) =>
      (await adviser.advise(twice, settings)).find('duplicates')?.why;
    expect(await said({ ...stream, validation: 0.2 })).toMatch(leak);
    expect(await said(stream)).not.toMatch(leak);
    // Each of 18 lines is held out by chance, the other copy of it mostly not.
    expect(await said({ validation: 0.2 })).toContain('about 3 stand in the part');
    // In a stream the end is held out: 3 of 18 lines begin in it.
    expect(leakedLines(findingsOf(twice), 0.2, false)).toBe(3);
    // What repeats within one part only is no leak.
    const within = [...passage.slice(0, 2), ...passage].join('\n');
    expect(leakedLines(findingsOf(within), 0.2, false)).toBe(0);
  });

  test('names rare characters, and offers to replace only those that have a plain twin', async () => {
    const text = `${"a line of the song, it's la la la ".repeat(6)}\npizza ☃ 7 café Ωψ\n`;
    const rare = async (end: string) => (await adviser.advise(text + end)).find('rare')!;
    const without = await rare('');
    expect(without.text).toMatch(/: 8, such as “7” \(1\), “c” \(1\), “p” \(1\)\./);
    expect(without.more?.[0]).toContain('“☃” (1)');
    expect([without.remedies, without.example]).toEqual([['bytes'], '']);
    const twin = await rare('the moon’s up\n');
    expect([twin.remedies, twin.example]).toEqual([['bytes', 'rare'], "“’” → “'”"]);
  });

  test('says which of two signs that look alike is rare, if a text has both', async () => {
    const poem = '一，二，三！\n'.repeat(19);
    const named = async (text: string) => (await adviser.advise(text)).find('rare')?.text;
    expect(await named(`${poem}四,五?\n`)).toContain('the plain “,” (U+002C) (1), “?” (1)');
    expect(await named(`${'one, two\n'.repeat(19)}o，n\n`)).toContain('the wide “，” (U+FF0C) (1)');
    expect(await named(`${'one two\n'.repeat(19)}o, n\n`)).toContain('such as “,” (1)');
  });

  test('of a text of a few words says that it is learned by heart, not that all of it is rare', async () => {
    const { find } = await adviser.advise('我爱你', { steps: 1000 });
    expect([find('rare'), find('fine-rare')]).toEqual([undefined, undefined]);
    expect(find('ratio')).toMatchObject({
      ...{ look: true, remedies: [] },
      text: 'The model will learn the text by heart.',
    });
  });

  test('of an opened model says what is left to do, and nothing of its vocabulary', async () => {
    const text = `${'anna\n'.repeat(40)}zoë\n`;
    expect((await adviser.advise(text)).find('rare')).toBeDefined();
    const model = { purpose: 'resume', facts: { step: 30 } };
    const expected = async (leavesModel: boolean) =>
      adviser.advise(text, { steps: 100 }, { opened: { model, leavesModel } });
    const resumed = await expected(false);
    expect(resumed.find('rare')).toBeUndefined();
    expect(resumed.find('expect')?.text).toMatch(
      / for the 70 steps to come, which begin where the opened/,
    );
    // Without it, all of them are made, from chance.
    const without = await expected(true);
    expect(without.find('expect')?.text).toMatch(/a first loss of about/);
  });

  test('says in one line each what needs something, first, and then what is fine', async () => {
    const text = `anna\u200b\nMu\u0308ller caf\ufffd\n${'bea\n'.repeat(9)}${'clara\n'.repeat(9)}d\n`;
    const { all } = await adviser.advise(text);
    const needy = all.filter(({ look }) => look);
    expect(needy.map(({ id }) => id)).toEqual([
      ...['lost', 'hidden', 'pieces', 'duplicates', 'rare', 'ratio'],
    ]);
    expect(all.slice(0, needy.length)).toEqual(needy);
    for (const { text: said } of needy) expect(said.length).toBeLessThan(110);
    const ids = all.map(({ id }) => id);
    expect(ids.slice(needy.length)).toEqual(['size', 'expect']);
    const fine = await adviser.advise('anna\nbea\n', {});
    expect(fine.all.map(({ id }) => id).slice(-3)).toEqual([
      ...['fine-lost', 'fine-letters', 'fine-duplicates'],
    ]);
    // In every language in the same order.
    const chinese = await adviser.advise(text, {}, { lang: 'zh' });
    expect(chinese.all.map(({ id }) => id)).toEqual(ids);
  });

  test('counts of lines that are documents what is read, without the line ends between', async () => {
    const size = async (sequences: string) => {
      const { find, plan } = await adviser.advise('anna\nbea\n', { sequences, context: 2 });
      return [find('size')?.text, plan.tokens];
    };
    const [documents, tokens] = await size('documents');
    expect(documents).toMatch(/^Characters: 7, 4 of them different, in 2 lines;/);
    expect(tokens).toBe(7);
    const [whole] = await size('stream');
    expect(whole).toMatch(/^Characters: 9, 5 of them different, in 2 lines; .*are c/);
  });

  test('of a large model counts parameters for a token, not a token in many zeros', async () => {
    const said = async (text: string) => (await adviser.advise(text)).find('ratio');
    const few = await said('anna\nbea');
    expect(few?.text).toBe('The model will learn the text by heart.');
    expect(few?.why).toMatch(/ Parameters per token of text: [\d,]{5,}\./);
    const long = sample('first-names-en.txt').repeat(5);
    expect((await said(long))?.text).toMatch(/^Tokens of text per parameter: 2\.\d+\./);
  });

  test('reckons with the documents as a step computes them, and with the pace of the run', async () => {
    /** Tokens that go through every parameter in a step, those of attention apart. */
    const tokens = async (text: string, batch: number): Promise<number> => {
      const changes = { batch, context: 64 };
      const { plan } = await adviser.advise(text, changes);
      const { lengths } = findingsOf(text);
      const recipe = { preset: 'microgpt', changes };
      const operations = stepOperations({ plan, table: adviser.table, recipe, lengths });
      return (operations / plan.parameters - 30) / 6;
    };
    const short = 'anna and bea\n'.repeat(64);
    const mixed = short + `${'x'.repeat(4000)}\n`.repeat(64);
    const isNear = (value: number, expected: number) => {
      expect(value / expected).toBeGreaterThan(1);
      expect(value / expected).toBeLessThan(1.1);
    };
    // Twelve letters and the end; of long lines what the context leaves of them, not their mean
    // length.
    isNear(await tokens(short, 1), 13);
    isNear(await tokens(mixed, 1), (13 + 64) / 2);
    // Shorter ones of a batch are filled up to its longest.
    isNear(await tokens(mixed, 8), 8 * 64);

    const { find } = await adviser.advise(short, { steps: 1200 }, { pace: 10 });
    expect(find('expect')?.text).toContain('about 2:00 for the whole run. The time is an estimate');
    // Large steps have work for more threads: each size of step has a speed of its own.
    const speeds = new Speeds('nonsense 3:x');
    expect(speeds.known).toBe(false);
    speeds.note(1e6, 4e9);
    speeds.note(2e9, 5e10);
    const kept = new Speeds(speeds.toString());
    expect([8e5, 3e6, 1e12].map((work) => kept.at(work))).toEqual([4e9, 4e9, 5e10]);
  });

  test('names what nobody sees and what is in pieces, and mends each with one press', async () => {
    const text = '\u200eMu\u0308ller\nMüller\ncafe\u0301\n'.repeat(9);
    const { find } = await adviser.advise(text);
    expect(find('hidden')?.text).toBe(
      'Invisible characters: 9, such as the left-to-right mark (U+200E).',
    );
    expect(find('pieces')?.text).toBe('Letters in more pieces than necessary: 18, such as “ü”.');
    expect(find('pieces')?.why).toMatch(/^The text has them in fewer, too\./);
    expect(find('fine-letters')).toBeUndefined();
    const kinds = ['hidden', 'pieces'] as const;
    expect(kinds.map((kind) => find(kind)?.remedies)).toEqual([['hidden'], ['pieces']]);
    expect(mended(text, kinds)).toBe('Müller\nMüller\ncafé\n'.repeat(9));
    expect((await adviser.advise(mended(text, kinds))).find('fine-letters')).toBeDefined();
  });

  test('says of lost characters where to look for them, and offers no change of the text', async () => {
    const { find } = await adviser.advise('caf\ufffd and na\ufffdve');
    expect(find('lost')).toMatchObject({
      text: 'Characters that were lost when the file was read: 2.',
      remedies: [],
    });
    expect(find('lost')?.why).toContain('Choose another encoding');
  });
});
