/** What the check-up of a text says of it, and what it offers: sentences, their order, their remedies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { adviceOn } from '../web/app/check-up/advice.ts';
import type { Advice } from '../web/app/check-up/advice.ts';
import { leakedLines } from '../web/app/check-up/corpus-doctor.ts';
import { Speeds, stepOperations } from '../web/app/check-up/pace.ts';
import { mendGarbled } from '../web/app/check-up/mojibake.ts';
import { mended, remedyLabel } from '../web/app/check-up/remedy.ts';
import { westernIn } from '../web/app/check-up/western.ts';
import type { Western } from '../web/app/check-up/western.ts';
import { isUnheld } from '../web/app/held-out.ts';
import type { Session } from '../web/app/session.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { findOption, withChange } from '../web/engine/options.ts';
import type { OptionTable } from '../web/engine/options.ts';
import type { Plan } from '../web/engine/trainer.ts';
import '../web/i18n/all.ts';
import { loadAllWords } from '../web/i18n/index.ts';
import type { AllWords } from '../web/i18n/index.ts';
import { engineBytes } from './node/load-engine.ts';
import { findingsOf } from './node/findings-of.ts';
import { intended, misread } from './node/misread.ts';

const texts = join(import.meta.dirname, '../public/texts');
const sample = (name: string): string => readFileSync(join(texts, name), 'utf8');
const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

describe('the advice', () => {
  let table: OptionTable;
  let trainer: DirectTrainer;
  let english: AllWords;
  let lastAdvice: readonly Advice[] = [];
  let lastPlan: Plan;
  /** Of the run under way. */
  let pace: number | null = null;
  beforeAll(async () => {
    trainer = new DirectTrainer(engineBytes());
    table = await trainer.options();
    english = await loadAllWords('en');
    return () => {
      trainer.close();
    };
  });

  /** What is said of a text under `microgpt` with some options changed, choices by their names. */
  async function adviceFor(
    text: string,
    changes: Readonly<Record<string, number | string>>,
    opened: object = { model: null, leavesModel: false },
    words = english,
    western: Western | null = null,
  ): Promise<(id: string) => Advice | undefined> {
    let recipe: Session['recipe'] = { preset: 'microgpt', changes: {} };
    for (const [name, value] of Object.entries(changes)) {
      const choice = findOption(table, name)!.choices.indexOf(String(value));
      recipe = withChange(table, recipe, name, typeof value === 'number' ? value : choice);
    }
    await trainer.setText(text);
    const plan = await trainer.plan(recipe);
    lastPlan = plan;
    const session = { table, recipe, plan, error: null, ...opened } as unknown as Session;
    const findings = findingsOf(text);
    const speeds = new Speeds(null);
    const checked = {
      findings,
      whole: true,
      valid: western === null,
      western,
      session,
      speeds,
      pace,
    };
    const all = adviceOn(checked, words);
    lastAdvice = all;
    return (id) => all.find((one) => one.id === id);
  }

  test.each(['char', 'byte', 'bpe'])(
    'on lines that are cut counts the tokens of the tokenizer at hand: %s',
    async (tokenizer) => {
      const poem = ['春眠不觉晓，处处闻啼鸟。', '夜来风雨声，花落知多少。'].join('\n');
      let context = 8;
      const cut = async () => (await adviceFor(poem, { tokenizer, context }))('cut');
      const first = await cut();
      expect(first?.text).toMatch(/Lines longer than the context: [12]\./);
      const remedy = first!.remedies[0] as { name: string; value: number };
      expect(remedy.value).toBe(tokenizer === 'char' ? 16 : 40);
      // One press is enough.
      context = remedy.value;
      expect(await cut()).toBeUndefined();
    },
  );

  test('finds long lines that repeat in a stream, but no refrains', async () => {
    const line = 'The cat sat on the mat, and it was glad.';
    const stream = { sequences: 'stream', context: 8 };
    const text = `${line}\nO ho!\nAnother line.\n${line}\nO ho!\n`;
    const found = (await adviceFor(text, stream))('duplicates');
    expect(found?.text).toMatch(/^Long lines that repeat an earlier one: 1\./);
    expect(found?.remedies).toEqual([{ kind: 'repeats' }]);
    expect((await adviceFor('O ho!\nAnother line.\nO ho!\n', stream))('duplicates')).toBe(
      undefined,
    );
  });

  test('says when what is held out is learned, too', async () => {
    const leak = /Of the lines held out for validation, (about )?\d+ stands? in the part/;
    const passage = Array.from({ length: 9 }, (_, i) => `line number ${String(i)} of the text`);
    const twice = [...passage, ...passage].join('\n');
    const stream = { sequences: 'stream', context: 8 };
    const said = async (changes: Record<string, number | string>) =>
      (await adviceFor(twice, changes))('duplicates')?.why;
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

  test('mends what is garbled before it takes any sign or blank away', async () => {
    const garbled = `${misread(intended.join('\n')).repeat(2)}\t☃`;
    const before = await adviceFor(garbled, {});
    expect(before('garbled')?.remedies).toEqual([{ kind: 'garbled' }]);
    // All that is found is said at once, and why there is no button.
    expect(before('space')?.text).toContain('First “Bring the characters back”.');
    expect(before('space')?.remedies).toEqual([]);
    expect(before('rare')?.why).not.toContain('Replace them');
    const kinds = (one: Advice | undefined) => one?.remedies.map(({ kind }) => kind);
    expect(kinds(before('rare'))).toEqual(['option']);
    const after = await adviceFor(mendGarbled(garbled), {});
    expect(after('garbled')).toBeUndefined();
    expect(kinds(after('space'))).toEqual(['space']);
    expect(kinds(after('rare'))).toEqual(['option', 'rare']);
    expect(after('rare')?.why).toContain('Replace them');
  });

  test('of a garbled text counts the blanks that mending leaves', async () => {
    const text = misread('là  où\nà\u00a0la\n'.repeat(9));
    expect(findingsOf(text).untidy).toBe(18);
    expect(findingsOf(mendGarbled(text)).untidy).toBe(18);
    expect((await adviceFor(text, {}))('space')?.text).toContain(': 18 places.');
  });

  test('says what is wrong with lines in order only where the end of a stream is held out', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, i) => `${String.fromCodePoint(97 + (i >> 1))} line ${String(i)}`,
    );
    const said = async (changes: Record<string, number | string>) =>
      (await adviceFor(lines.join('\n'), { context: 8, ...changes }))('sorted');
    const found = await said({ sequences: 'stream', validation: 0.2 });
    expect(found?.text).toContain('in alphabetical order');
    expect(found?.remedies).toEqual([{ kind: 'sorted' }]);
    expect(await said({ sequences: 'stream', validation: 0 })).toBeUndefined();
    expect(await said({ validation: 0.2 })).toBeUndefined();
  });

  test('says of rare characters in few words what a press would do, and names them on request', async () => {
    const text = `${'a line of the song, la la la '.repeat(6)}\npizza ☃ 7 café Ωψ\n`;
    const rare = (await adviceFor(text, {}))('rare')!;
    expect(rare.text.length).toBeLessThan(300);
    expect(rare.text).toMatch(/: 8, such as “7” \(1\), “c” \(1\), “p” \(1\)\./);
    expect(rare.why).toMatch(
      /in place of 1, leave 1 out, keep 6, which have no plainer form that is common here/,
    );
    expect(rare.more?.slice(1)).toEqual(['“e” for “é”', 'Left out: “☃”']);
  });

  test('says which of two signs that look alike is rare, where a text has both', async () => {
    const poem = '一，二，三！\n'.repeat(19);
    const named = async (text: string) => (await adviceFor(text, {}))('rare')?.text;
    expect(await named(`${poem}四,五?\n`)).toContain('the plain “,” (U+002C) (1), “?” (1)');
    expect(await named(`${'one, two\n'.repeat(19)}o，n\n`)).toContain('the wide “，” (U+FF0C) (1)');
    expect(await named(`${'one two\n'.repeat(19)}o, n\n`)).toContain('such as “,” (1)');
  });

  test('of a text of a few words says that it is learned by heart, not that all of it is rare', async () => {
    const few = await adviceFor('我爱你', { steps: 1000 });
    expect([few('rare'), few('fine-rare')]).toEqual([undefined, undefined]);
    expect(few('ratio')).toMatchObject({
      look: true,
      text: 'The model will learn the text by heart.',
    });
  });

  test('of an opened model says what is left to do, and nothing of its vocabulary', async () => {
    const text = `${'anna\n'.repeat(40)}zoë\n`;
    expect((await adviceFor(text, {}))('rare')).toBeDefined();
    const model = { purpose: 'resume', facts: { step: 30 } };
    const advice = await adviceFor(text, { steps: 100 }, { model, leavesModel: false });
    expect(advice('rare')).toBeUndefined();
    expect(advice('expect')?.text).toMatch(
      / for the 70 steps to come, which begin where the opened/,
    );
    // Without it, all of them are made, from chance.
    const without = await adviceFor(text, { steps: 100 }, { model, leavesModel: true });
    expect(without('expect')?.text).toMatch(/a first loss of about/);
  });

  test('says the same of the text itself whatever the settings are', async () => {
    const text = `anna\t\nbea\r\n<b>carla</b> caf\ufffd ${misread('été')}\n`.repeat(9);
    // What is repeated or rare, and how much there is, depends on how the text is read.
    const OF_TEXT = new Set(['garbled', 'lost', 'markup', 'ends']);
    const ofText = async (changes: Record<string, number | string>) => {
      await adviceFor(text, changes);
      return lastAdvice.filter(({ id }) => OF_TEXT.has(id)).map(({ id, text }) => [id, text]);
    };
    const first = await ofText({});
    expect(first.map(([id]) => id)).toEqual(['garbled', 'lost', 'markup', 'ends']);
    expect(await ofText({ sequences: 'stream', tokenizer: 'byte', context: 8 })).toEqual(first);
  });

  test('says in one line each what needs something, first, and then what is fine', async () => {
    const text = `${'春眠不觉晓，处处闻啼鸟。\n'.repeat(9)}夜来风雨声,花落知多少。\t<b>\n`;
    await adviceFor(text, { context: 24 });
    const needy = lastAdvice.filter(({ look }) => look);
    expect(needy.map(({ id }) => id)).toEqual([
      'markup',
      'space',
      'width',
      'duplicates',
      'rare',
      'ratio',
    ]);
    expect(lastAdvice.slice(0, needy.length)).toEqual(needy);
    for (const { text: said } of needy) expect(said.length).toBeLessThan(110);
    const width = needy.find(({ id }) => id === 'width')!;
    expect(width.text).toBe('Narrow punctuation among the wide marks of Chinese: 1 place.');
    expect(width.remedies.map((one) => remedyLabel(one, english))).toEqual(['Make them wide']);
    const ids = lastAdvice.map(({ id }) => id);
    expect(ids.slice(needy.length)).toEqual([
      'size',
      'expect',
      'fine-signs',
      'fine-letters',
      'fine-cut',
      'fine-shape',
    ]);
    // In every language in the same order.
    await adviceFor(text, { context: 24 }, undefined, await loadAllWords('zh'));
    expect(lastAdvice.map(({ id }) => id)).toEqual(ids);
  });

  test('judges the shape of a text by most of its lines, not by one that stands out', async () => {
    const shape = async (text: string, sequences: string) =>
      (await adviceFor(text, { sequences, context: 8 }))('shape')?.remedies;
    const long = `${'and on it goes '.repeat(20)}\n`;
    // A few lines are no list; a long one among them is no prose.
    const few = (lines: number) => `${'the lights go out\n'.repeat(lines)}${long}`;
    expect(await shape(few(6), 'documents')).toBeUndefined();
    expect(await shape(few(30), 'documents')).toBeUndefined();
    expect(await shape(few(30), 'stream')).toEqual([{ kind: 'preset', preset: 'microgpt' }]);
    // Of many long ones, or where the middle one is long, it is.
    const prose = [{ kind: 'preset', preset: 'tinygpt' }];
    expect(await shape(few(3).repeat(9), 'documents')).toEqual(prose);
    expect(await shape(long.repeat(6), 'documents')).toEqual(prose);
  });

  test('counts of lines that are documents what is read, without the line ends between', async () => {
    const size = async (sequences: string) =>
      (await adviceFor('anna\nbea\n', { sequences, context: 2 }))('size')?.text;
    expect(await size('documents')).toMatch(/^Characters: 7, 4 of them different, in 2 lines;/);
    expect(lastPlan.tokens).toBe(7);
    expect(await size('stream')).toMatch(
      /^Characters: 9, 5 of them different, in 2 lines; .*are c/,
    );
  });

  test('names of the kinds of replacing only those that there are', async () => {
    const text = `${'a line of the song, la la la '.repeat(6)}\npizza\n`;
    const rare = (await adviceFor(`${text}’☃`, {}))('rare')!;
    expect(rare.why).toContain('in place of 1, leave 1 out, keep');
    expect((await adviceFor(`${text}☃`, {}))('rare')!.why).toContain('would do: leave 1 out, keep');
  });

  test('says why nothing is held out, and offers only what works', async () => {
    const stream = { sequences: 'stream', tokenizer: 'byte', context: 16, steps: 5000 };
    const words = 'to be or not to be that is the question '.repeat(4);
    // A tenth of 160 bytes is no window of 16: neither is it offered, nor passed over in silence.
    expect((await adviceFor(words, stream))('ratio')).toMatchObject({ look: true, remedies: [] });
    const said = (await adviceFor(words, { ...stream, validation: 0.1 }))('unheld')!;
    expect(said.text).toContain('that share of the text, 16 tokens, does not fill a context of 16');
    expect(said.remedies.map((remedy) => remedyLabel(remedy, english))).toEqual([
      'Held-out share of 0.11',
      'Context of 15',
    ]);
    for (const remedy of said.remedies) {
      const { name, value } = remedy as { name: string; value: number };
      const after = await adviceFor(words, { ...stream, validation: 0.1, [name]: value });
      expect([name, after('unheld'), lastPlan.hasValidation]).toEqual([name, undefined, true]);
    }
    const lines = 'anna\nbea\ncarla\ndora\nemma';
    expect((await adviceFor(lines, { steps: 5000 }))('ratio')?.remedies).toEqual([]);
    const few = (await adviceFor(lines, { validation: 0.1 }))('unheld')!;
    expect(few.text).toContain(
      'a held-out share of 0.1 is less than one of the 5 lines. A share of at least 0.2, or more lines, would help.',
    );
    const [share] = few.remedies;
    expect([remedyLabel(share!, english), few.remedies.length]).toEqual([
      'Held-out share of 0.2',
      1,
    ]);
    await adviceFor(lines, { validation: 0.2 });
    expect(lastPlan.hasValidation).toBe(true);
    const two = (await adviceFor('anna\nbea', { validation: 0.1 }))('unheld')!;
    expect(two.remedies).toEqual([]);
    expect(two.text).toContain('A share of at least 0.5');
    const one = (await adviceFor('anna', { validation: 0.1 }))('unheld')!;
    expect(one.text).toContain('the only line is needed for training. More lines would help.');
    // A plan that is still of the share before claims nothing of the new one.
    await adviceFor('anna\n'.repeat(18), { validation: 0 });
    const typed = { preset: 'microgpt', changes: { validation: 0.1 } };
    expect(isUnheld({ plan: lastPlan, table, recipe: typed })).toBe(false);
    expect(isUnheld({ plan: lastPlan, table, recipe: { ...typed, changes: { validation: 0.05 } } })).toBe(true); // prettier-ignore
  });

  test('of a large model counts parameters for a token, not a token in many zeros', async () => {
    const said = async (text: string) => (await adviceFor(text, {}))('ratio');
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
      await adviceFor(text, changes);
      const { lengths } = findingsOf(text);
      const work = { plan: lastPlan, table, recipe: { preset: 'microgpt', changes }, lengths };
      return (stepOperations(work) / lastPlan.parameters - 30) / 6;
    };
    const short = 'anna and bea\n'.repeat(64);
    const mixed = short + `${'x'.repeat(4000)}\n`.repeat(64);
    const isNear = (value: number, expected: number) => {
      expect(value / expected).toBeGreaterThan(1);
      expect(value / expected).toBeLessThan(1.1);
    };
    // Twelve letters and the end; of long lines what the context leaves of them, not their mean length.
    isNear(await tokens(short, 1), 13);
    isNear(await tokens(mixed, 1), (13 + 64) / 2);
    // Shorter ones of a batch are filled up to its longest.
    isNear(await tokens(mixed, 8), 8 * 64);

    pace = 10;
    const expected = (await adviceFor(short, { steps: 1200 }))('expect');
    pace = null;
    expect(expected?.text).toContain('about 2:00 for the whole run. The time is an estimate');
    // Large steps have work for more threads: each size of step has a speed of its own.
    const speeds = new Speeds('nonsense 3:x');
    expect(speeds.known).toBe(false);
    speeds.note(1e6, 4e9);
    speeds.note(2e9, 5e10);
    const kept = new Speeds(speeds.toString());
    expect([8e5, 3e6, 1e12].map((work) => kept.at(work))).toEqual([4e9, 4e9, 5e10]);
  });

  test('says of what stands in the place of lost Chinese how many it is, and what to do', async () => {
    const text = '春眠锟斤拷锟斤拷晓\n烫烫烫烫烫烫处处\n屯屯屯屯屯屯\n';
    expect(findingsOf(text).ruined).toEqual({ count: 18, example: '锟斤拷' });
    const ruined = (await adviceFor(text, {}))('ruined');
    expect(ruined?.text).toContain('others were lost: 18, such as “锟斤拷”');
    expect(ruined?.why).toContain('open the original file again as GBK or UTF-8');
    expect(ruined?.remedies).toEqual([{ kind: 'ruined' }]);
    expect(lastAdvice.map(({ id }) => id)).not.toContain('fine-signs');
    expect(mended(text, ['ruined'])).toBe('春眠晓\n处处\n\n');
    // As GBK reads what UTF-8 has for two signs of lost characters.
    const signs = new TextEncoder().encode('\ufffd\ufffd');
    expect(findingsOf(new TextDecoder('gbk').decode(signs)).ruined?.count).toBe(3);
    // Beside what is certain, a few are no chance either.
    const few = '锟斤拷锟斤拷烫烫烫好\n烫烫烫锟斤拷\n屯屯屯屯';
    expect(mended(few, ['ruined'])).toBe('好\n\n');
    for (const meant of [
      '汤很烫烫的，烫',
      '水烫烫烫烫，别碰！',
      '屯屯',
      '钱锟',
      sample('tang-quatrains-zh.txt'),
    ]) {
      expect(findingsOf(meant).ruined).toBeNull();
    }
  });

  test('names what nobody sees and what is in pieces, and mends each with one press', async () => {
    const text = '\u200eMu\u0308ller\nMüller\ncafe\u0301\n'.repeat(9);
    const find = await adviceFor(text, {});
    expect(find('hidden')?.text).toBe(
      'Invisible characters: 9, such as the left-to-right mark (U+200E).',
    );
    expect(find('pieces')?.text).toBe('Letters in more pieces than necessary: 18, such as “ü”.');
    expect(find('pieces')?.why).toMatch(/^The text has them in fewer, too\./);
    expect(find('fine-letters')).toBeUndefined();
    const kinds = ['hidden', 'pieces'] as const;
    expect(kinds.map((kind) => find(kind)?.remedies)).toEqual([
      [{ kind: 'hidden' }],
      [{ kind: 'pieces' }],
    ]);
    expect(mended(text, kinds)).toBe('Müller\nMüller\ncafé\n'.repeat(9));
    expect((await adviceFor(mended(text, kinds), {}))('fine-letters')).toBeDefined();
  });

  test('reads bytes that are no UTF-8 as Western European, before anything else is mended', async () => {
    const western = westernIn(latin('le café  est\x85 fermé'));
    const find = await adviceFor(
      'le caf\ufffd  est\ufffd ferm\ufffd',
      {},
      undefined,
      english,
      western,
    );
    expect(find('bytes')?.text).toContain(': 3. Read as Western European, “caf�” would be “café”.');
    expect(find('bytes')?.remedies).toEqual([{ kind: 'western' }]);
    expect(find('space')?.text).toContain(' First “Read them as Western European”.');
    expect(find('space')?.remedies).toEqual([]);
    expect(mended(latin('le café  est\x85 fermé'), ['western', 'space'])).toBe(
      'le café est… fermé',
    );
  });

  test('says of lost characters that nothing brings them back', async () => {
    const lost = (await adviceFor('caf\ufffd and na\ufffdve', {}))('lost');
    expect(lost?.text).toContain('lost before the text came here: 2.');
    expect(lost?.remedies).toEqual([]);
    // Without its sign, nothing would say that it was lost.
    expect(mended(`${'plain words\n'.repeat(9)}caf\ufffd`, ['rare'])).toContain('\ufffd');
  });
});
