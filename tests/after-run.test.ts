/** Advice after a run: the rules, and the trial on the real module. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { advise } from '../web/instruments/after-run/rules.ts';
import type { Advice, Facts, Trial } from '../web/instruments/after-run/rules.ts';
import { largerThan, runTrial } from '../web/instruments/after-run/trial.ts';
import { RunData } from '../web/store/training/run-data.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { withChange } from '../web/engine/options.ts';
import type { Recipe } from '../web/engine/options.ts';
import { finishRun } from './node/finished-run.ts';
import { engineBytes } from './node/load-engine.ts';

const story = readFileSync(join(import.meta.dirname, '../public/texts/moby-dick-en.txt'), 'utf8');

/** Losses that fall linearly from `from` to `to`. */
const falling = (from: number, to: number, count = 100): number[] =>
  Array.from({ length: count }, (_, at) => from + ((to - from) * at) / (count - 1));
const flat = Array.from({ length: 100 }, (_, at) => 2 + (at % 2) / 10);

const points = (losses: readonly number[]): Facts['validations'] =>
  losses.map((loss, at) => ({ step: 20 * (at + 1), loss }));

/** Facts of a run of 1,000 steps. */
const facts: Facts = {
  steps: 1000,
  validations: points(falling(3, 2, 50)),
  losses: falling(3, 2),
  randomLoss: 5.5,
  least: null,
  readings: 3,
  canHoldOut: true,
};
const more = { steps: 100, before: 2, after: 1.99 };
const stale = { steps: 100, before: 2, after: 2.01 };
/** A larger model: its loss after 100 steps equals the run's validation loss at `steps`. */
const larger = (steps: number, work: number): Trial['larger'] => ({
  ...{ steps: 100, work, seconds: 1 },
  loss: facts.validations.find(({ step }) => step === steps)!.loss,
});

