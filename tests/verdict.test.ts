/** The verdict on generated texts: what is new, what is copied, and what chance explains. */
import { describe, expect, it } from 'vitest';
import { loadAllWords } from '../web/i18n/index.ts';
import { isHalf, judge } from '../web/instruments/verdict/judged.ts';
import { partsOf } from '../web/instruments/verdict/sentence.ts';
import { VerdictState } from '../web/instruments/verdict/state.ts';
import type { CurrentRun } from '../web/store/training/current-run.ts';
import type { TextTrace } from '../web/store/training/text-trace.ts';
import type { BaseRate, CopiedRun, TracedText, Trainer } from '../web/engine/trainer.ts';

const words = await loadAllWords('en');
const zh = await loadAllWords('zh');
const BASE: BaseRate = { characters: 6, lines: 0, of: 'left-out' };

const run = (start: number, end: number, line: number, isLine: boolean): CopiedRun => ({
  ...{ start, end, isLine, line, place: 0, count: 1, before: '', after: '' },
  characters: end - start,
});

/** Lookup answers: null for a text without a match, else the line that it is. */
const lines = (texts: readonly string[], found: readonly (number | null)[]): TracedText[] =>
  texts.map((text, at) => {
    const line = found[at] ?? null;
    return { runs: line === null ? [] : [run(0, text.length, line, true)], base: BASE };
  });

const said = (
  texts: readonly string[],
  traced: readonly TracedText[],
  options: { documents?: boolean; half?: number; language?: typeof words } = {},
): string => {
  const { documents = true, half = null, language = words } = options;
  const judged = judge(texts, traced, documents);
  const verdict = { run: 1, entry: { step: 9, texts }, judged, half, isEnd: half !== null };
  const presses = { place: () => undefined, lookAt: () => undefined };
  return partsOf(verdict, documents, language, presses)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');
};

const NAMES = ['Lumohoth', 'Zoratak', 'Glitele'];

it('is looked for at earlier steps once the run has finished, though its last text is known', async () => {
  const samples = [
    { step: 1, texts: ['new', 'anna'] },
    { step: 2, texts: ['bo', 'anna'] },
  ];
  const data = { number: 1, state: 'running', samples };
  const run = { data, info: { documents: true } } as unknown as CurrentRun;
  const trainer = {
    trace: (text: string) => Promise.resolve(lines([text], [text === 'new' ? null : 3])[0]!),
  } as Trainer;
  const trace = {
    key: 'text',
    ask: <Result>(question: (asked: Trainer) => Promise<Result>) => question(trainer),
  } as Pick<TextTrace, 'key' | 'ask'>;
  const state = new VerdictState();
  const shown = () => ({ run, entry: samples[1]! });
  await state.look(trace, shown);
  expect(state.verdict.value).toMatchObject({ judged: { isWhole: true }, half: null });
  data.state = 'finished';
  await state.look(trace, shown);
  expect(state.verdict.value?.half).toBe(1);
});

describe('the verdict on documents', () => {
  it.each([
    ['no line of the text', [null, null, null], 'All 3 are new.'],
    ['one line of the text', [null, 12, null], '2 new, 1 from your text: line 12.'],
    ['lines alone', [12, 80, 3], 'Word for word from your text: line 12, line 80, line 3.'],
  ] as const)('with %s', (_, found, sentence) => {
    expect(said(NAMES, lines(NAMES, found))).toBe(sentence);
  });

  it('leads to the step at which half was new', () => {
    expect(said(NAMES, lines(NAMES, [1, 2, 3]), { half: 800 })).toBe(
      'Word for word from your text: line 1, line 2, line 3. It was half new at step 800.',
    );
  });

  it('of which most is from one line, where it was cut, is copied', () => {
    const cut = ['the early bird catches'];
    const traced = [{ runs: [run(0, 22, 7, false)], base: BASE }];
    expect(said(cut, traced)).toBe('Word for word from your text: line 7.');
  });

  it('says where chance alone explains the lines', () => {
    const short = ['anna', 'Zoratak', 'bo'];
    expect(said(short, lines(short, [5, null, 7]))).toBe(
      '1 new, 2 from your text: line 5, line 7. Lines this short repeat by chance.',
    );
  });

  it('counts no blank text, and says nothing without texts or where chance is unknown', () => {
    expect(said(['', 'Zoratak'], lines(['', 'Zoratak'], []))).toBe('It is new.');
    expect(said([' '], lines([' '], []))).toBe('');
    expect(said(['Zoratak'], [{ runs: [], base: null }])).toBe('');
  });

  it('in Chinese', () => {
    expect(said(NAMES, lines(NAMES, [null, 12, 80]), { language: zh })).toBe(
      '1 条是新的，2 条出自你的文本：第 12 行、第 80 行。',
    );
  });
});

describe('the verdict on a stream', () => {
  const text = ['run with the paper moon over the town'];
  const stream = (...runs: CopiedRun[]): TracedText[] => [{ runs, base: BASE }];
  it.each([
    ['no match longer than chance', [], 'All of it is new: nothing is copied from your text.'],
    [
      'some matches',
      [run(0, 8, 3, false), run(9, 23, 7, false)],
      'Partly from your text: 14 characters in a row, line 7.',
    ],
    ['one match', [run(0, 36, 4, false)], 'Word for word from your text: line 4.'],
    [
      'matches that cover it together',
      [run(0, 20, 3, false), run(18, 37, 7, false)],
      'Mostly from your text: 20 characters in a row, line 3.',
    ],
  ] as const)('with %s', (_, runs, sentence) => {
    expect(said(text, stream(...runs), { documents: false })).toBe(sentence);
  });

  it('counts a letter of two overlapping matches once', () => {
    const judged = judge(text, stream(run(0, 20, 3, false), run(10, 22, 9, false)), false)!;
    expect(judged.fresh).toBeCloseTo(1 - 22 / text[0]!.length, 12);
    expect(judged.copied.map(({ run: one }) => one.line)).toEqual([3]);
  });

  it('counts as half new by the letters', () => {
    const half = judge(text, stream(run(0, 20, 3, false)), false);
    expect(isHalf(half!)).toBe(true);
    expect(isHalf(judge(text, stream(), false)!)).toBe(false);
  });
});
