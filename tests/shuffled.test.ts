/** Controls: shuffled texts, and the loss that no model can go below on them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { hasWords, shuffled } from '../web/store/text/shuffled.ts';
import type { Shuffle } from '../web/store/text/shuffled.ts';
import { engineBytes } from './node/load-engine.ts';

const texts = join(import.meta.dirname, '../public/texts');
const names = readFileSync(join(texts, 'first-names-en.txt'), 'utf8');
const story = readFileSync(join(texts, 'moby-dick-en.txt'), 'utf8').slice(0, 60_000);
const sorted = (text: string): string[] => Array.from(text).sort();

describe.each(['letters', 'words', 'lines'] satisfies Shuffle[])('shuffled %s', (kind) => {
  test('have the same pieces as before, in another order, the same for the same seed', () => {
    for (const documents of [false, true]) {
      const text = documents ? names : story;
      const made = shuffled(text, kind, documents, 7);
      expect(made.text).not.toBe(text);
      expect(shuffled(text, kind, documents, 7)).toEqual(made);
      expect(shuffled(text, kind, documents, 8).text).not.toBe(made.text);
      const pieces = (of: string): string[] =>
        kind === 'letters' ? sorted(of) : of.split(/\s+/).filter(Boolean).sort();
      expect(pieces(made.text)).toEqual(pieces(text));
    }
  });

  test('of lines of documents keep how many pieces each line has', () => {
    const made = shuffled('ab c\n\nde\nfgh i j\n', kind, true, 1);
    const counts = made.text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ').length);
    expect(counts.sort()).toEqual([1, 2, 3]);
  });
});

test('what cannot be known of shuffled letters is what their frequencies lose on them', async () => {
  const { text, nats } = shuffled(story, 'letters', false, 1);
  const trainer = new DirectTrainer(engineBytes('wasm-questions'));
  await trainer.setText(text);
  const changes = { tokenizer: 1, validation: 0.1, channels: 8, heads: 1, layers: 1, batch: 1 };
  const { heldOutText } = await trainer.prepare({ preset: 'tinygpt', changes });
  expect(heldOutText).not.toBe('');
  const { yardsticks } = await trainer.yardsticks();
  const best = nats / Array.from(text).length;
  // The loss of the letter frequencies on the held-out part equals `best` but for chance;
  // longer contexts give no lower loss.
  expect(Math.abs(yardsticks[1]!.nats - best)).toBeLessThan(0.03);
  for (const { order, nats: lost } of yardsticks)
    if (order > 0) expect(lost).toBeGreaterThan(best - 0.03);
  trainer.close();
});

test('lines keep the end of the last one at the end, and words are only shuffled where lines have several', () => {
  const made = shuffled('a\nb\nc\nd\n', 'lines', false, 1).text;
  expect(made).toMatch(/^([abcd]\n){4}$/);
  expect(made).not.toBe('a\nb\nc\nd\n');
  expect(hasWords('anna\nbella\n\n clara \n')).toBe(false);
  expect(hasWords('床前明月光，疑是地上霜。\n举头望明月，低头思故乡。\n')).toBe(false);
  expect(hasWords('anna\nbella clara\n')).toBe(true);
});
