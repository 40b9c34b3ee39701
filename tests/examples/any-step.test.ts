/**
 * Course example: questions to the model at any step of a run. `trainer.at(step)` returns the model
 * of that step, exact to the bit. Copy the file into a project that has the package installed.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTrainer, finishRun } from 'glasshouse';
import type { TrainerWithPast } from 'glasshouse';

// A project with the package: `import.meta.resolve('glasshouse/texts/first-names-en.txt')`.
const names = new URL('../../public/texts/first-names-en.txt', import.meta.url);

let trainer: TrainerWithPast;

beforeAll(async () => {
  trainer = await createTrainer();
  await trainer.setText(new Uint8Array(readFileSync(names)));
  await trainer.prepare({ preset: 'microgpt', changes: { steps: 300, seed: 42 } });
  await finishRun(trainer);
});

afterAll(() => {
  trainer.close();
});

/** The most likely letter after "q" for the model of `step`. */
async function afterQ(step: number): Promise<string> {
  const model = await trainer.at(step);
  const sample = await model.sample({ prompt: 'q', topK: 1, maxTokens: 1 });
  return sample.cancelled ? 'cancelled' : sample.text;
}

test('at which step does the model first write a vowel after q?', async () => {
  let step = 0;
  while (step < 300 && !/[aeiou]/.test(await afterQ(step))) step++;
  expect(step).toBe(5);
  expect(await afterQ(step)).toBe('e');
});

test('a word of its text has cost it less from moment to moment', async () => {
  const losses: number[] = [];
  for (const step of [0, 30, 300]) {
    const model = await trainer.at(step);
    losses.push((await model.analyse('anna', 20)).meanLoss);
  }
  expect(losses).toEqual([...losses].sort((a, b) => b - a));
});