describe('the rules', () => {
  test.each<[string, string, Partial<Facts>, Trial | null]>([
    ['nothing trial', 'more steps lowered the validation loss, which had been lower', { validations: points([...falling(3, 1.98, 47), 2, 2, 2]) }, { more, larger: null }], // prettier-ignore
    ['text heart', 'the validation loss rose while the training loss fell', { validations: points([...falling(3, 2, 30), ...falling(2, 2.2, 20)]) }, { more, larger: null }], // prettier-ignore
    ['steps trial', 'it rose by less than a hundredth', { validations: points([...falling(3, 2, 30), ...falling(2, 2.015, 20)]) }, { more, larger: null }], // prettier-ignore
    ['steps trial', 'it was lowest in the last tenth', { validations: points([...falling(3, 2, 46), ...falling(2, 2.2, 4)]) }, { more, larger: null }], // prettier-ignore
    ['rate rose', 'the training loss rose as well', { validations: points([...falling(3, 2, 30), ...falling(2, 2.2, 20)]), losses: falling(2, 3) }, { more, larger: null }], // prettier-ignore
    ['rate rose', 'the loss jumped after a change, and fell again since, but not to where it was', { validations: [], losses: [...falling(3, 2, 50), ...falling(68, 3, 10), ...falling(3, 2.4, 40)] }, null], // prettier-ignore
    ['steps falling', 'a file kept no losses of the first half', { validations: [], losses: [...falling(3, 2, 50).map(() => NaN), ...falling(3, 2, 50)] }, null], // prettier-ignore
    ['steps falling', 'the loss jumped and came back', { validations: [], losses: [...falling(3, 2, 50), ...falling(68, 3, 10), ...falling(3, 1.9, 40)] }, null], // prettier-ignore
    ['heldOut unseen', 'the loss swings by more than it rose', { validations: [], losses: falling(2, 2.2).map((loss, at) => loss + (at % 2)) }, null], // prettier-ignore
    ['nothing least', 'no model gets clearly below it', { least: 1.99 }, { more, larger: larger(500, 4) }], // prettier-ignore
    ['steps trial', 'a model could get clearly below it', { least: 1.9 }, { more, larger: null }],
    ['nothing least', 'no model gets below its training loss', { validations: [], losses: falling(2.1, 2), least: 2 }, null], // prettier-ignore
    ['model trial', 'the larger model needs less work', {}, { more, larger: larger(500, 4) }],
    ['steps trial', 'the larger model needs more work', {}, { more, larger: larger(500, 6) }],
    ['model trial', 'the run never was as good as the larger model', {}, { more, larger: { steps: 100, work: 50, seconds: 1, loss: 1.9 } }], // prettier-ignore
    [
      'nothing trial',
      'only the larger model is ahead',
      {},
      { more: stale, larger: larger(500, 6) },
    ],
    ['nothing trial', 'only the larger model is noticeably better', {}, { more: { ...more, after: 1.999 }, larger: larger(500, 6) }], // prettier-ignore
    ['nothing trial', 'neither is better', {}, { more: stale, larger: larger(80, 4) }],
    ['nothing trial', 'neither is better, on a text that was not read once', { readings: 0.5 }, { more: stale, larger: larger(80, 4) }], // prettier-ignore
    ['steps unread', 'more steps change nothing, on a text that was not read once', { readings: 0.5 }, { more: { ...more, after: 2 }, larger: larger(500, 6) }], // prettier-ignore
    ['nothing trial', 'more steps are not better, and nothing else was tried', {}, { more: stale, larger: null }], // prettier-ignore
    ['steps falling', 'it fell, and a few more steps hardly lowered it', {}, { more: { steps: 4, before: 2, after: 1.999 }, larger: null }], // prettier-ignore
    ['nothing trial', 'it fell, and a few more steps raised it', {}, { more: { ...stale, steps: 4 }, larger: null }], // prettier-ignore
    ['steps falling', 'only the larger model was tried, and it is not ahead', {}, { more: null, larger: larger(80, 4) }], // prettier-ignore
    ['none', 'there was no time for a trial, and the validation loss stands still', { validations: points(flat.slice(0, 50)) }, null], // prettier-ignore
    ['steps unread', 'there was no time for a trial on a text that was not read once', { validations: points(flat.slice(0, 50)), readings: 0.5 }, null], // prettier-ignore
    ['steps falling', 'there was no time for a trial', {}, null],
    ['steps falling', 'nothing is held out, and the text was read four times', { validations: [], readings: 4 }, null], // prettier-ignore
    ['heldOut unseen', 'nothing is held out, and the text was read more often', { validations: [], readings: 5 }, null], // prettier-ignore
    ['heldOut unseen', 'nothing is held out, and the loss stands still', { validations: [], losses: flat }, null], // prettier-ignore
    ['none', 'nothing is held out, and nothing can be', { validations: [], losses: flat, canHoldOut: false }, null], // prettier-ignore
    ['text read', 'nothing is held out, and the text is known', { validations: [], losses: flat, readings: 20, randomLoss: 25 }, null], // prettier-ignore
    ['text read', 'nothing is held out, and what is known to the letter still falls by a little', { validations: [], losses: falling(0.6, 0.4), readings: 20 }, null], // prettier-ignore
    ['heldOut unseen', 'the text was read often, and is not known', { validations: [], losses: flat, readings: 20 }, null], // prettier-ignore
    ['steps unread', 'nothing is held out, and the text was not read once', { validations: [], losses: flat, readings: 0.5 }, null], // prettier-ignore
  ])('advise %s if %s', (advice, _, changes, trial) => {
    const { help, why } = advise({ ...facts, ...changes }, trial) ?? { help: 'none', why: '' };
    expect(`${help} ${why}`.trim()).toBe(advice);
  });

  test('do not take a swing of the validation loss for a rise', () => {
    const swings = Array.from({ length: 20 }, (_, at) => 2.05 + 0.05 * (-1) ** (at + 1));
    const validations = points([...falling(3, 2.1, 30), ...swings]);
    expect(validations.at(-1)!.loss).toBeGreaterThan(2 * 1.01);
    expect(advise({ ...facts, validations }, { more, larger: null })?.why).toBe('trial');
  });

  test('name the step of the lowest validation loss', () => {
    const validations = points([...falling(3, 2, 30), ...falling(2.1, 2.2, 20)]);
    const lowest = { step: 600, loss: 2, end: 2.2 };
    expect(advise({ ...facts, validations }, null)).toMatchObject(lowest);
  });
});

/** Trains with the real module; returns the advice, its trial and the run. */
async function adviseAfter(
  text: string,
  changes: Readonly<Record<string, number>>,
): Promise<{ advice: Advice | null; trial: Trial | null; run: RunData }> {
  const made = await finishRun(text, { preset: 'tinygpt', changes });
  const trial = await made.trial();
  return { advice: advise(made.facts, trial), trial, run: made.run };
}

