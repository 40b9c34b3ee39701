/**
 * Forks: runs that start on a new text from the weights of another run. Their receipts contain the
 * receipts of their ancestors, and verify with all of the texts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorkerTrainer } from '../web/engine/client.ts';
import { DirectTrainer } from '../web/engine/direct.ts';

import { receiptRuns } from '../web/engine/receipt.ts';
import { verifyReceipt } from '../web/engine/verify.ts';
import type { RunReceipt } from '../web/engine/receipt.ts';
import { serve } from '../web/engine/serve.ts';
import type { Purpose } from '../web/engine/trainer.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');
const engine = engineBytes();
const encode = (text: string) => new TextEncoder().encode(text);

const names = readFileSync(join(root, 'public/texts/first-names-en.txt'), 'utf8').split('\n');
/** The first text contains every letter; the texts share no names. */
const letters = 'abcdefghijklmnopqrstuvwxyz';
const texts = [[letters, ...names.slice(0, 400)], names.slice(400, 500), names.slice(900, 950)].map(
  (part) => encode(`${part.join('\n')}\n`),
);
const [first, second, third] = texts as [Bytes, Bytes, Bytes];
type Bytes = Uint8Array<ArrayBuffer>;

async function steps(trainer: DirectTrainer, count: number): Promise<void> {
  for (let step = 0; step < count; step++) await trainer.step();
}

/** Forks the run of `trainer`, at its current step, onto another text. */
async function forkOf(trainer: DirectTrainer, text: Bytes): Promise<DirectTrainer> {
  const files = { weights: await trainer.save('checkpoint', '') };
  const fork = new DirectTrainer(engine);
  await fork.setText(text.slice());
  const { values } = await fork.inspect(files);
  const recipe = { preset: 'microgpt', changes: { ...values, lr: 0.004, seed: 7 } };
  await fork.prepare(recipe, { files, purpose: 'fork' });
  return fork;
}

let parent: DirectTrainer;
let fork: DirectTrainer;
let before: RunReceipt;
let receipt: RunReceipt;
beforeAll(async () => {
  parent = new DirectTrainer(engine);
  await parent.setText(first.slice());
  const changes = { steps: 400, layers: 1, channels: 16, heads: 2, context: 16 };
  await parent.prepare({ preset: 'microgpt', changes });
  await steps(parent, 4);
  await parent.set('lr', 0.1 + 0.2);
  await steps(parent, 4);
  before = await parent.receipt();
  fork = await forkOf(parent, second);
  await steps(fork, 3);
  await fork.set('clip', 1);
  await steps(fork, 3);
  receipt = await fork.receipt();
});
afterAll(() => {
  parent.close();
  fork.close();
});

interface LongForm {
  line: string;
  imported: boolean;
  step: number;
  options: Record<string, number>;
  changes: { step: number; to: number }[];
  text_hash: string;
  losses: string;
  weights: string;
  parent?: LongForm;
}

