/**
 * Receipts of runs: content, the first difference that a replay finds, and resistance to hostile
 * receipts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { GlasshouseError } from '../web/engine/errors.ts';
import { compareReceiptLines, findWholeReceipt, parseReceiptLine } from '../web/engine/receipt.ts';
import type { RunReceipt } from '../web/engine/receipt.ts';
import { verifyReceipt } from '../web/engine/verify.ts';
import { readSafetensors } from './node/read-safetensors.ts';

const root = join(import.meta.dirname, '..');
const engine = new Uint8Array(readFileSync(join(root, 'build/wasm/glasshouse.wasm')));
const text = () => new Uint8Array(readFileSync(join(root, 'public/texts/first-names-en.txt')));

interface LongForm {
  engine: number;
  line: string;
  preset: string;
  options: Record<string, number | string>;
  text_hash: string;
  step: number;
  changes: { step: number; option: string; from: number; to: number }[];
  losses: string;
  weights: string;
}
const parse = ({ json }: RunReceipt): LongForm => JSON.parse(json) as LongForm;

/** Trains 12 steps; `lr` and `clip` each change twice after step 6. */
async function run(seed = 42): Promise<{ trainer: DirectTrainer; receipt: RunReceipt }> {
  const trainer = new DirectTrainer(engine);
  await trainer.setText(text());
  const changes = { seed, steps: 400, layers: 1, channels: 16, heads: 2 };
  await trainer.prepare({ preset: 'microgpt', changes });
  for (let step = 0; step < 6; step++) await trainer.step();
  await trainer.set('lr', 0.5);
  await trainer.set('lr', 0.1 + 0.2);
  await trainer.set('clip', 1);
  await trainer.set('clip', 0);
  for (let step = 0; step < 6; step++) await trainer.step();
  return { trainer, receipt: await trainer.receipt() };
}

let made: Awaited<ReturnType<typeof run>>;
beforeAll(async () => {
  made = await run();
});
afterAll(() => made.trainer.close());

describe('a receipt', () => {
  test('has the options of step 0, the changes that were left, and all losses to the bit', () => {
    const long = parse(made.receipt);
    expect(long).toMatchObject({
      engine: 1,
      line: made.receipt.line,
      preset: 'microgpt',
      step: 12,
    });
    expect(long.options).toMatchObject({ lr: 0.001, steps: 400, seed: 42, clip: 0 });
    expect(long.changes).toEqual([
      { step: 6, option: 'lr', from: 0.001, to: '3FD3333333333334' }, // 0.1 + 0.2 needs 17 digits
    ]);
    expect(long.losses).toMatch(/^[0-9a-f]{96}$/);
    expect(made.receipt.line).toMatch(/^gh1-microgpt-s42-12-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}$/);
    expect(made.receipt.line.endsWith(long.weights.slice(0, 8))).toBe(true);
  });

  test('has the SHA-256 of the weights as an independent reader of the checkpoint computes it', async () => {
    const file = await made.trainer.save('weights', '');
    const { tensors } = readSafetensors(new Uint8Array(await file.arrayBuffer()));
    const hash = createHash('sha256');
    for (const { bytes } of tensors.values()) hash.update(bytes);
    expect(parse(made.receipt).weights).toBe(hash.digest('hex'));
  });

  test('keeps its log of changes through a checkpoint, and loses it at a rewind', async () => {
    const { trainer, receipt } = await run();
    const weights = await trainer.save('checkpoint', '');
    const files = { weights };
    const { values } = await trainer.inspect(files);
    const recipe = { preset: 'microgpt', changes: { ...values, lr: 0.01 } };
    await trainer.prepare(recipe, { files, purpose: 'resume' });
    const resumed = parse(await trainer.receipt());
    expect(resumed.losses).toBe(parse(receipt).losses);
    expect(resumed.options['lr']).toBe(0.001);
    expect(resumed.changes.map(({ step, option }) => [step, option])).toEqual([
      [6, 'lr'],
      [12, 'lr'],
    ]);
    await trainer.rewind();
    const rewound = parse(await trainer.receipt());
    expect(rewound).toMatchObject({ step: 0, changes: [], losses: '' });
    trainer.close();
  });

  test('of two runs of one recipe is the same; lines say what differs first', async () => {
    const again = await run();
    expect(again.receipt).toEqual(made.receipt);
    const other = await run(43);
    const lines = [made, again, other].map(({ receipt }) =>
      parseReceiptLine(` “${receipt.line}”.\n`)!,
    );
    expect(compareReceiptLines(lines[0]!, lines[1]!)).toEqual([]);
    expect(compareReceiptLines(lines[0]!, lines[2]!)).toEqual(['seed', 'recipe']);
    const differing = (part: object) =>
      compareReceiptLines(lines[0]!, { ...lines[0]!, losses: '00000000', ...part });
    const none = '00000000';
    const causes = ['preset', 'seed', 'step', 'recipe'];
    expect(differing({ engine: 2, seed: 1 })).toEqual(['engine']);
    expect(differing({ step: 13, weights: none })).toEqual(['step']);
    expect(differing({ preset: 'gpt2', seed: 1, step: 13, recipe: none })).toEqual(causes);
    expect(differing({ weights: none })).toEqual(['losses']);
    expect(differing({ losses: lines[0]!.losses, weights: none })).toEqual(['weights']);
    again.trainer.close();
    other.trainer.close();
  });

  test('is found among other words, unless it is cut or there is another', () => {
    const { line, json } = made.receipt;
    const read = parseReceiptLine(line);
    expect(read).not.toBeNull();
    for (const around of [
      `Zhang San: ${line}`,
      `张三${line}。`,
      `My run\n“${line}”, as asked`,
      `${line}\n${line}`,
    ]) {
      expect(parseReceiptLine(around)).toEqual(read);
    }
    const bad = [
      '',
      'gh1',
      `${line}x`,
      `${line}-0`,
      `x${line}`,
      line.slice(0, -1),
      `${line} ${line.replace(/-s\d+-/, '-s43-')}`,
    ];
    for (const text of [...bad, '-'.repeat(1e6), 'gh1-'.repeat(1e5)]) {
      expect(parseReceiptLine(text)).toBeNull();
    }
    expect(findWholeReceipt(`Zhang San: ${json}`)).toBe(json);
    for (const text of ['', '{"a":1}', '{', 'null', line, json.slice(0, -1), `[${json}]x`]) {
      expect(findWholeReceipt(text)).toBe(text.startsWith('[') ? json : null);
    }
  });
});

