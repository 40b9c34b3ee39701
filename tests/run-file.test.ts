/**
 * The file of a run (.glasshouse): round trip, resumption, and an error code for each invalid file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { GlasshouseError } from '../web/engine/errors.ts';
import type { Checkpoint } from '../web/engine/trainer.ts';
import { sha256 } from '../web/store/sha256.ts';
import { LARGEST_RUN_FILE, readRunFile, writeRunFile } from '../web/store/runs/run-file.ts';
import type { FiledRun } from '../web/store/runs/run-file.ts';

const root = join(import.meta.dirname, '..');
const engine = readFileSync(join(root, 'build/wasm/glasshouse.wasm'));
const TEXT = 'anna\nhanna\nnina\nannika\nhanne\n'.repeat(8);
const RECIPE = { preset: 'microgpt', changes: { channels: 8, layers: 1, heads: 2, steps: 40 } };
const HEAD = 48;

const text = new Blob([TEXT]);

async function trainerOf(learned = TEXT): Promise<DirectTrainer> {
  const trainer = new DirectTrainer(new Uint8Array(engine));
  await trainer.setText(new TextEncoder().encode(learned));
  return trainer;
}

async function stepTo(trainer: DirectTrainer, from: number, to: number): Promise<Checkpoint> {
  for (let step = from; step < to; step++) await trainer.step();
  return trainer.checkpoint('');
}

/** Converts a checkpoint to the content of a run file; `changes` replace parts of its history. */
async function runOf(
  { file, history, step, steps }: Checkpoint,
  changes: Partial<Checkpoint['history']> = {},
): Promise<FiledRun> {
  return {
    facts: {
      ...{ name: 'Mine 〇', created: 1.5e12, recipe: RECIPE, step, steps, loss: 1 / 3 },
      text: { key: await sha256(text), source: 'own', fileName: 'a.txt', bytes: text.size },
      tokensPerCharacter: 1.25,
    },
    save: { file, history: { ...history, ...changes }, probe: 'hanna' },
    text,
  };
}

const bytesOf = async (blob: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await blob.arrayBuffer());

/** Returns code, values and subject of the error that reading throws. */
async function refusal(file: Blob): Promise<Pick<GlasshouseError, 'code' | 'values' | 'subject'>> {
  const thrown: unknown = await readRunFile(file, 'a.glasshouse').then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(GlasshouseError);
  const { code, values, subject } = thrown as GlasshouseError;
  return { code, values, subject };
}

const trainer = await trainerOf();
await trainer.prepare(RECIPE);
const point = await stepTo(trainer, 0, 12);
const marks = {
  validations: [{ step: 3, loss: 0.1 + 0.2 }, { step: 5, loss: NaN }], // prettier-ignore
  memorised: [{ step: 3, train: 1 / 3, heldOut: NaN }],
  samples: [{ step: 4, texts: ['an\nna', ''], cut: [1] }],
};
const written = await runOf(point, marks);
const file = await writeRunFile(written);

