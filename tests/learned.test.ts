/** The sentence on the result of a run, by its losses. */
import { describe, expect, it, test } from 'vitest';
import { loadAllWords } from '../web/i18n/index.ts';
import { LossHistory } from '../web/data/loss-history.ts';
import { below, learnedText } from '../web/instruments/after-run/learned.ts';
import type { CurrentRun } from '../web/store/training/current-run.ts';

const words = await loadAllWords('en');
const zh = await loadAllWords('zh');

/** Losses that fall from `from` to `to` nats in 1,000 steps. */
function historyOf(from: number, to: number, validations: readonly number[] = []): LossHistory {
  const history = new LossHistory();
  const losses = Array.from({ length: 1000 }, (_, at) => to + (from - to) * Math.exp(-at / 100));
  history.append(0, losses);
  for (const [at, loss] of validations.entries()) history.addValidation(20 * (at + 1), loss);
  return history;
}

interface Options {
  readonly source?: string;
  readonly documents?: boolean;
  readonly isLetters?: boolean;
  readonly isFinished?: boolean;
  readonly beats?: number | null;
}

function said(history: LossHistory, options: Options = {}, language = words): string {
  const { source = 'own', documents = true, isLetters = true } = options;
  const { isFinished = true, beats = null } = options;
  const run = {
    data: { history },
    plan: { randomLoss: Math.log(27) },
    text: { source },
    info: { documents },
  } as unknown as CurrentRun;
  return learnedText({ run, isLetters, isFinished, beats }, language);
}

const FALLEN = historyOf(3.3, Math.log(9));

describe('what a run learned', () => {
  test.each<[string, Options]>([
    ['names of this kind', { source: 'names' }],
    ['poems of this kind', { source: 'tang' }],
    ['lines of this kind', {}],
    ['to write like this text', { source: 'tang', documents: false }],
  ])('%s', (what, options) => {
    expect(said(FALLEN, options)).toBe(
      `It learned ${what}: it is as unsure as someone who has to choose among 9 letters.`,
    );
  });

  it('names tokens that are no characters', () => {
    expect(said(FALLEN, { isLetters: false })).toMatch(/ among 9 tokens\.$/);
    expect(said(FALLEN, { isLetters: false, isFinished: false })).toBe(
      'It is as unsure as someone who has to choose among 9 tokens.',
    );
  });

  it('goes by held-out text where there is some', () => {
    expect(said(historyOf(3.3, 1, [3, 2.5, Math.log(12)]))).toMatch(/ among 12 letters\.$/);
  });

  it('says from which step on it beats the table of pairs', () => {
    expect(said(FALLEN, { beats: 900 })).toMatch(
      / 9 letters\. Better than counting pairs from step 900 on\.$/,
    );
  });

  it('calls learning by heart by its name', () => {
    const rising = [3, 2.5, 2, 2.6, 3.2, 3.8, 4.4].flatMap((loss) => [loss, loss]);
    expect(said(historyOf(3.3, 0.1, rising))).toMatch(
      /^It learned this text by heart: since step 100 /,
    );
    expect(said(historyOf(3.3, 0.1))).toMatch(/^It probably knows this text by heart/);
  });

  it('promises nothing of a loss that hardly fell, or rose', () => {
    expect(said(historyOf(3.3, 3.2))).toMatch(/^It has learned little: .* among 25 letters\.$/);
    expect(said(historyOf(3.3, 4))).toBe('');
    expect(said(new LossHistory())).toBe('');
  });

  it('is in Chinese', () => {
    expect(said(FALLEN, { source: 'names', beats: 900 }, zh)).toBe(
      '它学会了编这类名字：它的把握，相当于在 9 个字里选一个。从第 900 步起，它胜过了统计成对的出现次数。',
    );
  });
});

describe('the first step below a loss', () => {
  it('is the one after which the loss never reaches it again', () => {
    const history = historyOf(3.3, 2, [3, 2.1, 2.4, 2.2, 2]);
    expect(below(history, 2.3)).toBe(80);
    expect(below(history, 2.01)).toBeNull();
    expect(below(historyOf(3.3, 2), 2.3)).toBeNull();
  });
});