describe('the receipt of a fork', () => {
  test('holds that of its parent as it is, and is not imported', () => {
    const long = JSON.parse(receipt.json) as LongForm;
    expect(receipt.json.endsWith(`,"parent":${before.json}}`)).toBe(true);
    expect(long).toMatchObject({ imported: false, step: 6, line: receipt.line });
    expect(long.options).toMatchObject({ lr: 0.004, seed: 7 });
    expect(before.json).not.toContain('parent');
  });

  test('says which runs it speaks of, and by which texts', () => {
    const [own, its, ...others] = receiptRuns(receipt);
    expect(own).toMatchObject({ line: receipt.line, textBytes: second.length, steps: 6 });
    expect(its).toMatchObject({ line: before.line, textBytes: first.length, steps: 8 });
    expect(its!.textHash).toMatch(/^[0-9A-F]{16}$/);
    expect(others).toEqual([]);
    expect(receiptRuns(before)).toHaveLength(1);
  });

  test('is verified by both texts in either order, here and by a trainer', async () => {
    const far: number[] = [];
    const onProgress = ({ done }: { done: number }) => void far.push(done);
    const found = { same: true, done: 14, steps: 14, run: 2, runs: 2 };
    for (const given of [
      [first, second],
      [second, third, first],
    ]) {
      const finding = await verifyReceipt(engine, receipt.json, given, { onProgress });
      expect(finding).toMatchObject(found);
      expect(await parent.verify(receipt.json, given)).toMatchObject(found);
    }
    expect(far.at(-1)).toBe(14);
    const limit = { maxSteps: 13 };
    await expect(verifyReceipt(engine, receipt.json, texts, limit)).rejects.toMatchObject({
      code: 'receipt-steps',
    });
  });

  test('is verified through a wire too, and the caller keeps the texts', async () => {
    const { port1, port2 } = new MessageChannel();
    serve(port2);
    const close = (): void => port1.close();
    const far = new WorkerTrainer(port1, WebAssembly.compile(engine), close);
    for (const port of [port1, port2]) port.start();
    const given = [second.slice(), first.slice()];
    expect(await far.verify(receipt.json, given)).toMatchObject({ same: true, runs: 2 });
    expect(await far.verify(before.json, given[1]!)).toMatchObject({ same: true, done: 8 });
    expect(given.map(({ length }) => length)).toEqual([second.length, first.length]);
    far.close();
  });

  test('with one text is refused, and the text that it lacks is named', async () => {
    const [own, its] = receiptRuns(receipt);
    for (const [given, lacks] of [
      [first, own!],
      [second, its!],
    ] as const) {
      await expect(verifyReceipt(engine, receipt.json, given)).rejects.toMatchObject({
        code: 'receipt-text',
        subject: lacks.textHash,
        values: [lacks.textBytes, 0, 0],
      });
    }
    await expect(verifyReceipt(engine, before.json, [second, third])).rejects.toMatchObject({
      code: 'text-differs',
    });
    expect(await verifyReceipt(engine, before.json, texts)).not.toHaveProperty('runs');
  });

  test('is refused when anything of its parent was altered', async () => {
    const other = (digits: string): string => digits.replace(/.$/, (d) => (d === '0' ? '1' : '0'));
    const alterations: ((long: LongForm) => void)[] = [
      (long) => (long.line = other(long.line)),
      (long) => (long.text_hash = other(long.text_hash)),
      (long) => (long.losses = other(long.losses)),
      (long) => (long.weights = other(long.weights)),
      (long) => (long.step = 7),
      (long) => (long.options['lr'] = 0.002),
      (long) => (long.changes[0]!.to = 0.5),
      (long) => (long.imported = true),
      (long) => (long.parent = JSON.parse(before.json) as LongForm),
    ];
    for (const alter of alterations) {
      const long = JSON.parse(receipt.json) as LongForm;
      alter(long.parent!);
      const json = JSON.stringify(long);
      await expect(verifyReceipt(engine, json, texts)).rejects.toMatchObject({ code: 'receipt' });
    }
    for (const none of [null, [], 'parent', {}, undefined]) {
      const json = JSON.stringify({ ...(JSON.parse(receipt.json) as LongForm), parent: none });
      await expect(verifyReceipt(engine, json, texts)).rejects.toMatchObject({ code: 'receipt' });
    }
    const spaced = JSON.stringify(JSON.parse(receipt.json), null, 2);
    expect(await verifyReceipt(engine, spaced, texts)).toMatchObject({ same: true });
  });
});

test('a fork that was saved and resumed has the receipt of one that was not, and can be forked', async () => {
  const files = { weights: await fork.save('checkpoint', '') };
  const resumed = new DirectTrainer(engine);
  await resumed.setText(second.slice());
  expect(await resumed.inspect(files)).toMatchObject({ forkable: true, resumable: true, step: 6 });
  const { values } = await resumed.inspect(files);
  await resumed.prepare({ preset: 'microgpt', changes: values }, { files, purpose: 'resume' });
  expect(await resumed.receipt()).toEqual(receipt);
  await steps(resumed, 2);
  const again = await forkOf(resumed, third);
  await steps(again, 2);
  const { json } = await again.receipt();
  expect(receiptRuns({ json }).map((one) => one.steps)).toEqual([2, 8, 8]);
  const shuffled = [second, third, first];
  expect(await verifyReceipt(engine, json, shuffled)).toMatchObject({ same: true, runs: 3 });
  await expect(verifyReceipt(engine, json, shuffled.slice(1))).rejects.toMatchObject({
    code: 'receipt-text',
  });
  await expect(again.rewind()).rejects.toMatchObject({ code: 'origin' });
  resumed.close();
  again.close();
});