describe('a run file', () => {
  test('gives back all that went in', async () => {
    const { facts, save, text: back } = await readRunFile(file, 'a');
    expect(facts).toEqual(written.facts);
    expect(save.probe).toBe('hanna');
    expect(save.history).toEqual(written.save.history);
    expect(await bytesOf(save.file)).toEqual(await bytesOf(point.file));
    expect(await back?.text()).toBe(TEXT);
  });

  test('trains on to the bits of the run that never stopped', async () => {
    const { save } = await readRunFile(file, 'a');
    const other = await trainerOf();
    const origin = { files: { weights: save.file }, purpose: 'resume', history: save.history } as const; // prettier-ignore
    await other.prepare({}, origin);
    const [resumed, unbroken] = [await stepTo(other, 12, 40), await stepTo(trainer, 12, 40)];
    expect(await sha256(resumed.file)).toBe(await sha256(unbroken.file));
    expect(resumed.history.losses).toEqual(unbroken.history.losses);
    other.close();
    trainer.close();
  });

  test('of version 1 trains on to the bits of a run that never stopped', async () => {
    const old = readFileSync(join(root, 'tests/fixtures/run-file/version-1.glasshouse'));
    const { facts, save, text: learned } = await readRunFile(new Blob([old]), 'a');
    const [resumed, unbroken] = [
      await trainerOf(await learned!.text()),
      await trainerOf('anna\nhanna\nnina\nannika\nhanne\nina\nlina\nleni\n'.repeat(6)),
    ];
    const changes = { channels: 8, layers: 1, heads: 2, steps: 60 };
    await unbroken.prepare({ preset: 'microgpt', changes });
    const origin = { files: { weights: save.file }, purpose: 'resume', history: save.history } as const; // prettier-ignore
    await resumed.prepare(facts.recipe, origin);
    const ends = [await stepTo(resumed, 37, 60), await stepTo(unbroken, 0, 60)];
    expect(await sha256(ends[0]!.file)).toBe(await sha256(ends[1]!.file));
    for (const one of [resumed, unbroken]) one.close();
  });

  test('has the text only if that was asked for', async () => {
    const without = await writeRunFile({ ...written, text: null });
    expect(await without.text()).not.toContain('annika');
    expect((await readRunFile(without, 'a')).text).toBeNull();
  });

  test('keeps which of many steps its curve is of', async () => {
    const numbers = Float32Array.of(3, 2, 1);
    const history = {
      ...{ stride: 5, losses: numbers, learningRates: numbers, gradientNorms: numbers },
      ...{ validations: [], samples: [] },
    };
    const kept = await writeRunFile(await runOf({ ...point, history }));
    expect((await readRunFile(kept, 'a')).save.history).toEqual(history);
  });
});

