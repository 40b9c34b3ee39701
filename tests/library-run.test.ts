/** Tests of the library: training to a step, status and losses, reading of texts. */
import { afterEach, expect, test } from 'vitest';
import { createTrainer, verifyReceipt } from '../web/package/index.ts';
import type { TrainerWithPast } from '../web/package/index.ts';
import { engineBytes } from './node/load-engine.ts';

const TEXT = 'anna\nbella\nhanna\nalba\nnora\nleonora\n';
const CHANGES = { channels: 8, layers: 1, heads: 2, context: 8, steps: 60 };
const engine = engineBytes('wasm-questions');

let trainer: TrainerWithPast;
afterEach(() => {
  trainer.close();
});

/** Prepares a run of a small model on a text. */
async function prepared(
  text: string | Uint8Array<ArrayBuffer> = TEXT,
  changes: Readonly<Record<string, number>> = {},
  read: 'file' | 'as-is' = 'file',
): Promise<void> {
  trainer = await createTrainer({ engine });
  await trainer.setText(text, { read });
  await trainer.prepare({ preset: 'microgpt', changes: { ...CHANGES, ...changes } });
}
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (why: unknown) => (why as { readonly code: string }).code,
  );

test('trains to a step, and says how the run goes', async () => {
  trainer = await createTrainer({ engine });
  expect(trainer.status()).toMatchObject({ state: 'loading', step: 0, loss: null });
  trainer.close();
  await prepared();
  expect(trainer.status()).toMatchObject({ state: 'ready', step: 0, steps: 60, loss: null });
  const at20 = await trainer.train(20);
  expect(at20).toEqual(trainer.status());
  expect(at20).toMatchObject({ state: 'paused', step: 20, loss: trainer.losses().at(-1) });
  expect(trainer.losses()).toHaveLength(20);
  expect((await trainer.train(10)).step).toBe(20);
  expect(await trainer.train()).toMatchObject({ state: 'finished', step: 60 });
  expect(trainer.losses()).toHaveLength(60);
  await trainer.rewind();
  expect(trainer.losses()).toEqual([]);
});

test('says the validation loss where text is held out', async () => {
  await prepared(TEXT.repeat(9), { validation: 0.2 });
  expect((await trainer.train(1)).validationLoss).toBeGreaterThan(0);
});

test('rejects where a run is paused, given up, diverges, or cannot start', async () => {
  await prepared(TEXT, { steps: 1_000_000 });
  const trained = codeOf(trainer.train());
  await new Promise(setImmediate);
  await trainer.pause();
  expect(await trained).toBe('paused');
  const giveUp = new AbortController();
  const given = codeOf(trainer.train(undefined, { signal: giveUp.signal }));
  await new Promise(setImmediate);
  giveUp.abort();
  expect(await given).toBe('cancelled');
  expect(trainer.status().state).toBe('paused');
  const before = trainer.status().step;
  expect(await codeOf(trainer.train(undefined, { signal: AbortSignal.abort() }))).toBe('cancelled');
  expect(trainer.status().step).toBe(before);
  expect(await codeOf(trainer.train('5' as never))).toBe('argument');
  const closed = codeOf(trainer.train());
  await new Promise(setImmediate);
  trainer.close();
  expect(await closed).toBe('worker');

  await prepared(TEXT, { lr: 10, channels: 16, schedule: 0, weight_decay: 10 });
  expect(await codeOf(trainer.train())).toBe('diverged');
  expect(trainer.status()).toMatchObject({ state: 'diverged', error: { code: 'diverged' } });
  trainer.close();

  trainer = await createTrainer({ engine });
  expect(await codeOf(trainer.train())).toBe('state');
});

test('validates as often as asked, in the same run', async () => {
  const lines: string[] = [];
  for (const [validations, steps] of [
    [undefined, [1, 2, 4, 6, 8, 10]],
    [5, [1, 5, 10]],
    [0, []],
  ] as const) {
    await prepared(TEXT.repeat(9), { validation: 0.2, steps: 100 });
    const seen: number[] = [];
    trainer.subscribe(
      (snapshot) => void seen.push(...snapshot.validations.map(({ step }) => step)),
    );
    const watch = { attention: null, samples: null };
    await trainer.watch(validations === undefined ? watch : { ...watch, validations });
    await trainer.train(10);
    expect(seen).toEqual(steps);
    expect(trainer.status().validationLoss === null).toBe(validations === 0);
    lines.push((await trainer.receipt()).line);
    trainer.close();
  }
  expect(new Set(lines).size).toBe(1);
});

test('tells of a text as it grows, and ends it in between', async () => {
  await prepared();
  // Bytes of a stream, which does not end.
  await trainer.prepare({ preset: 'tinygpt', changes: CHANGES });
  const parts: string[] = [];
  const whole = await trainer.sample({ maxTokens: 300 }, (text) => parts.push(text));
  expect(whole.tokens).toBe(300);
  expect(parts.length).toBeGreaterThan(15);
  expect(parts.at(-1)).toBe(whole.text);
  const ended = await trainer.sample({ maxTokens: 300 }, () => void trainer.cancelSample());
  expect(ended).toMatchObject({ cancelled: true });
  // The writer looks for a cancellation after each piece of 16 tokens.
  expect(ended.tokens).toBeLessThanOrEqual(32);
  expect(whole.text.startsWith(ended.text)).toBe(true);
});

test('makes files of other programs from a checkpoint, as from its weights', async () => {
  await prepared();
  await trainer.train(5);
  const [weights, checkpoint] = [await trainer.save('weights', ''), await trainer.save('checkpoint', '')]; // prettier-ignore
  const bytes = async (file: Blob) => new Uint8Array(await file.arrayBuffer());
  const made = await bytes(await trainer.convert(weights, 'onnx'));
  expect(await bytes(await trainer.convert(checkpoint, 'onnx'))).toEqual(made);
  expect(await trainer.measure(checkpoint, 'onnx')).toBe(made.length);
  await expect(trainer.convert(new Blob(['no model']), 'onnx')).rejects.toThrow();
});

const FILE = new TextEncoder().encode(`\uFEFF${TEXT.replaceAll('\n', '\r\n')}`);

test('reads bytes as a file, and a string as it is', async () => {
  const lines = new Map<string, string>();
  for (const [name, text, read] of [
    ['text', TEXT, 'file'],
    ['file', FILE, 'file'],
    ['bytes', FILE, 'as-is'],
    ['string', new TextDecoder('utf-8', { ignoreBOM: true }).decode(FILE), 'file'],
  ] as const) {
    await prepared(text, {}, read);
    await trainer.train(3);
    const { json, line } = await trainer.receipt();
    lines.set(name, line);
    // A receipt of either reading is verified with the same file.
    if (name !== 'text') expect((await verifyReceipt(json, FILE, { engine })).same).toBe(true);
    expect((await (await trainer.at(2)).receipt()).line).toContain('-2-');
    trainer.close();
  }
  expect(lines.get('file')).toBe(lines.get('text'));
  expect(lines.get('string')).toBe(lines.get('bytes'));
  expect(lines.get('bytes')).not.toBe(lines.get('file'));
  trainer = await createTrainer({ engine });
  const invalid = Uint8Array.of(97, 0xe9);
  await expect(trainer.setText(invalid)).rejects.toThrow('not UTF-8');
  await trainer.setText(invalid, { read: 'as-is' });
});
