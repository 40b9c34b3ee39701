/**
 * Return to any step of a run: snapshots (`moments`) and the recomputation from a snapshot to a
 * step.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { startNodeHelper } from '../web/engine/node-helper.ts';
import type { WantedRecipe } from '../web/engine/options.ts';
import { PastRun, secondOf } from '../web/engine/past-run.ts';
import { readChanges } from '../web/engine/receipt.ts';
import { engineBytes } from './node/load-engine.ts';

const texts = join(import.meta.dirname, '../public/texts');
const names = readFileSync(join(texts, 'first-names-en.txt'), 'utf8');
const story = readFileSync(join(texts, 'moby-dick-en.txt'), 'utf8').slice(0, 20_000);

/** A fake of the browser's origin private file system: one file, in memory. */
class Disk {
  bytes = new Uint8Array(0);
  /** Capacity in bytes. */
  room = Infinity;
  refused = 0;
  isOpen = false;

  getDirectory = (): Promise<unknown> =>
    Promise.resolve({
      // eslint-disable-next-line @typescript-eslint/require-await
      keys: async function* () {
        yield 'another file';
      },
      getFileHandle: () => Promise.resolve({ createSyncAccessHandle: () => this.open() }),
    });

  open(): Promise<this> {
    this.isOpen = true;
    return Promise.resolve(this);
  }

  estimate = (): Promise<unknown> => Promise.resolve({ quota: 1e9, usage: 0 });

  read(into: Uint8Array, { at }: { at: number }): number {
    const part = this.bytes.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }

  write(from: Uint8Array, { at }: { at: number }): number {
    const end = at + from.length;
    if (end > this.room) {
      this.refused++;
      throw new DOMException('full', 'QuotaExceededError');
    }
    if (end > this.bytes.length) this.truncate(end);
    this.bytes.set(from, at);
    return from.length;
  }

  truncate(size: number): void {
    const before = this.bytes.subarray(0, size);
    this.bytes = new Uint8Array(size);
    this.bytes.set(before);
  }
}

const open: DirectTrainer[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const one of open.splice(0)) one.close();
});

async function trainerOf(
  text: string,
  recipe: WantedRecipe,
  bytes = 0,
  fileBytes = 0,
): Promise<DirectTrainer> {
  const trainer = new DirectTrainer(engineBytes('wasm-questions'));
  open.push(trainer);
  await trainer.keepMoments(bytes, fileBytes);
  await trainer.setText(text);
  await trainer.prepare(recipe);
  return trainer;
}

/** Returns the size of a snapshot of a run on names. */
async function snapshotBytes(recipe: WantedRecipe): Promise<number> {
  const { moment } = await (await trainerOf(names, recipe, 1e9)).wayBack(0);
  return moment!.length;
}

async function trainTo(trainer: DirectTrainer, step: number): Promise<void> {
  while ((trainer.place?.step ?? step) < step) await trainer.step();
}

const SIZE = { channels: 8, heads: 2, layers: 1, context: 8, batch: 2, validation: 0.1 };
/** Approximate bytes of a snapshot at this size. */
const SNAPSHOT = 60_000;