describe('what is no whole run file', () => {
  test('is damaged wherever a single bit of it differs', async () => {
    const whole = await bytesOf(file);
    const length = new DataView(whole.buffer).getUint32(12, true);
    const { parts } = JSON.parse(new TextDecoder().decode(whole.subarray(HEAD, HEAD + length))) as {
      parts: { name: string; bytes: number }[];
    };
    const places = [
      { name: 'manifest', at: 20 },
      { name: 'manifest', at: HEAD },
      { name: 'manifest', at: HEAD + length - 1 },
    ];
    let at = HEAD + length;
    for (const { name, bytes } of parts) {
      places.push({ name, at }, { name, at: at + bytes - 1 });
      at += bytes;
    }
    expect(at).toBe(whole.length);
    for (const place of places) {
      const other = whole.slice();
      other[place.at]! ^= 4;
      const found = await refusal(new Blob([other]));
      expect(found).toMatchObject({ code: 'run-file-damaged', subject: place.name });
    }
  });

  test('is too short wherever it was cut', async () => {
    for (const size of [9, HEAD, HEAD + 5, file.size - 1]) {
      const { code, values } = await refusal(file.slice(0, size));
      expect({ code, has: values[0] }).toEqual({ code: 'run-file-short', has: size });
    }
    expect((await refusal(new Blob([file, 'x']))).subject).toBe('end');
  });

  test('is of a newer version by its number, whatever follows that', async () => {
    const newer = new DataView(new ArrayBuffer(64));
    new Uint8Array(newer.buffer).set(new TextEncoder().encode('GLASSRUN'));
    newer.setUint32(8, 2, true);
    const found = await refusal(new Blob([newer.buffer]));
    expect(found).toMatchObject({ code: 'run-file-newer', values: [2, 1] });
    newer.setUint32(8, 0, true);
    expect((await refusal(new Blob([newer.buffer]))).code).toBe('run-file-damaged');
  });

  test('is a model, or another file, and called so', async () => {
    expect(await refusal(point.file)).toMatchObject({ code: 'run-file-model' });
    for (const other of ['', 'GLASSRU', 'To be, or not to be', '{"run":1}']) {
      const found = await refusal(new Blob([other]));
      expect(found).toMatchObject({ code: 'run-file-kind', subject: 'a.glasshouse' });
    }
  });

  test('is larger than may be, on the way in and on the way out', async () => {
    const large = { size: LARGEST_RUN_FILE + 1 } as Blob;
    const wanted = { code: 'run-file-size', values: [LARGEST_RUN_FILE + 1, LARGEST_RUN_FILE] };
    expect(await refusal(large)).toMatchObject(wanted);
    const writing = writeRunFile({ ...written, text: { size: LARGEST_RUN_FILE } as Blob });
    await expect(writing).rejects.toMatchObject({ code: 'run-file-size' });
  });

  test('has another text than its run learned', async () => {
    const facts = { ...written.facts, text: { ...written.facts.text, key: '0'.repeat(64) } };
    // A stored text gets its own hash as key; a run file without the text keeps the given key.
    const back = await readRunFile(await writeRunFile({ ...written, facts }), 'a');
    expect(back.facts.text.key).toBe(await sha256(text));
    const forged = await forge(({ run }) => {
      (run['text'] as Record<string, unknown>)['key'] = '0'.repeat(64);
    });
    expect(await refusal(forged)).toMatchObject({ code: 'run-file-damaged', subject: 'text' });
  });

  test.each<[string, (run: Record<string, unknown>) => void]>([
    ['no recipe', (run) => delete run['recipe']],
    ['a recipe of words', (run) => (run['recipe'] = { preset: 'a', changes: { lr: 'b' } })],
    ['steps below zero', (run) => (run['step'] = -1)],
    ['half a step', (run) => (run['steps'] = 0.5)],
    ['a name that is no text', (run) => (run['name'] = ['a'])],
    ['a text that is none', (run) => (run['text'] = null)],
    ['a probe of megabytes', (run) => (run['probe'] = 'a'.repeat(100_001))],
    ['ranges to leave out that are none', (run) => (run['recipe'] = { ...RECIPE, leftOut: [5] })],
    ['a stride of no step', (run) => (run['stride'] = 0)],
  ])('has hashes that fit, but %s', async (_, change) => {
    const found = await refusal(await forge(({ run }) => change(run)));
    expect(found).toMatchObject({ code: 'run-file-damaged', subject: 'manifest' });
  });

  test('has another number of steps than its curve', async () => {
    const found = await refusal(await forge(({ run }) => (run['step'] = 11)));
    expect(found).toMatchObject({ code: 'run-file-damaged', subject: 'curve' });
  });

  test.each([
    { validations: [{ step: 0.5, loss: 1 }] },
    { memorised: {} },
    { samples: [{ step: 4, texts: [7] }] },
    { samples: [{ step: 4, texts: [], cut: [-1] }] },
  ])('has the marks %j', async (changed) => {
    const damage = await writeRunFile(await runOf(point, { ...marks, ...changed } as never));
    expect(await refusal(damage)).toMatchObject({ code: 'run-file-damaged', subject: 'samples' });
  });

  test.each<[string, (parts: { name: string; bytes: number }[]) => void]>([
    ['a part of no size', (parts) => (parts[0]!.bytes = NaN)],
    ['a part that nobody knows', (parts) => (parts[0]!.name = 'weights')],
    ['parts in another order', (parts) => parts.reverse()],
  ])('has %s', async (_, change) => {
    expect((await refusal(await forge(({ parts }) => change(parts)))).code).toBe(
      'run-file-damaged',
    );
  });
});

/** Returns the file with a changed manifest and a matching hash. */
async function forge(
  change: (manifest: {
    run: Record<string, unknown>;
    parts: { name: string; bytes: number }[];
  }) => void,
): Promise<Blob> {
  const whole = await bytesOf(file);
  const end = HEAD + new DataView(whole.buffer).getUint32(12, true);
  const manifest = JSON.parse(new TextDecoder().decode(whole.subarray(HEAD, end))) as Parameters<
    typeof change
  >[0];
  change(manifest);
  const json = new Blob([JSON.stringify(manifest)]);
  const head = whole.slice(0, HEAD);
  new DataView(head.buffer).setUint32(12, json.size, true);
  head.set(Buffer.from(await sha256(json), 'hex'), 16);
  return new Blob([head, json, whole.subarray(end)]);
}
