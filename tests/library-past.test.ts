/** The library's `trainer.at(step)`: visits any step of a run while the run continues. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { createTrainer, finishRun } from '../web/package/index.ts';
import type {
  GlasshouseError,
  TrainerOptions,
  TrainerWithPast,
  NamedRecipe,
} from '../web/package/index.ts';
import { engineBytes } from './node/load-engine.ts';

const file = new URL('../public/texts/first-names-en.txt', import.meta.url);
const names = new Uint8Array(readFileSync(file));
const SIZE = { channels: 8, heads: 2, layers: 1, context: 8, batch: 2, steps: 30 };
const RECIPE = { preset: 'microgpt', changes: SIZE } as const;

const open: TrainerWithPast[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function prepared(
  options: TrainerOptions = {},
  recipe: NamedRecipe = RECIPE,
): Promise<TrainerWithPast> {
  const trainer = await createTrainer({ engine: engineBytes('wasm-questions'), ...options });
  open.push(trainer);
  await trainer.setText(names);
  await trainer.prepare(recipe);
  return trainer;
}

async function train(trainer: TrainerWithPast, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await trainer.step();
}

const receiptAt = async (trainer: TrainerWithPast, step: number): Promise<string> =>
  (await (await trainer.at(step)).receipt()).json;

test('every step of a run has the receipt that it had, through changes, in any order', async () => {
  const trainer = await prepared();
  const receipts = [(await trainer.receipt()).json];
  for (let step = 1; step <= 30; step++) {
    if (step === 9) await trainer.set('lr', 0.02);
    await trainer.step();
    receipts.push((await trainer.receipt()).json);
  }
  for (let step = 30; step >= 0; step--) {
    expect(await receiptAt(trainer, step)).toBe(receipts[step]);
  }
  expect((await trainer.receipt()).json).toBe(receipts[30]);
});

test('two models are asked at the same time, each answers as of its step, and training goes on', async () => {
  const trainer = await prepared();
  const lossAt = new Map<number, number>();
  for (const step of [5, 20]) {
    await train(trainer, step === 5 ? 5 : 15);
    lossAt.set(step, (await trainer.analyse('anna', 64)).meanLoss);
  }
  const [early, late] = [await trainer.at(5), await trainer.at(20)];
  expect([early.step, late.step]).toEqual([5, 20]);
  const asked = [late, early, late, early].map((model) => model.analyse('anna', 64));
  await train(trainer, 10);
  const found = (await Promise.all(asked)).map(({ meanLoss }) => meanLoss);
  expect(found).toEqual([20, 5, 20, 5].map((step) => lossAt.get(step)));
});

test('after a rewind and another run the steps are those of the run of now, models of before are over', async () => {
  const trainer = await prepared();
  await train(trainer, 10);
  const before = await receiptAt(trainer, 8);
  const old = await trainer.at(8);
  await trainer.rewind();
  await expect(old.receipt()).rejects.toMatchObject({ code: 'past' });
  await expect(trainer.at(8)).rejects.toMatchObject({ code: 'past' });
  await train(trainer, 10);
  await expect(old.receipt()).rejects.toMatchObject({ code: 'past' });
  expect(await receiptAt(trainer, 8)).toBe(before);
  await trainer.setText('otto\nanna\n');
  await trainer.prepare(RECIPE);
  await train(trainer, 8);
  expect(await receiptAt(trainer, 8)).toBe((await trainer.receipt()).json);
});

test('a text that is set later is of no run yet', async () => {
  const trainer = await prepared();
  await train(trainer, 3);
  await trainer.setText('otto\nanna\n');
  expect(await receiptAt(trainer, 3)).toBe((await trainer.receipt()).json);
});

test('the caller may write over the bytes of its text', async () => {
  const trainer = await createTrainer({ engine: engineBytes('wasm-questions') });
  open.push(trainer);
  const mine = names.slice();
  await trainer.setText(mine);
  mine.fill(97);
  await trainer.prepare(RECIPE);
  await train(trainer, 3);
  expect(await receiptAt(trainer, 3)).toBe((await trainer.receipt()).json);
});

test('steps that the run does not have are refused by name, and so is a trainer without a past', async () => {
  const trainer = await prepared();
  await train(trainer, 4);
  const refused = (step: number) =>
    trainer.at(step).catch((thrown: unknown) => (thrown as GlasshouseError).code);
  expect(await refused(5)).toBe('past');
  expect(await refused(-1)).toBe('past');
  expect(await refused(1.5)).toBe('argument');
  expect(await refused(NaN)).toBe('argument');
  const weights = await trainer.save('checkpoint', '');
  await trainer.prepare(null, { files: { weights }, purpose: 'resume' });
  await train(trainer, 2);
  expect(await refused(3)).toBe('past');
  expect((await trainer.at(5)).step).toBe(5);
  const without = await prepared({ past: 0 });
  await expect(without.at(0)).rejects.toMatchObject({ code: 'past' });
});

test('before a run there is no step; with the trainer, its past is closed', async () => {
  const empty = await createTrainer({ engine: engineBytes('wasm-questions') });
  open.push(empty);
  await expect(empty.at(0)).rejects.toMatchObject({ code: 'state' });
  const trainer = await prepared();
  await train(trainer, 2);
  const model = await trainer.at(1);
  trainer.close();
  await expect(model.probe('anna')).rejects.toMatchObject({ code: 'worker' });
  await expect(trainer.at(1)).rejects.toMatchObject({ code: 'worker' });
});

test('the text of a run can be looked up at any step', async () => {
  const trainer = await prepared();
  await finishRun(trainer);
  const model = await trainer.at(3);
  expect(await model.trace('anna')).toEqual(await trainer.trace('anna'));
  expect(await model.yardsticks()).toEqual(await trainer.yardsticks());
});

test('a run that diverged says why, and is asked about up to its last good step', async () => {
  const changes = { ...SIZE, lr: 10, weight_decay: 10, schedule: 0 };
  const trainer = await prepared({}, { preset: 'microgpt', changes });
  await expect(finishRun(trainer)).rejects.toMatchObject({ code: 'diverged' });
  await expect(finishRun(trainer)).rejects.toMatchObject({ code: 'diverged' });
  const { step } = await trainer.checkpoint('');
  expect(step).toBeGreaterThan(0);
  expect(await receiptAt(trainer, step)).toBe((await trainer.receipt()).json);
  await expect(trainer.at(step + 1)).rejects.toMatchObject({ code: 'past' });
});

test('a visit ends by its signal', async () => {
  const trainer = await prepared();
  await train(trainer, 2);
  const signal = AbortSignal.abort();
  await expect(trainer.at(1, { signal })).rejects.toMatchObject({ code: 'cancelled' });
  expect((await trainer.at(1)).step).toBe(1);
});
