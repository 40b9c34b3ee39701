/**
 * Arguments of wrong types from untyped callers: each call of the library names the types it
 * accepts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTrainer,
  encodeText,
  finishRun,
  GlasshouseError,
  receiptRuns,
  verifyReceipt,
} from '../web/package/index.ts';
import { OPTIONS, PRESETS } from '../web/package/names.ts';
import type { TrainerWithPast } from '../web/package/index.ts';

const path = join(import.meta.dirname, '../build/wasm/glasshouse.wasm');
const engine = new Uint8Array(readFileSync(path));

type Call = (...given: unknown[]) => unknown;
let trainer: TrainerWithPast;
const callOf = (name: string): Call =>
  (trainer as unknown as Record<string, Call>)[name]!.bind(trainer);

beforeAll(async () => {
  trainer = await createTrainer({ engine });
  await trainer.setText('anna\nbob\nclara\n');
  await trainer.prepare({ preset: 'microgpt', changes: { steps: 3, layers: 1, channels: 8 } });
  await finishRun(trainer);
});
afterAll(() => {
  trainer.close();
});

test('the names of presets and options, which are types, are those of the engine', async () => {
  const { presets, options } = await trainer.options();
  expect([...PRESETS]).toEqual(presets);
  expect([...OPTIONS]).toEqual(options.map(({ name }) => name));
});

type Wrong = readonly [call: string, ...given: unknown[]];

const WRONG: readonly Wrong[] = [
  ['setText', 5],
  ['inspect'],
  ['save'],
  ['convert', 'x', 'onnx'],
  ['convert', new Uint8Array(8)],
  ['convert', new Uint8Array(8), 'card-hf', { language: 'fr' }],
  ['measure'],
  ['translate'],
  ['architecture', { preset: 'microgpt' }],
  ['parameterCounts', 5, 5],
  ['probe', 5],
  ['probe', 'a', 'b'],
  ['analyse', 'anna'],
  ['analyse'],
  ['tensors', 'a'],
  ['tensor', 3],
  ['vocabulary', '1', 2],
  ['merges', 0],
  ['trace'],
  ['trace', 5],
  ['indexText', 5],
  ['keepMoments', '1'],
  ['keepMoments', -1],
  ['giveMoments', [null]],
  ['goBack', {}],
  ['watch', {}],
  ['rest', NaN],
  ['verify', '{}'],
  ['verify', '{}', [null]],
  ['giveMoments', 5],
  ['wayBack', '1'],
  ['goBack', 5],
  ['verify', 5],
  ['scoreByTable', 1],
  ['writeByTable', 1, 'a', 5],
  ['plan', 'microgpt'],
  ['prepare', 'microgpt'],
  ['prepare', { preset: 'microgpt' }, {}],
  ['prepare', { preset: 'microgpt', leftOut: '5:8' }],
  ['start', '5'],
  ['pace', 'x'],
  ['rest'],
  ['set', 'lr', '0.01'],
  ['watch'],
  ['sample'],
  ['sample', 'a'],
  ['sample', { prompt: 'a', tokens: 3 }],
  ['sample', {}, 5],
  ['beginGeneration'],
  ['takeToken', '3'],
  ['adjustSampling'],
  ['at', '10'],
  ['at', 1.5],
  ['at', 1n],
  ['at', 0, null],
  ['at', 0, { signal: 5 }],
];

describe('a call', () => {
  test.each(WRONG.map((wrong) => [wrong[0], wrong] as const))(
    '%s with something else than it takes rejects with its name',
    async (_, [name, ...given]) => {
      const answer = Promise.resolve().then(() => callOf(name)(...given));
      await expect(answer).rejects.toBeInstanceOf(GlasshouseError);
      await expect(answer).rejects.toMatchObject({ code: 'argument' });
    },
  );

  test('of a function with something else than it takes fails with a GlasshouseError', async () => {
    await expect(finishRun({} as never)).rejects.toBeInstanceOf(GlasshouseError);
    await expect(finishRun(undefined as never)).rejects.toBeInstanceOf(GlasshouseError);
    for (const receipt of [undefined, 5, await trainer.receipt()]) {
      const answer = verifyReceipt(receipt as never, 'anna');
      await expect(answer).rejects.toMatchObject({ code: 'argument' });
    }
    const nothing = verifyReceipt('{}', 'anna', null as never);
    await expect(nothing).rejects.toMatchObject({ code: 'argument' });
    await expect(createTrainer({ engine, past: NaN })).rejects.toMatchObject({ code: 'argument' });
    expect(() => receiptRuns(5 as never)).toThrow(GlasshouseError);
    expect(() => receiptRuns(undefined as never)).toThrow(GlasshouseError);
    for (const text of [5, undefined, Symbol('a')]) {
      expect(() => encodeText(text as never)).toThrow(GlasshouseError);
    }
  });

  test('to a listener that is none throws', () => {
    expect(() => callOf('subscribe')(5)).toThrow(GlasshouseError);
  });

  test('whose signal was given is cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(trainer.at(1, { signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('with what it takes is answered', async () => {
    expect((await trainer.sample({ prompt: 'a' })).text.length).toBeGreaterThanOrEqual(0);
    expect((await trainer.analyse('anna', 100)).meanLoss).toBeGreaterThan(0);
    await trainer.pace({ seconds: 2 });
    await trainer.pace(0);
  });
});

test('a trainer without options that are any is refused', async () => {
  await expect(createTrainer(null as never)).rejects.toMatchObject({ code: 'argument' });
});

test('the engine may be at an address on the disk, and what is no module is said to be none', async () => {
  const { json } = await trainer.receipt();
  const text = 'anna\nbob\nclara\n';
  const url = `file://${path}`;
  expect((await verifyReceipt(json, text, { engine: url })).same).toBe(true);
  const page = new TextEncoder().encode('<!doctype html>');
  // The subject decides whether the page advises to check the connection.
  for (const [wrong, subject] of [
    [page, 'server'],
    ['file:///nowhere/glasshouse.wasm', ''],
  ] as const) {
    await expect(verifyReceipt(json, text, { engine: wrong })).rejects.toMatchObject({
      code: 'load',
      subject,
    });
  }
});
