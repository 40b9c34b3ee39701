/** The option `left_out`: twins, runs that differ only in text that one of them never read. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { joinRanges, rangesText } from '../web/engine/left-out.ts';
import type { ByteRange } from '../web/engine/left-out.ts';
import { sameRecipe, withChange } from '../web/engine/options.ts';
import type { WantedRecipe } from '../web/engine/options.ts';
import { verifyReceipt } from '../web/engine/verify.ts';
import { errors as english } from '../web/i18n/en/errors.ts';
import { errors as chinese } from '../web/i18n/zh/errors.ts';
import { run as runProgram, useFolder } from './node/command-line.ts';

const root = join(import.meta.dirname, '..');
const engine = new Uint8Array(readFileSync(join(root, 'build/wasm/glasshouse.wasm')));
const questions = new Uint8Array(readFileSync(join(root, 'build/wasm-questions/glasshouse.wasm')));
const { here } = useFolder();
const names = 'anna\nbob\ncarla\ndora\nemma\nfrida\ngreta\nhanna\nida\njana\n';
const [bob, bobEnd] = [names.indexOf('bob'), names.indexOf('carla')];
const small = { layers: 1, channels: 16, heads: 2, steps: 300 };

const open: DirectTrainer[] = [];
afterAll(() => {
  for (const trainer of open) trainer.close();
});

async function trainer(module = engine, text: Uint8Array | string = names): Promise<DirectTrainer> {
  const made = new DirectTrainer(module);
  open.push(made);
  await made.setText(typeof text === 'string' ? text : text.slice());
  return made;
}

async function trained(
  recipe: WantedRecipe,
  steps: number,
  ...on: Parameters<typeof trainer>
): Promise<DirectTrainer> {
  const made = await trainer(...on);
  await made.prepare(recipe);
  for (let step = 0; step < steps; step++) await made.step();
  return made;
}

const microgpt = (...leftOut: ByteRange[]): WantedRecipe => ({
  preset: 'microgpt',
  changes: small,
  leftOut,
});

describe('a list of ranges', () => {
  test('has one form, whatever its order and overlaps', () => {
    const ranges: ByteRange[] = [[9, 12], [3, 5], [5, 7], [4, 6], [20, 21], [9, 10]]; // prettier-ignore
    expect(joinRanges(ranges)).toEqual([[3, 7], [9, 12], [20, 21]]); // prettier-ignore
    expect(rangesText(ranges)).toBe('3:7,9:12,20:21');
    expect(rangesText([])).toBe('');
  });

  test('belongs to a recipe: it makes recipes differ, and other changes keep it', async () => {
    const table = await (await trainer()).options();
    const recipe = { preset: 'microgpt', changes: {}, leftOut: [[5, 8]] } as const;
    expect(sameRecipe(recipe, { ...recipe, leftOut: [[6, 8], [5, 7]] })).toBe(true); // prettier-ignore
    expect(sameRecipe(recipe, { preset: 'microgpt', changes: {} })).toBe(false);
    expect(withChange(table, recipe, 'layers', 3)).toEqual({ ...recipe, changes: { layers: 3 } });
  });
});

describe('a twin', () => {
  test('with nothing left out is the run itself, in its receipt and its file', async () => {
    const [plain, twin] = [
      await trained({ preset: 'microgpt', changes: small }, 8),
      await trained(microgpt(), 8),
    ];
    expect(await twin.receipt()).toEqual(await plain.receipt());
    const bytes = await Promise.all(
      [plain, twin].map(async (one) => (await one.save('checkpoint', '')).arrayBuffer()),
    );
    expect(Buffer.compare(Buffer.from(bytes[0]!), Buffer.from(bytes[1]!))).toBe(0);
    expect(Buffer.from(bytes[0]!).includes('left_out')).toBe(false);
  });

  test('with nothing left out has a receipt from before there was the option', async () => {
    const fixture = join(root, 'tests/fixtures/raw-bytes/names-crlf');
    const text = new Uint8Array(readFileSync(`${fixture}.txt`));
    const changes = { layers: 1, heads: 1, channels: 4, context: 8, steps: 40 };
    const twin = await trained({ preset: 'microgpt', changes, leftOut: [] }, 40, engine, text);
    const before = readFileSync(`${fixture}.receipt.json`, 'utf8');
    expect((await twin.receipt()).json).toBe(before.trimEnd());
  });

  test('has the receipt that it had when the option was new', async () => {
    const twin = await trained(microgpt([bob, bobEnd]), 8);
    expect((await twin.receipt()).line).toBe('gh1-microgpt-s42-8-8cb6fbe2-a1c9050f-007850fe');
  });

  test('knows the line less well that it has never read, and the others as well', async () => {
    const [plain, twin] = [
      await trained({ preset: 'microgpt', changes: small }, 300),
      await trained(microgpt([bob, bobEnd]), 300),
    ];
    const loss = async (one: DirectTrainer, line: string): Promise<number> =>
      (await one.analyse(line, 100)).meanLoss;
    expect((await loss(twin, 'bob')) - (await loss(plain, 'bob'))).toBeGreaterThan(1);
    for (const line of ['anna', 'dora', 'jana']) {
      expect(Math.abs((await loss(twin, line)) - (await loss(plain, line)))).toBeLessThan(0.5);
    }
  });

  test('verifies by its receipt, and not as the run that has read everything', async () => {
    const twin = await trained(microgpt([bob, bobEnd]), 12);
    const { json } = await twin.receipt();
    const text = new TextEncoder().encode(names);
    expect((JSON.parse(json) as { options: object }).options).toMatchObject({
      left_out: [[bob, bobEnd]],
    });
    expect(await verifyReceipt(engine, json, text)).toMatchObject({ same: true, done: 12 });
    const forged = json.replace(`,"left_out":[[${String(bob)},${String(bobEnd)}]]`, '');
    await expect(verifyReceipt(engine, forged, text)).rejects.toMatchObject({ code: 'receipt' });
  });

  test('goes on from its checkpoint to the bit, and with its own list only', async () => {
    const twin = await trained(microgpt([bob, bobEnd]), 7);
    const weights = await twin.save('checkpoint', '');
    const other = await trainer();
    expect((await other.inspect({ weights })).leftOut).toEqual([[bob, bobEnd]]);
    await other.prepare(null, { files: { weights }, purpose: 'resume' });
    for (let step = 0; step < 6; step++) await Promise.all([twin.step(), other.step()]);
    expect(await other.receipt()).toEqual(await twin.receipt());
    await other.prepare(microgpt([bob, bobEnd]), { files: { weights }, purpose: 'resume' });
    const wanted = { ...microgpt(), changes: {} };
    await expect(
      other.prepare(wanted, { files: { weights }, purpose: 'resume' }),
    ).rejects.toMatchObject({ code: 'fixed', subject: 'left_out' });
  });

  test('pauses and goes on to the bit', async () => {
    const steps = { ...microgpt([bob, bobEnd]), changes: { ...small, steps: 40 } };
    const [stepped, run] = [await trained(steps, 40), await trained(steps, 0)];
    const finished = new Promise<void>((resolve, reject) => {
      let paused = false;
      run.subscribe(({ state, step }) => {
        if (state === 'finished') resolve();
        if (!paused && step > 0) {
          paused = true;
          run.pause().then(() => run.start()).catch(reject); // prettier-ignore
        }
      });
    });
    await run.start();
    await finished;
    expect(await run.receipt()).toEqual(await stepped.receipt());
  });

  test('is told where a copied line stands only if it was read', async () => {
    const [plain, twin] = [
      await trained(microgpt(), 1, questions),
      await trained(microgpt([bob, bobEnd]), 1, questions),
    ];
    expect((await plain.trace('bob')).runs).toMatchObject([{ start: 0, end: 3 }]);
    expect((await twin.trace('bob')).runs).toEqual([]);
  });
});

describe('what cannot be left out', () => {
  test.each([
    ['a range that ends where it begins', [[5, 5]], 'left-out-range'],
    ['a range that is reversed', [[8, 5]], 'left-out-range'],
    ['a fraction', [[0.5, 5]], 'left-out-range'],
    ['a negative number', [[-1, 5]], 'left-out-range'],
    ['no number', [[NaN, 5]], 'left-out-range'],
    ['a number that is infinite', [[1, Infinity]], 'left-out-range'],
    ['bytes behind the text', [[5, names.length + 1]], 'left-out-end'],
    ['all of the text', [[0, names.length]], 'left-out-all'],
    [
      'too many ranges',
      Array.from({ length: 257 }, (_, i) => [2 * i, 2 * i + 1]),
      'left-out-count',
    ],
  ] as [string, ByteRange[], string][])('%s is refused by name', async (_, leftOut, code) => {
    const made = await trainer();
    await expect(made.prepare(microgpt(...leftOut))).rejects.toMatchObject({ code });
    await expect(made.plan(microgpt(...leftOut))).rejects.toMatchObject({ code });
    expect(english).toHaveProperty([`error.${code}`]);
    expect(chinese).toHaveProperty([`error.${code}`]);
  });
});

describe('--left-out', () => {
  const file = here('names.txt');
  writeFileSync(file, names);
  const range = `${String(bob)}:${String(bobEnd)}`;
  const recipe = Object.entries(small).flatMap(([name, value]) => [
    '--set',
    `${name}=${String(value)}`,
  ]);
  const train = ['--data', file, '--preset', 'microgpt', ...recipe, '--samples', '0'];

  test('trains the twin that the library trains, which verifies and goes on', async () => {
    const [receipt, saved] = [here('receipt.json'), here('saved.safetensors')];
    const half = [...train, '--left-out', range, '--steps', '20', '--set', 'schedule=constant'];
    const { errors } = runProgram(...half, '--receipt', receipt, '--save', saved);
    expect(errors).toContain('1 line of the training text is left out');
    const changes = { ...small, steps: 20, schedule: 0 };
    const twin = await trained({ ...microgpt([bob, bobEnd]), changes }, 20);
    expect(readFileSync(receipt, 'utf8').trimEnd()).toBe((await twin.receipt()).json);
    expect(runProgram('--verify', receipt, '--data', file).status).toBe(0);
    await twin.set('steps', 30);
    for (let step = 0; step < 10; step++) await twin.step();
    const on = ['--load', saved, '--data', file, '--steps', '30', '--samples', '0'];
    expect(runProgram(...on, '--receipt', receipt).status).toBe(0);
    expect(readFileSync(receipt, 'utf8').trimEnd()).toBe((await twin.receipt()).json);
    const other = runProgram(...on, '--left-out', '0:4');
    expect(other.errors).toContain('left_out cannot change during a run');
  });

  test('does not change the recipe that is fitted to the text', () => {
    const args = ['--data', file, '--steps', '1', '--samples', '0'];
    const fitted = ({ errors }: { errors: string }): string => errors.split('\n')[0]!;
    const twin = runProgram(...args, '--left-out', range);
    expect(fitted(twin)).toMatch(/^fitted to the text/);
    expect(fitted(twin)).toBe(fitted(runProgram(...args)));
  });

  test('says what is wrong, and stands in the help', () => {
    expect(runProgram('--help').out).toContain('--left-out RANGES');
    const wrong = [
      ['8:5', 'this is not a range of bytes: 8:5', 2],
      [`0:${String(names.length + 1)}`, `the text has ${String(names.length)} bytes`, 1],
      [`0:${String(names.length)}`, 'only 0 of 10 training windows or documents', 1],
    ] as const;
    for (const [ranges, message, status] of wrong) {
      const result = runProgram(...train, '--left-out', ranges);
      expect(result.errors).toContain(message);
      expect(result.status).toBe(status);
    }
    const alone = runProgram('--load', here('none'), '--left-out', '0:4');
    expect(alone.errors).toContain('--left-out needs --data FILE');
  });
});