/**
 * Returns the receipt with changed content and a line whose hashes match, as a careful forger would
 * submit it.
 */
function forge(receipt: RunReceipt, change: (long: LongForm) => void): string {
  const long = parse(receipt);
  change(long);
  const fitted = (hashes: string[]) => {
    const [engineName, preset, seed] = receipt.line.split('-');
    return [engineName, preset, seed, String(long.step), ...hashes].join('-');
  };
  const parts = receipt.line.split('-');
  const floats = Buffer.from(long.losses, 'hex');
  for (let at = 0; at < floats.length; at += 4) floats.subarray(at, at + 4).reverse();
  const stride = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
  const losses = createHash('sha256').update(stride).update(floats).digest('hex').slice(0, 8);
  long.line = fitted([parts[4]!, losses, long.weights.slice(0, 8)]);
  return JSON.stringify(long);
}

describe('a replay', () => {
  test('finds a true receipt true, and tells how far it is', async () => {
    const seen: number[] = [];
    const onProgress = ({ done }: { done: number }) => void seen.push(done);
    const finding = await verifyReceipt(engine, made.receipt.json, text(), { onProgress });
    expect(finding).toEqual({
      same: true,
      done: 12,
      steps: 12,
      difference: '',
      at: 0,
      expected: '',
      found: '',
    });
    expect(seen.at(-1)).toBe(12);
  });

  test('finds the first step whose loss was changed by one bit', async () => {
    const forged = forge(made.receipt, (long) => {
      const digits = Array.from(long.losses);
      digits[8 * 4 + 7] = digits[8 * 4 + 7] === '0' ? '1' : '0'; // the fifth loss
      digits[8 * 9 + 7] = digits[8 * 9 + 7] === '0' ? '1' : '0';
      long.losses = digits.join('');
    });
    const finding = await verifyReceipt(engine, forged, text());
    expect(finding).toMatchObject({ same: false, difference: 'loss', at: 5, done: 5 });
    expect(finding.found.toLowerCase()).toBe(parse(made.receipt).losses.slice(32, 40));
  });

  test('finds other weights after the last step', async () => {
    const forged = forge(made.receipt, (long) => {
      long.weights = `${long.weights.slice(0, 63)}${long.weights.endsWith('0') ? '1' : '0'}`;
    });
    const finding = await verifyReceipt(engine, forged, text());
    expect(finding).toMatchObject({ same: false, difference: 'weights', at: 12, done: 12 });
  });

  test('is refused on another text, for another engine, and when it would be too long', async () => {
    const verify = (json: string, bytes = text(), maxSteps = 100) =>
      verifyReceipt(engine, json, bytes, { maxSteps });
    const { json } = made.receipt;
    await expect(verify(json, text().subarray(1))).rejects.toMatchObject({ code: 'text-differs' });
    await expect(verify(json.replace('"engine":1', '"engine":2'))).rejects.toMatchObject({
      code: 'receipt-engine',
    });
    await expect(verify(json, text(), 11)).rejects.toMatchObject({ code: 'receipt-steps' });
    await expect(verify('x'.repeat(9 << 20))).rejects.toMatchObject({ code: 'receipt' });
    const stop = AbortSignal.abort();
    await expect(verifyReceipt(engine, json, text(), { signal: stop })).rejects.toThrow(/abort/i);
  });

  test('from a shell gives the same answer, with Node alone and natively', () => {
    const folder = mkdtempSync(join(tmpdir(), 'glasshouse-receipt-'));
    try {
      const file = join(folder, 'receipt.json');
      writeFileSync(file, made.receipt.json);
      const names = join(root, 'public/texts/first-names-en.txt');
      const script = join(root, 'tests/examples/verify.mjs');
      const answer = execFileSync('node', [script, file, names], { encoding: 'utf8' });
      expect(JSON.parse(answer)).toMatchObject({ same: true, done: 12 });
      const native = join(root, 'build/train_gpt');
      const args = ['--data', names, '--verify', file];
      expect(execFileSync(native, args, { encoding: 'utf8' })).toBe(answer);
      // The same text in another encoding is the same text.
      const wide = join(folder, 'wide.txt');
      const lines = readFileSync(names, 'utf8').replaceAll('\n', '\r\n');
      writeFileSync(wide, Buffer.from(`\ufeff${lines}`, 'utf16le'));
      expect(execFileSync('node', [script, file, wide], { encoding: 'utf8' })).toBe(answer);
      const forged = forge(made.receipt, (long) => {
        long.losses = long.losses.replace(/^./, '0');
      });
      writeFileSync(file, forged);
      expect(spawnSync('node', [script, file, names]).status).toBe(1);
      const found = spawnSync(native, args, { encoding: 'utf8' });
      expect([found.status, JSON.parse(found.stdout)]).toEqual([
        1,
        expect.objectContaining({ at: 1 }),
      ]);
      expect(found.stderr).toContain('the replay differs from this receipt');
      const without = { ...(JSON.parse(made.receipt.json) as object), weights: undefined };
      writeFileSync(file, JSON.stringify(without));
      expect(spawnSync(native, args, { encoding: 'utf8' }).stderr).toContain('damaged (weights)');
      for (const other of [forge(made.receipt, (long) => (long.preset = 'tinygpt')), '{}']) {
        writeFileSync(file, other);
        expect(spawnSync('node', [script, file, names]).status).toBe(2);
      }
      // A receipt that could not be checked exits with 2, a false one with 1.
      expect(spawnSync('node', [script, join(folder, 'none.json'), names]).status).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('writing in the middle of a run never changes the run, whatever seed is asked for', async () => {
  const { trainer, receipt } = await run();
  trainer.close();
  const other = new DirectTrainer(engine);
  try {
    await other.setText(text());
    const changes = { seed: 42, steps: 400, layers: 1, channels: 16, heads: 2 };
    await other.prepare({ preset: 'microgpt', changes });
    for (let step = 0; step < 6; step++) await other.step();
    await other.set('lr', 0.1 + 0.2);
    const request = { prompt: 'a', maxTokens: 8, temperature: 1, topK: 0, topP: 1 };
    await other.sample({ ...request, seed: 5 });
    for (const seed of [-1, 1.5, NaN, 2 ** 53]) {
      await expect(other.sample({ ...request, seed })).rejects.toMatchObject({ code: 'range' });
      await expect(other.beginGeneration({ ...request, seed })).rejects.toMatchObject({
        code: 'range',
      });
    }
    for (let step = 0; step < 6; step++) await other.step();
    expect((await other.receipt()).line).toBe(receipt.line);
  } finally {
    other.close();
  }
});

test('a receipt that is cut or damaged anywhere is refused with a clear error, or replays', async () => {
  const { json } = made.receipt;
  // A fixed pseudo-random sequence: every run of the test damages the same bytes.
  let state = 1;
  const draw = (below: number) => (state = (state * 48271) % 2147483647) % below;
  const pieces = ['"', '{', '}', '[', ',', '-1', '1e308', 'null', '\\u0000', '9'.repeat(400)];
  const damaged = [
    ...Array.from({ length: 60 }, () => json.slice(0, draw(json.length))),
    ...Array.from({ length: 300 }, () => {
      const at = draw(json.length);
      return json.slice(0, at) + pieces[draw(pieces.length)]! + json.slice(at + draw(12));
    }),
    '[]',
    '{"format":"glasshouse-receipt"}',
    `${json} x`,
    '['.repeat(100_000),
  ];
  for (const receipt of damaged) {
    try {
      const finding = await verifyReceipt(engine, receipt, text(), { maxSteps: 100 });
      expect(finding.steps).toBeLessThanOrEqual(100);
    } catch (error) {
      expect(error).toBeInstanceOf(GlasshouseError);
      expect((error as GlasshouseError).code).not.toBe('unexpected');
    }
  }
});
