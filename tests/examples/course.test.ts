/**
 * Course example: trains without a browser and checks the result that a student should have found.
 * Copy the file into a project that has the package installed.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTrainer, finishRun } from 'glasshouse';
import type { FinishedRun, Trainer } from 'glasshouse';

let trainer: Trainer;
let run: FinishedRun;

beforeAll(async () => {
  trainer = await createTrainer();
  // A project with the package: `import.meta.resolve('glasshouse/texts/first-names-en.txt')`.
  const names = new URL('../../public/texts/first-names-en.txt', import.meta.url);
  await trainer.setText(new Uint8Array(readFileSync(names)));
  await trainer.prepare({ preset: 'microgpt', changes: { steps: 300, seed: 42 } });
  run = await finishRun(trainer);
});

afterAll(() => {
  trainer.close();
});

test('the first loss is near that of guessing among 27 symbols', () => {
  expect(Math.abs(run.losses[0]! - Math.log(27))).toBeLessThan(0.1);
});

test('300 names later it is surprised less', () => {
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  expect(mean(run.losses.slice(-100))).toBeLessThan(2.7);
});

test('another run of the same recipe gives the same losses, to the last bit', async () => {
  await trainer.rewind();
  expect((await finishRun(trainer)).losses).toEqual(run.losses);
});

test('it writes names', async () => {
  const request = { prompt: '', maxTokens: 20, temperature: 0.8, topK: 0, topP: 1 };
  const written = await Promise.all(
    [1, 2, 3].map(async (seed) => {
      const other = await trainer.sample({ ...request, seed });
      return other.cancelled ? 'cancelled' : other.text;
    }),
  );
  expect(written.at(-1)).toMatch(/^[a-z]+$/);
});