describe.each(['microgpt', 'tinygpt'])('a run of %s', (preset) => {
  const text = preset === 'microgpt' ? names : story;
  const recipe = { preset, changes: { ...SIZE, steps: 40 } };

  test('is at every one of its steps again what it was there, through changes and more steps', async () => {
    const run = await trainerOf(text, recipe, 12 * SNAPSHOT);
    const receipts = [(await run.receipt()).json];
    for (let step = 1; step <= 50; step++) {
      if (step === 13) await run.set('lr', 0.01);
      // Step 17 is the first step after the snapshot at step 16.
      if (step === 17) await run.set('clip', 0.5);
      if (step === 41) await run.set('steps', 50);
      await run.step();
      receipts.push((await run.receipt()).json);
    }
    const kept = await run.moments();
    expect(kept[0]).toBe(0);
    expect(kept.length).toBeGreaterThan(3);
    expect(kept.length).toBeLessThan(30);
    const past = await trainerOf(text, recipe);
    for (const step of [50, 0, 49, 1, 40, 41, 12, 13, 14, 29, 30, 31, 7, 50, 3, 25]) {
      await past.goBack(await run.wayBack(step));
      expect(past.place).toMatchObject({ step });
      expect((await past.receipt()).json).toBe(receipts[step]);
    }
  });

  test('is trained on as if no snapshots were kept', async () => {
    const [with_, without] = [
      await trainerOf(text, recipe, 5 * SNAPSHOT),
      await trainerOf(text, recipe),
    ];
    for (const one of [with_, without]) await trainTo(one, 40);
    expect(await with_.receipt()).toEqual(await without.receipt());
    expect((await with_.moments()).length).toBeGreaterThan(1);
    expect(await without.moments()).toEqual([]);
  });
});

test('a run on two threads is at its steps again on one, to the bit', async () => {
  const threads = readFileSync(join(import.meta.dirname, '../build/wasm-threads/glasshouse.wasm'));
  const run = new DirectTrainer(new Uint8Array(threads), {
    helpers: { count: 1, start: startNodeHelper },
  });
  open.push(run);
  let helped = 0;
  run.subscribe((snapshot) => {
    helped = snapshot.threads;
  });
  await run.keepMoments(12 * SNAPSHOT);
  await run.setText(story);
  const recipe = { preset: 'tinygpt', changes: { ...SIZE, steps: 200 } };
  await run.prepare(recipe);
  const receipts = [(await run.receipt()).json];
  // The helper joins after an unknown number of steps.
  while (receipts.length <= 40 || (helped < 2 && receipts.length < 200)) {
    await run.step();
    await new Promise((resolve) => setImmediate(resolve));
    receipts.push((await run.receipt()).json);
  }
  expect(helped).toBe(2);
  const past = await trainerOf(story, recipe);
  for (const step of [0, 39, 20, 7, receipts.length - 1]) {
    await past.goBack(await run.wayBack(step));
    expect((await past.receipt()).json).toBe(receipts[step]);
  }
});

