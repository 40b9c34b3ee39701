/**
 * The threaded module: bit-identical results for any number of threads; helpers that join late,
 * leave and join again; no allocation once training runs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { startNodeHelper } from '../web/engine/node-helper.ts';
import { BareEngine } from './node/bare-engine.ts';
import { isLong } from './long.ts';
import { engineModule } from './node/engine-memory.ts';
import { engineBytes } from './node/load-engine.ts';
import { instantiate } from './node/threads.mjs';

const read = (path: string) => new Uint8Array(readFileSync(join(import.meta.dirname, path)));
const bytes = read('../build/wasm-threads/glasshouse.wasm');
const names = read('../public/texts/first-names-en.txt');
const presets = ['tinygpt', 'microgpt', 'gpt2'];

/** Expected losses by preset, as the bits of floats. */
const fixture = new Map(
  readFileSync(join(import.meta.dirname, 'fixtures/losses.bits.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([preset, ...words]) => [preset!, words.map((word) => parseInt(word, 16))]),
);
const bits = (losses: number[]) => Array.from(new Uint32Array(Float32Array.from(losses).buffer));

type Threaded = Awaited<ReturnType<typeof instantiate>> & { readonly engine: BareEngine };
const open: Threaded[] = [];

async function threaded(threads: number): Promise<Threaded> {
  const instance = await instantiate(bytes, { threads });
  const made = { ...instance, engine: new BareEngine(instance.exports, instance.memory) };
  open.push(made);
  expect(made.engine.call('gpt_threads_count')).toBe(threads);
  return made;
}

afterEach(async () => {
  for (const instance of open.splice(0)) await instance.stop();
});

/** Returns a hash of all weights. */
function hash(engine: BareEngine, trainer: number): number {
  const table = engine.readJson((out, capacity) =>
    engine.call('gpt_parameters_json', trainer, out, capacity),
  ) as { shape: number[] }[];
  let sum = 2166136261;
  for (const [index, { shape }] of table.entries()) {
    const count = shape.reduce((product, n) => product * n, 1);
    const pointer = engine.pointer('gpt_parameter_data', trainer, index);
    const weights = engine.floats(pointer, count);
    for (const word of new Uint32Array(weights.buffer)) sum = Math.imul(sum ^ word, 16777619);
  }
  return sum;
}

describe('the threaded module', () => {
  test('asks its host for a shared memory and the growth hook', async () => {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(bytes));
    expect(imports).toEqual([
      { module: 'env', name: 'emscripten_notify_memory_growth', kind: 'function' },
      { module: 'env', name: 'memory', kind: 'memory' },
    ]);
  });

  test('exports what the other module does, and where its stack is', async () => {
    const exports = async (module: Promise<WebAssembly.Module>) =>
      WebAssembly.Module.exports(await module).map(({ name }) => name);
    const expected = (await exports(engineModule())).filter((name) => name !== 'memory');
    const got = await exports(WebAssembly.compile(bytes));
    expect(got.sort()).toEqual([...expected, '__stack_pointer'].sort());
  });

  // bits-engines.test.ts covers every number of threads; this test ties them to the native losses.
  test.each(isLong ? [1, 2, 3, 8] : [3])(
    'with %i threads has the bits of the fixture',
    async (threads) => {
      const { engine } = await threaded(threads);
      for (const preset of presets) {
        const expected = fixture.get(preset)!;
        const losses = engine.losses(engine.train(preset, {}, names), expected.length);
        expect(bits(losses), preset).toEqual(expected);
      }
    },
  );

  test('reaches the same weights and samples with 1 and 3 threads', async () => {
    const settings = { layers: 2, channels: 96, batch: 4, tokenizer: 0 };
    const results = [];
    for (const threads of [1, 3]) {
      const { engine } = await threaded(threads);
      const trainer = engine.train('gpt2', settings, names);
      const losses = engine.losses(trainer, 5);
      const validation = engine.call('gpt_validate', trainer, 3);
      results.push({
        losses,
        validation,
        hash: hash(engine, trainer),
        sample: engine.sample(trainer, 'a'),
      });
    }
    expect(results[0]!.losses).toHaveLength(5);
    expect(results[1]).toEqual(results[0]);
  });

  test('takes no memory once training runs', async () => {
    const { engine } = await threaded(3);
    const trainer = engine.train('gpt2', { tokenizer: 0 }, names);
    engine.losses(trainer, 1);
    engine.sample(trainer, 'a');
    const before = engine.memoryBytes();
    for (let i = 0; i < 5; i++) {
      engine.losses(trainer, 2);
      engine.sample(trainer, 'a');
    }
    expect(engine.memoryBytes()).toBe(before);
  });

  test('takes helpers in the middle of a run, and sees them leave and come again', async () => {
    // A helper must not reinitialise the module's data: that would break the run.
    const { engine, addThread, stop } = await threaded(1);
    const trainer = engine.train('tinygpt', {}, names);
    const losses = engine.losses(trainer, 2);
    for (let round = 1; round <= 3; round++) {
      expect(await addThread()).toBe(true);
      expect(engine.call('gpt_threads_count')).toBe(2);
      losses.push(...engine.losses(trainer, 1));
      await stop();
      expect(engine.call('gpt_threads_count')).toBe(1);
      losses.push(...engine.losses(trainer, 1));
    }
    expect(bits(losses)).toEqual(fixture.get('tinygpt')!.slice(0, losses.length));
  });

  test('keeps the memory of a helper that left for the next one', async () => {
    const { engine, addThread, stop } = await threaded(2);
    await stop();
    const before = engine.memoryBytes();
    for (let round = 0; round < 5; round++) {
      expect(await addThread()).toBe(true);
      await stop();
    }
    expect(engine.memoryBytes()).toBe(before);
  });

  test('lets fewer threads take part than there are', async () => {
    const { engine } = await threaded(3);
    expect(engine.call('gpt_threads_use', 2)).toBe(2);
    expect(engine.call('gpt_threads_use', 0)).toBe(1);
    expect(engine.call('gpt_threads_use', 99)).toBe(3);
  });

  test('has room for 15 helpers', async () => {
    const { engine } = await threaded(1);
    const threads = Array.from({ length: 16 }, () => engine.pointer('gpt_thread_create'));
    expect(new Set(threads.slice(0, 15)).size).toBe(15);
    expect(threads[15]).toBe(0);
    expect(threads.slice(0, 15)).not.toContain(0);
    engine.call('gpt_threads_stop'); // does not wait: no helper has joined
  });
});

test('the module without threads answers that it is alone', async () => {
  const engine = await BareEngine.load();
  expect(engine.call('gpt_threads_count')).toBe(1);
  expect(engine.call('gpt_threads_use', 4)).toBe(1);
  expect(engine.call('gpt_thread_create')).toBe(0);
  engine.call('gpt_threads_stop');
});

describe('the trainer in Node', () => {
  const open: DirectTrainer[] = [];
  afterEach(() => {
    for (const trainer of open.splice(0)) trainer.close();
  });

  /**
   * Trains with `helpers` requested until `threads` threads take part. Returns the first four
   * losses.
   */
  async function train(module: Uint8Array<ArrayBuffer>, helpers: number, threads: number) {
    const trainer = new DirectTrainer(module, {
      helpers: { count: helpers, start: startNodeHelper },
    });
    open.push(trainer);
    const losses: number[] = [];
    let last = 0;
    trainer.subscribe((snapshot) => {
      losses.push(...snapshot.losses);
      last = snapshot.threads;
    });
    await trainer.setText(names.slice());
    await trainer.prepare({ preset: 'gpt2', changes: { tokenizer: 0, layers: 2 } });
    // Helpers join after an unknown number of steps.
    while (last < threads || losses.length < 4) {
      await trainer.step();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return losses.slice(0, 4);
  }

  test('shares its work with worker threads, to the same bits', async () => {
    const alone = await train(engineBytes(), 0, 1);
    expect(await train(bytes, 2, 3)).toEqual(alone);
  });

  test('is alone with the module without threads, whatever help it is offered', async () => {
    await train(engineBytes(), 2, 1);
  });

  test('can be closed before its helpers have come', async () => {
    const started: (() => void)[] = [];
    const trainer = new DirectTrainer(bytes, {
      helpers: {
        count: 2,
        start: (task) => {
          const end = startNodeHelper(task);
          started.push(end);
          return end;
        },
      },
    });
    await trainer.options();
    trainer.close();
    expect(started).toHaveLength(2);
  });
});