describe('after a run of the real module', () => {
  const small = { context: 32, batch: 4 };

  test('that is too short, more steps are advised, with what a trial of them brought', async () => {
    const { advice, trial } = await adviseAfter(story, { ...small, channels: 32, steps: 100 });
    expect(advice).toMatchObject({ help: 'steps', why: 'trial', ...trial!.more });
    expect(advice).toMatchObject({ steps: 10 });
  });

  test('that overfits 1 kB, more text is advised, and the step of the lowest loss is named', async () => {
    const text = story.slice(0, 1000);
    const changes = { context: 16, batch: 8, channels: 32, steps: 600, lr: 0.004 };
    const { advice, run } = await adviseAfter(text, changes);
    const lowest = Math.min(...run.history.validations.map(({ loss }) => loss));
    const step = run.history.validations.find(({ loss }) => loss === lowest)!.step;
    expect(advice).toMatchObject({ help: 'text', why: 'heart', step, loss: lowest });
    expect(step).toBeLessThan(540);
  });

  test('that a tiny model has no more use for, a larger model is advised', async () => {
    const tiny = { ...small, channels: 2, layers: 1, steps: 4000 };
    const { advice, trial, run } = await adviseAfter(story, tiny);
    const own = run.history.validations.find(({ step }) => step === 400)!.loss;
    expect(advice).toMatchObject({ help: 'model', why: 'trial', steps: 400, own });
    expect(trial!.larger!.loss).toBeLessThan(own);
  });

  test('a trial measures the same losses each time, and its trainers are closed', async () => {
    const trainers: DirectTrainer[] = [];
    const text = story.slice(0, 20_000);
    const trainer = new DirectTrainer(engineBytes());
    const recipe = { preset: 'tinygpt', changes: { ...small, channels: 8, steps: 40 } };
    await trainer.setText(text);
    const [table, plan] = [await trainer.options(), await trainer.plan(recipe)];
    const run = new RunData(0);
    trainer.subscribe((snapshot) => {
      run.take(snapshot);
    });
    await trainer.prepare(recipe);
    while (run.state !== 'finished') await trainer.step();
    const larger = await largerThan(trainer, { table, recipe, plan });
    const { validations } = run.history;
    const made = { table, recipe, plan, steps: 40, validations, larger, heldOut: null };
    const finished = { ...made, stepsPerSecond: 1e6 };
    const once = async (): Promise<unknown[]> => {
      const trial = await runTrial(
        finished,
        async () => ({
          text: new TextEncoder().encode(text),
          checkpoint: await trainer.save('checkpoint', ''),
        }),
        () => {
          trainers.push(new DirectTrainer(engineBytes()));
          return Promise.resolve(trainers.at(-1)!);
        },
        new AbortController().signal,
      );
      return [trial?.more, trial?.larger?.steps, trial?.larger?.loss];
    };
    const [first, second] = [await once(), await once()];
    expect(second).toEqual(first);
    expect(first[0]).toMatchObject({ steps: 4, before: validations.at(-1)!.loss });
    expect(first[1]).toBe(4);
    expect(trainers).toHaveLength(2);
    for (const one of trainers) await one.closed;
  });

  test('a trial that is called off, or whose model diverges, ends with an error', async () => {
    const recipe = { preset: 'tinygpt', changes: { ...small, channels: 8, steps: 400 } };
    const text = story.slice(0, 20_000);
    const trainer = new DirectTrainer(engineBytes());
    await trainer.setText(text);
    const [table, plan] = [await trainer.options(), await trainer.plan(recipe)];
    await trainer.prepare(recipe);
    for (let step = 0; step < 400; step++) await trainer.step();
    const none = { validations: [], larger: null, heldOut: null };
    const finished = { table, recipe, plan, steps: 400, ...none };
    const stop = new AbortController();
    const tried = (of: Recipe, start: () => void): Promise<Trial | null> =>
      runTrial(
        { ...finished, recipe: of, stepsPerSecond: 1e6 },
        async () => ({
          text: new TextEncoder().encode(text),
          checkpoint: await trainer.save('checkpoint', ''),
        }),
        () => {
          start();
          return Promise.resolve(new DirectTrainer(engineBytes()));
        },
        stop.signal,
      );
    const wild = withChange(table, withChange(table, recipe, 'lr', 10), 'weight_decay', 10);
    await expect(tried(wild, () => undefined)).rejects.toMatchObject({ code: 'diverged' });
    const calledOff = tried(recipe, () => stop.abort());
    await expect(calledOff).rejects.toThrow();
  });
});
