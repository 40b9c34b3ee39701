/**
 * Continues a tab's run in PyTorch: public/pytorch/glasshouse.py reads our files, trains under
 * torchrun, writes the same text and saves a checkpoint for the tab. Needs a Python with PyTorch
 * (PYTHON names one; Debian's python3-torch works with /usr/bin/python3 only); otherwise the tests
 * are skipped, and the committed fixtures of oracle.test.ts cover PyTorch.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { verifyReceipt } from '../web/engine/verify.ts';
import type { RunReceipt } from '../web/engine/receipt.ts';
import { isLong, long } from './long.ts';
import { RawTrainer } from './node/oracle-engine.ts';
import { readSafetensors, valuesOf } from './node/read-safetensors.ts';
import type { SafetensorsFile } from './node/read-safetensors.ts';

const root = join(import.meta.dirname, '..');
const script = join(root, 'public/pytorch/glasshouse.py');
const scratch = join(root, 'build/torch');
const engine = new Uint8Array(readFileSync(join(root, 'build/wasm/glasshouse.wasm')));
const MINUTES = 120_000; // PyTorch takes seconds to start, more on a busy machine

// One thread per process: the models are tiny, and other tests run in parallel.
const environment = { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' };

function findPython(): string | null {
  const named = process.env['PYTHON'];
  const names = [...(named ? [named] : []), '/usr/bin/python3', 'python3'];
  const hasTorch = (name: string): boolean =>
    spawnSync(name, ['-c', 'import torch'], { env: environment }).status === 0;
  return names.find(hasTorch) ?? null;
}

const python = findPython();
if (python === null) {
  console.warn(
    'no Python with PyTorch: its live tests are skipped (`make test-torch` installs it)',
  );
}

/** Runs Python and returns its output; throws with its errors when it fails. */
function run(...args: string[]): string {
  const result = spawnSync(python!, args, {
    env: environment,
    cwd: root,
    timeout: MINUTES,
    maxBuffer: 1 << 26,
  });
  if (result.status !== 0) {
    throw new Error(
      `python ${args.join(' ')}: ${result.error?.message ?? ''}${String(result.stderr)}`,
    );
  }
  return result.stdout.toString();
}

/** Returns an unused local port. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Runs the command of c/cli/README.md verbatim up to the script, with its own port instead of
 * --standalone: PyTorch 1.13 uses one fixed port for that.
 */
async function torchrun(processes: number, ...args: string[]): Promise<string> {
  const readme = readFileSync(join(root, 'c/cli/README.md'), 'utf8');
  const flags =
    /^torchrun (.*) --standalone --nproc_per_node \d+ public\/pytorch\/glasshouse\.py /m;
  const [, words] = flags.exec(readme)!;
  const port = String(await freePort());
  const where = ['--master_addr', '127.0.0.1', '--master_port', port];
  const launch = [...words!.split(' '), ...where, '--nproc_per_node', String(processes)];
  return run('-m', 'torch.distributed.run', ...launch, script, ...args);
}

const lossesOf = (log: string): number[] =>
  [...log.matchAll(/^step \d+\/\d+ loss (\S+)$/gm)].map((match) => Number(match[1]));

const fixturePath = (name: string): string =>
  join(root, 'tests/fixtures/oracle', `${name}.safetensors`);

const optionsOf = (file: SafetensorsFile): Record<string, number> =>
  JSON.parse(file.metadata['glasshouse.config']!) as Record<string, number>;

/** Returns the first fixture with these options. */
function findFixture(wanted: Record<string, number>): string {
  const names = readdirSync(join(root, 'tests/fixtures/oracle')).sort();
  for (const name of names.map((file) => file.replace('.safetensors', ''))) {
    const options = optionsOf(readSafetensors(readFileSync(fixturePath(name))));
    if (Object.entries(wanted).every(([option, value]) => options[option] === value)) return name;
  }
  throw new Error(`no fixture has ${JSON.stringify(wanted)}`);
}

/** Writes the text of a fixture to a file. */
function writeText(file: SafetensorsFile, name: string): string {
  const path = join(scratch, `${name}.txt`);
  writeFileSync(path, file.metadata['fixture.text']!);
  return path;
}

