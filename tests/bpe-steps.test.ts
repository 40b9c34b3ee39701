/** The step-by-step merging on the page ends in the same tokens as the engine's encoder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { mergeSteps, ranksOf } from '../web/instruments/merges/bpe-steps.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');
const text = (name: string): string => readFileSync(join(root, 'public/texts', name), 'utf8');
const rule = (left: string, right: string) => ({ left: { hex: left }, right: { hex: right } });

describe('merging step by step', () => {
  const corpora = [text('moby-dick-en.txt').slice(0, 60_000), text('tang-quatrains-zh.txt')];

  it.each([
    ['English', corpora[0]!],
    ['Chinese', corpora[1]!.slice(0, 30_000)],
  ])('ends in the tokens of the engine: %s', async (_, learned) => {
    const trainer = new DirectTrainer(engineBytes());
    const changes = { vocabulary: 500, layers: 1, channels: 8, heads: 1, context: 1024, batch: 1 };
    await trainer.setText(new TextEncoder().encode(learned));
    const { merges: count } = await trainer.prepare({ preset: 'gpt2', changes });
    const merges = await trainer.merges(0, count);
    expect(merges).toHaveLength(244);
    const ranks = ranksOf(merges);
    const samples = [
      ...corpora.flatMap((corpus) => [corpus.slice(0, 200), corpus.slice(3000, 3200)]),
      "It's we'll  they've   9,000 x1y2\n\n \t end ",
      'é ü 你好，世界 🐋🐋 \u200b ½ ²',
      'aaaaaaaaaaaaaaaaaaaa      the the thethe',
    ];
    for (const sample of samples) {
      const steps = mergeSteps(sample, ranks);
      const wanted = (await trainer.tensors(sample, false)).tokens.map(({ hex }) => hex);
      expect(steps.at(-1)!.pieces.map(({ hex }) => hex)).toEqual(wanted);
      // A step shortens the text by one piece per merged pair; `made` holds the merged pieces.
      for (const [index, { pieces, made }] of steps.entries()) {
        const before = steps[index - 1]?.pieces.length;
        if (before !== undefined) expect(before - pieces.length).toBe(made.size);
      }
    }
    trainer.close();
  });

  it('begins with the bytes, takes the earliest pair first, and merges it everywhere at once', () => {
    const ranks = ranksOf([rule('62', '61'), rule('61', '6261'), rule('61', '61')]);
    const shown = mergeSteps('aba aab', ranks).map(({ pieces, rank, made }) => [
      pieces.map(({ hex }) => Buffer.from(hex, 'hex').toString()).join('|'),
      rank,
      [...made],
    ]);
    expect(shown).toEqual([
      ['a|b|a| |a|a|b', null, []],
      ['a|ba| |a|a|b', 0, [1]],
      ['aba| |a|a|b', 1, [0]],
      ['aba| |aa|b', 2, [2]],
    ]);
  });

  it('merges nothing across words, and an empty text is nothing', () => {
    const ranks = ranksOf([rule('61', '2062'), rule('20', '62'), rule('61', '20')]);
    expect(mergeSteps('a b', ranks).at(-1)!.pieces).toEqual([
      { hex: '61', word: 0 },
      { hex: '2062', word: 1 },
    ]);
    expect(mergeSteps('', ranks)).toEqual([{ pieces: [], rank: null, made: new Set() }]);
  });
});
