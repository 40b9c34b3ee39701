/**
 * Course example: measures how much of the generated text is copied, and compares the loss with
 * simple models. Copy the file into a project that has the package installed.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTrainer, finishRun } from 'glasshouse';
import type { RunInfo, Trainer } from 'glasshouse';

// A project with the package: `import.meta.resolve('glasshouse/texts/first-names-en.txt')`.
const file = new URL('../../public/texts/first-names-en.txt', import.meta.url);
const names = readFileSync(file, 'utf8');

let trainer: Trainer;
let info: RunInfo;

beforeAll(async () => {
  trainer = await createTrainer();
  await trainer.setText(names);
  // Holds out a tenth of the names: the model never trains on them.
  const changes = { steps: 300, seed: 42, validation: 0.1 };
  info = await trainer.prepare({ preset: 'microgpt', changes });
  await finishRun(trainer);
});

afterAll(() => {
  trainer.close();
});

test('some names that it writes are lines of its text, most are new', async () => {
  const written: string[] = [];
  for (let seed = 1; seed <= 20; seed++) {
    const sample = await trainer.sample({ prompt: '', maxTokens: 20, temperature: 0.8, seed });
    if (!sample.cancelled) written.push(sample.text);
  }
  const text = written.join('\n');
  const { runs, base } = await trainer.trace(text);
  const copied = runs.filter(({ isLine }) => isLine);
  expect(copied.length).toBeGreaterThan(0);
  expect(copied.length).toBeLessThan(written.length / 2);
  for (const { start, end, line } of copied) {
    expect(text.slice(start, end)).toBe(names.split('\n')[line - 1]);
  }
  // The baseline counts copied lines among held-out names: 0, because no name occurs twice.
  expect(base).toMatchObject({ of: 'held-out', lines: 0 });
});

test('a name that nobody has is new, one of its text has its line', async () => {
  expect((await trainer.trace('zaphodine')).runs).toEqual([]);
  const [anna] = (await trainer.trace('anna')).runs;
  expect(anna).toMatchObject({ isLine: true, line: names.split('\n').indexOf('anna') + 1 });
});

test('after 300 names it is better than letter frequencies, not than three letters before', async () => {
  const { meanLoss } = await trainer.analyse(info.heldOutText, 1e5, false);
  const { heldOut, yardsticks } = await trainer.yardsticks();
  const nats = (order: number) => yardsticks.find((table) => table.order === order)!.nats;
  expect(heldOut).toBe(true); // both are measured on the held-out names
  expect(nats(-1)).toBeCloseTo(Math.log(27)); // uniform guessing
  expect(meanLoss).toBeLessThan(nats(0));
  expect(meanLoss).toBeGreaterThan(nats(3));
});