/** Creates an engine with the weights of a file. */
async function engineWith(file: SafetensorsFile): Promise<RawTrainer> {
  const text = new TextEncoder().encode(file.metadata['fixture.text']);
  const trainer = await RawTrainer.create('gpt2', optionsOf(file), text);
  for (const [index, { name }] of trainer.parameters().entries()) {
    trainer.setWeights(index, valuesOf(file, name) as Float32Array);
  }
  return trainer;
}

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

/** Returns the receipt of the run in a checkpoint. */
async function receiptOf(
  checkpoint: Uint8Array,
  text: Uint8Array<ArrayBuffer>,
): Promise<RunReceipt> {
  const trainer = new DirectTrainer(engine);
  try {
    await trainer.setText(text);
    const weights = new Blob([new Uint8Array(checkpoint)]);
    const files = { weights };
    const { values } = await trainer.inspect(files);
    await trainer.prepare({ preset: 'gpt2', changes: values }, { files, purpose: 'resume' });
    return await trainer.receipt();
  } finally {
    trainer.close();
  }
}

describe.skipIf(python === null)('PyTorch', () => {
  beforeAll(() => {
    mkdirSync(scratch, { recursive: true });
  });

  long('reads a file of any family and gives the same logits', { timeout: 3 * MINUTES }, () => {
    const json = run('tests/generate/torch_checks.py', 'logits');
    const errors = JSON.parse(json) as Record<string, number>;
    expect(Object.keys(errors)).toEqual(expect.arrayContaining(['tinygpt', 'microgpt', 'gpt2']));
    // Float against double, as for the engine in oracle.test.ts.
    expect(Math.max(...Object.values(errors))).toBeLessThan(1e-5);
  });

  long(
    'agrees with GPT-2 as numpy computes it, and with its tokens',
    { timeout: 3 * MINUTES },
    () => {
      const json = run('tests/generate/torch_checks.py', 'gpt2');
      const answer = JSON.parse(json) as Record<string, number> & { ids: number[][] };
      const path = join(root, 'tests/fixtures/gpt2-tiny/expected.json');
      const expected = JSON.parse(readFileSync(path, 'utf8')) as {
        texts: { ids: number[] }[];
      };
      expect(answer.ids).toEqual(expected.texts.map(({ ids }) => ids));
      for (const form of ['float32', 'float16', 'bfloat16']) {
        expect(answer[form], form).toBeLessThan(1e-5);
      }
    },
  );

  // A stream and padded documents; two processes share five rows as three and two.
  long.each([
    { kind: 'windows of a stream', wanted: { sequences: 0, batch: 5 } },
    { kind: 'documents of unequal length', wanted: { sequences: 1, batch: 5, tied_head: 1 } },
  ])(
    'goes on with a run in two processes, over $kind, as the tab does',
    { timeout: 3 * MINUTES },
    async ({ wanted }) => {
      const name = findFixture(wanted);
      const file = readSafetensors(readFileSync(fixturePath(name)));
      const data = ['--data', writeText(file, name)];
      const [first, second] = [
        join(scratch, `${name}-1.safetensors`),
        join(scratch, `${name}-2.safetensors`),
      ];
      const begin = ['--load', fixturePath(name), '--steps', '7', '--save', first];
      const end = ['--load', first, '--steps', '5', '--save', second];
      const losses = [
        ...lossesOf(await torchrun(2, ...begin, ...data)),
        ...lossesOf(await torchrun(2, ...end, ...data)),
      ];
      const expected = [...valuesOf(file, 'fixture.losses')].slice(0, 12);
      expect(losses).toHaveLength(12);
      // The output has seven decimals; float rounding over twelve updates accounts for the rest.
      for (const [i, loss] of losses.entries()) expect(loss / expected[i]!).toBeCloseTo(1, 5);

      // The tab can resume the saved run.
      const saved = readSafetensors(readFileSync(second));
      expect([...valuesOf(saved, 'run.losses')]).toHaveLength(12);
      const state = JSON.parse(saved.metadata['glasshouse.state']!) as Record<string, unknown>;
      const documents = file.metadata['fixture.text']!.split('\n').filter(Boolean).length;
      const cursor = wanted.sequences === 0 ? 0 : 60 % documents;
      expect(optionsOf(file)['validation']).toBe(0);
      expect(state).toMatchObject({ step: 12, cursor, loss_stride: 1 });
      expect(state['rng']).toMatch(/^\d+$/);
      expect(state['text_hash']).toMatch(/^[0-9A-F]{16}$/);
      const trained = await engineWith(file);
      for (let step = 0; step < 12; step++) trained.step();
      const opened = await engineWith(saved);
      const probe = new TextEncoder().encode(file.metadata['fixture.probe']);
      const [ours, theirs] = [trained, opened].map((trainer) => {
        trainer.probe(probe, false);
        return trainer.probeData('logits');
      });
      const size = Math.max(...ours!.map(Math.abs));
      const apart = Math.max(...ours!.map((x, i) => Math.abs(x - theirs![i]!)));
      expect(apart / size).toBeLessThan(1e-4); // the limit of the loss curve in oracle.test.ts
      expect(state['tokens_seen']).toBe(trained.get('tokens_seen'));
    },
  );

  long.each([
    { kind: 'a stream, over a full context', wanted: { sequences: 0, tokenizer: 1 } },
    { kind: 'documents', wanted: { sequences: 1, tokenizer: 1 } },
  ])('writes the same text as the engine: $kind', { timeout: 3 * MINUTES }, async ({ wanted }) => {
    const name = findFixture(wanted);
    const trainer = await engineWith(readSafetensors(readFileSync(fixturePath(name))));
    const prompt = 'a b';
    for (const [temperature, topK, topP] of [
      [0, 0, 1],
      [1, 0, 1],
      [1.3, 9, 0.8],
    ]) {
      const options = { tokens: 30, temperature: temperature!, topK: topK!, topP: topP!, seed: 11 };
      const written = run(
        ...[script, '--load', fixturePath(name), '--prompt', prompt, '--tokens', '30'],
        ...['--temperature', String(temperature), '--top-k', String(topK)],
        ...['--top-p', String(topP), '--seed', '11'],
      );
      const expected = trainer.sample(new TextEncoder().encode(prompt), options);
      expect(written).toBe(`${prompt}${expected}\n`);
    }
  });

  // Round trip: ten steps in the engine, ten in PyTorch, ten in the engine. The only PyTorch test
  // of `make test`, with one process; all others need LONG=1.
  const tinygpt = { channels: 12, context: 16, batch: 3, validation: 0.2 };
  test.each([
    { preset: 'tinygpt', options: tinygpt },
    ...(isLong ? [{ preset: 'microgpt', options: { channels: 16, batch: 2 } }] : []),
  ])('hands a run of $preset back to the tab', { timeout: 3 * MINUTES }, async (recipe) => {
    const text = readFileSync(join(root, 'public/texts/first-names-en.txt')).subarray(0, 3000);
    const [left, data, back] = ['left.safetensors', 'names.txt', 'back.safetensors'].map((name) =>
      join(scratch, `${recipe.preset}-${name}`),
    ) as [string, string, string];
    const steps = (trainer: RawTrainer): number[] =>
      Array.from({ length: 10 }, () => trainer.step());
    const whole = await RawTrainer.create(recipe.preset, recipe.options, text);
    const expected = [...steps(whole), ...steps(whole), ...steps(whole)];

    const before = await RawTrainer.create(recipe.preset, recipe.options, text);
    const losses = steps(before);
    writeFileSync(left, before.save());
    writeFileSync(data, text);
    const files = ['--load', left, '--data', data, '--save', back];
    losses.push(...lossesOf(run(script, ...files, '--steps', '10')));
    const after = await RawTrainer.resume(readFileSync(back), text);
    expect(after.get('step')).toBe(20);
    expect(after.get('loss_count')).toBe(20);
    losses.push(...steps(after));
    expect(losses).toHaveLength(30);
    // Floats summed in two orders, printed with seven decimals.
    for (const [i, loss] of losses.entries()) expect(loss / expected[i]!).toBeCloseTo(1, 5);
  });

  long(
    'marks its runs as not replayable, with the options they had',
    {
      timeout: 3 * MINUTES,
    },
    async () => {
      const text = new Uint8Array(
        readFileSync(join(root, 'public/texts/first-names-en.txt')).subarray(0, 3000),
      );
      const [left, data, other, back] = ['left.st', 'names.txt', 'other.txt', 'back.st'].map(
        (name) => join(scratch, `receipt-${name}`),
      ) as [string, string, string, string];
      const recipe = { channels: 16, batch: 2, steps: 12 };
      const trainer = await RawTrainer.create('microgpt', recipe, text);
      for (let step = 0; step < 10; step++) trainer.step();
      writeFileSync(left, trainer.save());
      writeFileSync(data, text);
      const flags = ['--steps', '5', '--lr', '0.002', '--batch', '3', '--save', back];
      const same = run(script, '--load', left, '--data', data, ...flags);
      expect(same).not.toContain('another text');
      const windows = `\ufeff${new TextDecoder().decode(text).replaceAll('\n', '\r\n')}`;
      writeFileSync(other, windows);
      expect(run(script, '--load', left, '--data', other, ...flags)).toBe(same);

      const saved = readSafetensors(readFileSync(back));
      expect(optionsOf(saved)).toMatchObject({ lr: 0.002, batch: 3, steps: 15 });
      expect(JSON.parse(saved.metadata['glasshouse.state']!)).toMatchObject({
        imported: true,
        cursor: 35,
        changes: [
          { step: 10, option: 'lr', from: 0.001, to: 0.002 },
          { step: 10, option: 'steps', from: 12, to: 15 },
        ],
      });
      const { json } = await receiptOf(readFileSync(back), text);
      const first = { lr: 0.001, steps: 12 };
      expect(JSON.parse(json)).toMatchObject({ imported: true, step: 15, options: first });
      await expect(verifyReceipt(engine, json, text)).rejects.toMatchObject({
        code: 'receipt-origin',
      });

      writeFileSync(other, text.subarray(0, 2000));
      const log = run(script, '--load', left, '--data', other, ...flags);
      expect(log.match(/^the run goes on with another text: 2000 bytes .*$/gm)).toHaveLength(1);
    },
  );

  long('ends with the step of now when it is interrupted, and saves', async () => {
    const [data, saved] = [join(scratch, 'stop.txt'), join(scratch, 'stop.safetensors')];
    const file = readSafetensors(readFileSync(fixturePath('microgpt')));
    writeFileSync(data, file.metadata['fixture.text']!);
    const flags = ['--load', fixturePath('microgpt'), '--data', data, '--steps', '1000000'];
    const child = spawn(python!, [script, ...flags, '--save', saved], { env: environment });
    let said = '';
    child.stderr.on('data', (piece) => (said += String(piece)));
    child.stdout.once('data', () => child.kill('SIGINT'));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, said]).toEqual([130, expect.stringMatching(/stopped after step \d+, saved in/)]);
    const state = readSafetensors(readFileSync(saved)).metadata['glasshouse.state']!;
    expect(said).toContain(`step ${String((JSON.parse(state) as { step: number }).step)},`);
  });

  long('says what is wrong in one line', { timeout: 3 * MINUTES }, () => {
    const load = ['--load', fixturePath('microgpt')];
    expect(() => run(script, ...load, '--prompt', 'Z')).toThrow(
      /: glasshouse: the model never saw the character 'Z'\n$/,
    );
    // Node would encode the byte FF as UTF-8.
    const command = `"$0" "$@" --prompt "$(printf 'a\\377')"`;
    const prompted = spawnSync('sh', ['-c', command, python!, script, ...load], {
      env: environment,
      encoding: 'utf8',
    });
    expect(prompted.stderr).toBe('glasshouse: the model never saw the byte 0xFF\n');
    expect(() =>
      run(script, '--load', join(root, 'tests/fixtures/gpt2-tiny/model.safetensors')),
    ).toThrow(/has no glasshouse.config/);
    const data = ['--data', join(root, 'README.md'), '--steps', '1'];
    expect(() => run(script, ...load, ...data, '--save', '/nowhere/x')).toThrow(
      /: glasshouse: --save \/nowhere\/x: there is no folder \/nowhere\n$/,
    );
    const text = join(scratch, 'text.txt');
    writeFileSync(text, 'anna\n');
    for (const [name, why] of [
      [text, 'this is the text of --data. Choose another name'],
      ['/dev/null', 'no file can be written there'],
    ]) {
      const over = ['--data', text, '--steps', '1', '--save', name!];
      expect(() => run(script, ...load, ...over)).toThrow(`glasshouse: --save ${name!}: ${why!}\n`);
    }
    expect(run(script, ...load)).toMatch(/microgpt\.safetensors: step \d+, \d+ weights\. --data/);
    // PyTorch is unavailable without site-packages.
    expect(() => run('-S', script, '--help')).toThrow(
      /: glasshouse: install PyTorch: \S+ or apt install python3-torch\n$/,
    );
  });

  long(
    'refuses to go on where a part of the text is left out, and trains on another text',
    { timeout: 3 * MINUTES },
    async () => {
      const trainer = new DirectTrainer(engine);
      const [text, other] = [join(scratch, 'left-out.txt'), join(scratch, 'another.txt')];
      writeFileSync(text, 'anna\nbob\ncarla\n');
      writeFileSync(other, 'carla\nbob\n');
      await trainer.setText(new Uint8Array(readFileSync(text)));
      await trainer.prepare({ preset: 'microgpt', changes: { channels: 16 }, leftOut: [[5, 8]] });
      await trainer.step();
      const [file, saved] = [join(scratch, 'left-out.st'), join(scratch, 'left-out-on.st')];
      writeFileSync(file, await bytesOf(await trainer.save('checkpoint', '')));
      const on = [script, '--load', file, '--steps', '1', '--save', saved];
      expect(() => run(...on, '--data', text)).toThrow(
        /: glasshouse: this run leaves out part of its text, [^\n]*\n$/,
      );
      run(...on, '--data', other);
      const weights = new Uint8Array(readFileSync(saved));
      expect((await trainer.inspect({ weights })).leftOut).toEqual([]);
      trainer.close();
    },
  );

  // One process for all cases: PyTorch takes seconds to start.
  long('refuses what is no checkpoint, and values that mean nothing', { timeout: MINUTES }, () => {
    const whole = readFileSync(fixturePath('microgpt'));
    const files: Record<string, Uint8Array | string> = {
      'empty.st': '',
      'one.st': 'x',
      'text.st': 'once upon a time\n'.repeat(9),
      'list.st': '\x02\0\0\0\0\0\0\0[]',
      'cut.st': whole.subarray(0, whole.length / 2),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(scratch, name), bytes);
    const load = ['--load', fixturePath('microgpt')];
    const data = ['--data', join(root, 'public/texts/first-names-en.txt')];
    const save = ['--save', join(scratch, 'never.st')];
    const write = [...load, '--prompt', 'a'];
    const cases: [string[], RegExp][] = [
      ...Object.keys(files).map((name): [string[], RegExp] => [
        ['--load', join(scratch, name)],
        /\.st is not a \.safetensors file, or it is (cut short|damaged: .+)$/,
      ]),
      [[...load, ...data, ...save], /^--data needs --steps: how many/],
      [[...load, ...data, ...save, '--steps', '-3'], /^--data needs --steps: how many/],
      [[...load, ...save], /^--save needs --data/],
      [[...load, ...data, '--steps', '1', '--batch', '-1'], /^--batch must be/],
      [[...load, ...data, '--steps', '1', '--lr', 'nan'], /^--lr must be/],
      [[...write, '--temperature', '-0.5'], /^--temperature must be/],
      [[...write, '--temperature', 'nan'], /^--temperature must be/],
      [[...write, '--tokens', '0'], /^--tokens must be/],
      [[...write, '--top-p', '0'], /^--top-p must be/],
      [[...write, '--top-p', '1.5'], /^--top-p must be/],
      [[...write, '--top-k', '-1'], /^--top-k must be/],
    ];
    const asked = JSON.stringify(cases.map(([args]) => args));
    const answers = JSON.parse(run('tests/generate/torch_checks.py', 'errors', asked)) as string[];
    expect(answers).toHaveLength(cases.length);
    for (const [i, [args, wanted]] of cases.entries()) {
      expect(answers[i], args.join(' ')).toMatch(/^glasshouse: [^\n]+$/);
      expect(answers[i]!.slice('glasshouse: '.length), args.join(' ')).toMatch(wanted);
    }
  });
});