test('an instance beside it goes back to any step of a fork, and is refused if it is another run', async () => {
  const files = { weights: await parent.save('checkpoint', '') };
  const open = async (purpose: Purpose, from = files): Promise<DirectTrainer> => {
    const trainer = new DirectTrainer(engineBytes('wasm-questions'));
    await trainer.setText(second.slice());
    await trainer.prepare(null, { files: from, purpose });
    return trainer;
  };
  const now = await open('fork');
  await now.keepMoments(1e7);
  const receipts = [await now.receipt()];
  for (let step = 0; step < 6; step++) {
    await now.step();
    receipts.push(await now.receipt());
  }
  const resumable = { weights: await now.save('checkpoint', '') };
  for (const past of [await open('fork'), await open('resume', resumable)]) {
    for (const step of [6, 0, 3]) {
      await past.goBack(await now.wayBack(step));
      expect(await past.receipt()).toEqual(receipts[step]);
    }
    past.close();
  }
  const other = await open('train');
  await expect(other.goBack(await now.wayBack(3))).rejects.toMatchObject({ code: 'moment' });
  other.close();
  now.close();
});

test('a fork of what cannot be repeated, and one on characters without tokens, are refused', async () => {
  const trainer = new DirectTrainer(engine);
  await trainer.setText(second.slice());
  const weights = { weights: await parent.save('weights', '') };
  expect(await trainer.inspect(weights)).toMatchObject({ forkable: false });
  const use = (files: { weights: Blob }) => trainer.prepare(null, { files, purpose: 'fork' });
  await expect(use(weights)).rejects.toMatchObject({ code: 'fork' });
  await trainer.prepare(null, { files: weights, purpose: 'train' });
  const imported = { weights: await trainer.save('checkpoint', '') };
  expect(await trainer.inspect(imported)).toMatchObject({ forkable: false, resumable: true });
  await expect(use(imported)).rejects.toMatchObject({ code: 'fork' });
  await trainer.setText('anna\n小明\n');
  await expect(use({ weights: await parent.save('checkpoint', '') })).rejects.toMatchObject({
    code: 'character',
    values: ['小'.codePointAt(0)],
  });
  trainer.close();
});

test('the command line forks a run to the same bits, and verifies what was made here', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-fork-'));
  const here = (name: string) => join(folder, name);
  const native = (...args: string[]) =>
    execFileSync(join(root, 'build/train_gpt'), args, { encoding: 'utf8', stdio: 'pipe' });
  try {
    for (const [index, text] of texts.entries()) writeFileSync(here(`${String(index)}.txt`), text);
    const [one, two] = [here('0.txt'), here('1.txt')];
    const file = await parent.save('checkpoint', '');
    writeFileSync(here('parent.safetensors'), new Uint8Array(await file.arrayBuffer()));
    const wanted = ['--fork', '--lr', '0.004', '--seed', '7', '--steps', '3', '--samples', '0'];
    const load = ['--load', here('parent.safetensors'), '--data', two];
    native(...load, ...wanted, '--receipt', here('native.json'));
    const ours = await forkOf(parent, second);
    await ours.set('steps', 3);
    await steps(ours, 3);
    const told = JSON.parse(readFileSync(here('native.json'), 'utf8')) as LongForm;
    const here3 = JSON.parse((await ours.receipt()).json) as LongForm;
    ours.close();
    expect([told.losses, told.weights]).toEqual([here3.losses, here3.weights]);
    expect(told.parent).toEqual(here3.parent);

    writeFileSync(here('fork.json'), receipt.json);
    const found = { same: true, done: 14, runs: 2 };
    for (const given of [
      [one, two],
      ['--data', two, one, here('2.txt')],
    ]) {
      const answer = native('--verify', here('fork.json'), ...given);
      expect(JSON.parse(answer)).toMatchObject(found);
    }
    const failed = (...args: string[]) =>
      spawnSync(join(root, 'build/train_gpt'), args, { encoding: 'utf8' });
    // A text that the receipt does not need may be in any encoding.
    writeFileSync(here('latin.txt'), Buffer.from('café', 'latin1'));
    const more = failed('--verify', here('fork.json'), one, here('latin.txt'), two);
    expect(JSON.parse(more.stdout)).toMatchObject(found);
    expect(more.stderr).toContain('latin.txt is not used: the receipt names no such text');
    const alone = failed('--verify', here('fork.json'), two);
    expect(alone.status).toBe(1);
    expect(alone.stderr).toContain(receiptRuns(receipt)[1]!.textHash);
    expect(failed('--verify', here('fork.json'), here('none.txt')).status).toBe(1);
    expect(failed('--fork', '--data', two).stderr).toContain('--fork needs --load');
    expect(failed(...load, '--fork', '--tune').stderr).toContain('exclude each other');
    expect(failed('--data', one, two).stderr).toContain('flags only');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