describe('snapshots', () => {
  test('stay within their budget, the first ones close together and the others evenly spread', async () => {
    const steps = 600;
    const recipe = { preset: 'microgpt', changes: { ...SIZE, context: 32, batch: 16, steps } };
    const length = await snapshotBytes(recipe);
    const run = await trainerOf(names, recipe, 20 * length);
    for (let step = 1; step <= steps; step++) {
      await run.step();
      if (step % 50 === 0) expect((await run.moments()).length).toBeLessThanOrEqual(20);
    }
    const kept = await run.moments();
    expect(kept.slice(0, 4)).toEqual([0, 1, 2, 4]);
    expect(kept.length).toBeGreaterThan(12);
    const late = kept.filter((step) => step > 100);
    const gaps = new Set(late.slice(1).map((step, at) => step - late[at]!));
    expect(gaps.size).toBe(1);
  });

  test('are spread over the whole run where few fit, and early ones only as long as there is room', async () => {
    const steps = 400;
    const recipe = { preset: 'microgpt', changes: { ...SIZE, channels: 48, context: 32, steps } };
    const run = await trainerOf(names, recipe, 8.7 * (await snapshotBytes(recipe)));
    await trainTo(run, 40);
    expect(await run.moments()).toEqual([0, 1, 2, 4, 8, 16, 32]);
    await trainTo(run, steps);
    const kept = await run.moments();
    expect(kept).toHaveLength(8);
    const ends = [...kept.slice(1), steps];
    expect(Math.max(...ends.map((end, at) => end - kept[at]!))).toBeLessThanOrEqual(steps / 7);
  });

  test('that were kept elsewhere lead a run that goes on back to its own first steps, over changes', async () => {
    const recipe = { preset: 'microgpt', changes: { ...SIZE, steps: 60 } };
    const run = await trainerOf(names, recipe, 30 * SNAPSHOT);
    const receipts: string[] = [];
    for (let step = 0; step <= 60; step++) {
      receipts.push((await run.receipt()).json);
      if (step === 21) await run.set('lr', 0.02);
      if (step === 40) break;
      await run.step();
    }
    const kept = await Promise.all(
      (await run.moments()).map(async (step) => ({
        step,
        bytes: (await run.wayBack(step)).moment!,
      })),
    );
    const file = await run.save('checkpoint', '');
    const later = new DirectTrainer(engineBytes('wasm-questions'));
    open.push(later);
    await later.keepMoments(30 * SNAPSHOT);
    await later.setText(names);
    await later.prepare(null, { files: { weights: file }, purpose: 'resume' });
    await expect(later.wayBack(3)).rejects.toMatchObject({ code: 'past' });
    // Snapshots of another engine version, simulated by flipped bits.
    const strange = kept.map(({ step, bytes }) => ({ step, bytes: bytes.map((byte) => byte ^ 1) }));
    expect(await later.giveMoments(strange)).toBe(40);
    expect(await later.giveMoments(kept)).toBe(0);
    await trainTo(later, 60);
    const past = await trainerOf(names, recipe);
    for (const step of [3, 25, 22, 21, 39, 40]) {
      await past.goBack(await later.wayBack(step));
      expect((await past.receipt()).json).toBe(receipts[step]);
    }
    await past.goBack(await later.wayBack(60));
    expect((await past.receipt()).json).toBe((await later.receipt()).json);
  });

  test('in a file lead back to the bit over more changes than were to come, and when the disk is full', async () => {
    const steps = 400;
    const recipe = { preset: 'microgpt', changes: { ...SIZE, context: 32, batch: 16, steps } };
    const length = await snapshotBytes(recipe);
    const disk = new Disk();
    vi.stubGlobal('navigator', { storage: disk });
    const run = await trainerOf(names, recipe, 2 * length, 1e9);
    // Training does not wait for the disk file, so the test does.
    await expect.poll(() => disk.isOpen).toBe(true);
    const receipts: string[] = [];
    for (let step = 0; step < steps; step++) {
      receipts.push((await run.receipt()).json);
      if (step === 360) disk.room = disk.bytes.length;
      await run.set('lr', 0.01 / (step + 1));
      await run.step();
    }
    const from = async (step: number): Promise<number> => (await run.wayBack(step)).from;
    // The recorded changes outgrew the space reserved in the snapshot file, which then started
    // anew.
    expect(readChanges({ json: receipts.at(-1)! }).length).toBeGreaterThan(300);
    // Snapshots taken after the disk was full replace older ones in the file.
    expect(await from(399)).toBeGreaterThan(380);
    expect(disk.refused).toBeGreaterThan(0);
    const past = await trainerOf(names, recipe);
    for (const step of [399, 320, 299, 250]) {
      await past.goBack(await run.wayBack(step));
      expect((await past.receipt()).json).toBe(receipts[step]);
    }
  });

  test('are no more than fit, where the budget holds one or none', async () => {
    const recipe = { preset: 'microgpt', changes: { ...SIZE, steps: 40 } };
    const length = await snapshotBytes(recipe);
    for (const [budget, kept] of [
      [1.5 * length, [0]],
      [0.5 * length, []],
    ] as const) {
      const run = await trainerOf(names, recipe, budget);
      await trainTo(run, 40);
      expect(await run.moments()).toEqual(kept);
    }
  });

  test('are those of the run of now: a rewound run, another one and no budget begin anew', async () => {
    const recipe = { preset: 'microgpt', changes: { ...SIZE, steps: 20 } };
    const run = await trainerOf(names, recipe, 50 * SNAPSHOT);
    await trainTo(run, 9);
    expect(await run.moments()).toEqual([0, 1, 2, 4, 8]);
    await run.rewind();
    expect(await run.moments()).toEqual([0]);
    await trainTo(run, 3);
    await run.keepMoments(0);
    expect(await run.moments()).toEqual([]);
    await expect(run.wayBack(1)).rejects.toMatchObject({ code: 'past' });
    // Snapshots begin at the step at which the budget is set.
    await run.keepMoments(50 * SNAPSHOT);
    await trainTo(run, 5);
    expect(await run.moments()).toEqual([3, 4]);
    await expect(run.wayBack(2)).rejects.toMatchObject({ code: 'past' });
    await expect(run.wayBack(6)).rejects.toMatchObject({ code: 'past' });
    await expect(run.wayBack(1.5)).rejects.toMatchObject({ code: 'past' });
    expect((await run.wayBack(5)).from).toBe(4);
  });

  test('of another run are refused, and the newest way that was asked for is the one that is gone', async () => {
    const recipe = { preset: 'microgpt', changes: { ...SIZE, steps: 4000 } };
    const run = await trainerOf(names, recipe, 3 * SNAPSHOT);
    const other = await trainerOf(story, recipe);
    await trainTo(run, 3000);
    await expect(other.goBack(await run.wayBack(2))).rejects.toMatchObject({ code: 'moment' });
    const past = await trainerOf(names, recipe);
    const way = await run.wayBack(5);
    let second = Promise.resolve();
    const long = past.goBack({ ...(await run.wayBack(0)), step: 3000 }, () => {
      second = past.goBack(way);
    });
    const [first] = await Promise.allSettled([long]);
    await second;
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } });
    expect(past.place).toMatchObject({ step: 5, state: 'paused' });
  });

  test('a way that nobody wants any more ends, and no question is asked at its end', async () => {
    const recipe = { preset: 'microgpt', changes: { ...SIZE, steps: 4000 } };
    const run = await trainerOf(names, recipe, 3 * SNAPSHOT);
    await trainTo(run, 3000);
    const second = await trainerOf(names, recipe);
    let ended = 0;
    const goBack = second.goBack.bind(second);
    second.goBack = (way, onWay) => goBack(way, onWay).finally(() => (ended += 1));
    const past = new PastRun(run, () => Promise.resolve(second));
    const stop = new AbortController();
    let asked = 0;
    const visit = past.visit(
      2999,
      () => {
        asked += 1;
        return Promise.resolve();
      },
      { signal: stop.signal, onWay: () => stop.abort() },
    );
    await expect(visit).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => ended).toBe(1);
    expect(second.place?.step).toBeLessThan(2999);
    expect(asked).toBe(0);
    // The second engine accepts the next visit.
    expect(await past.visit(7, (engine) => Promise.resolve(engine === second))).toBe(true);
    expect(second.place).toMatchObject({ step: 7 });
  });

  test('an engine that looks back tells nothing of the steps before, and is at one of them to the bit', async () => {
    const recipe = { preset: 'microgpt', changes: { ...SIZE, steps: 40 } };
    const run = await trainerOf(names, recipe, 3 * SNAPSHOT);
    await trainTo(run, 7);
    const seventh = (await run.receipt()).json;
    await trainTo(run, 30);
    const told: number[] = [];
    const made = new DirectTrainer(engineBytes('wasm-questions'));
    open.push(made);
    const start = (): Promise<DirectTrainer> => {
      made.subscribe(({ losses, validations, memorised, samples }) => {
        told.push(losses.length + validations.length + memorised.length + samples.length);
      });
      return Promise.resolve(made);
    };
    const second = await secondOf(run, names, start, () => undefined);
    expect(made.place).toMatchObject({ step: 30 });
    expect(told.length).toBeGreaterThan(0);
    expect(Math.max(...told)).toBe(0);
    const past = new PastRun(run, () => Promise.resolve(second));
    expect((await past.at(7).receipt()).json).toBe(seventh);
  });
});
