/** The index of the training text in the module for questions: c/api/gpt_trace.h. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FileEngine } from './node/file-engine.ts';
import { Status } from './node/bare-engine.ts';
import type { Plan } from './node/bare-engine.ts';
import { run, useFolder } from './node/command-line.ts';
import { engineBytes } from './node/load-engine.ts';

const { here } = useFolder();
const root = join(import.meta.dirname, '..');
const wasm = engineBytes('wasm-questions');
const namesPath = join(root, 'public/texts/first-names-en.txt');
const names = readFileSync(namesPath, 'utf8');
const story = readFileSync(join(root, 'public/texts/moby-dick-en.txt'), 'utf8').slice(0, 40_000);

interface Baselines {
  readonly heldOut: number;
  readonly targets: number;
  /** Losses of a uniform guess, then of the orders 0 to 5. */
  readonly nats: readonly number[];
  readonly bits: readonly number[];
}

interface Run {
  readonly at: number;
  readonly bytes: number;
  readonly place: number;
  readonly count: number;
}

/** An engine with the index functions. */
class TraceEngine extends FileEngine {
  static override async create(): Promise<TraceEngine> {
    const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
    const { instance } = await WebAssembly.instantiate(wasm, imports);
    (instance.exports['_initialize'] as () => void)();
    return new TraceEngine(instance.exports);
  }

  trainer(preset: string, settings: Record<string, number>, text: string): number {
    const config = this.pointer('config_create', preset);
    for (const [name, value] of Object.entries(settings)) {
      expect(this.call('config_set', config, name, value)).toBe(Status.OK);
    }
    const trainer = this.lend(text, (at, n) => this.pointer('trainer_create', config, at, n));
    this.call('config_free', config);
    expect(trainer).not.toBe(0);
    return trainer;
  }

  /** Starts an index; 0 on failure. */
  begin(trainer: number, text: string): number {
    return this.lend(text, (at, n) => this.pointer('trace_create', trainer, at, n));
  }

  /** Builds a complete index. The trainer is already freed. */
  trace(preset: string, settings: Record<string, number>, text: string): number {
    const small = { channels: 8, heads: 1, layers: 1, batch: 1, ...settings };
    const trainer = this.trainer(preset, small, text);
    const trace = this.begin(trainer, text);
    this.call('trainer_free', trainer);
    while (this.call('trace_step', trace) === Status.OK) {
      // Goes on.
    }
    return trace;
  }

  runs(trace: number, text: string, least: number): Run[] {
    return this.lend(text, (at, n) =>
      this.borrow(32 * n, (out) => {
        const count = this.call('trace_runs', trace, at, n, least, out, n);
        const all = new Float64Array(this.bytes(out, 32 * count).buffer);
        return Array.from({ length: count }, (_, i) => {
          const [from, bytes, place, times] = all.slice(4 * i);
          return { at: from!, bytes: bytes!, place: place!, count: times! };
        });
      }),
    );
  }

  find(trace: number, text: string, what: 'find' | 'find_line' = 'find'): number[] {
    return this.lend(text, (at, n) =>
      this.borrow(4096, (out) => {
        const count = this.call(`trace_${what}`, trace, at, n, out, 1024);
        return count < 0 ? [count] : [...new Int32Array(this.bytes(out, 4 * count).buffer)].sort();
      }),
    );
  }

  baselines(trace: number): Baselines {
    while (this.call('baselines_step', trace) === Status.OK) {
      // Goes on.
    }
    const get = (name: string): number => this.call('trace_get', trace, name);
    const nats = [-1, 0, 1, 2, 3, 4, 5].map((order) => this.call('baseline', trace, order));
    const bits = nats.map((one) => one * get('bits_per_character'));
    return { heldOut: get('held_out'), targets: get('scored_tokens'), nats, bits };
  }

  speak(trace: number, order: number, seed: number): string {
    return this.text('trace_write', [trace, order, 0, 0, 200, seed]);
  }

  message(trace: number): { code: string; name: string; values: number[] } {
    return JSON.parse(this.text('trace_error', [trace])) as ReturnType<TraceEngine['message']>;
  }
}

let engine: TraceEngine;
beforeAll(async () => {
  engine = await TraceEngine.create();
});

describe('a trace', () => {
  test('finds a name with its line, and says that another is new', () => {
    const trace = engine.trace('microgpt', {}, names);
    const place = names.indexOf('\nanna\n') + 1;
    expect(engine.find(trace, 'anna', 'find_line')).toEqual([place]);
    expect(engine.find(trace, 'zaphodine', 'find_line')).toEqual([]);
    // A match never crosses a document boundary.
    expect(engine.find(trace, names.slice(place, names.indexOf('\n', place) + 2))).toEqual([]);
    engine.call('trace_free', trace);
  });

  test('does not find what is held out, in documents and in streams', () => {
    const lines = Array.from({ length: 50 }, (_, i) => `line ${String.fromCharCode(97 + i)}`);
    const documents = engine.trace('microgpt', { validation: 0.2 }, lines.join('\n'));
    const found = lines.filter((line) => engine.find(documents, line, 'find_line').length > 0);
    expect(found).toHaveLength(40);
    const stream = engine.trace('tinygpt', { validation: 0.1, tokenizer: 0 }, story);
    const end = Math.floor(new TextEncoder().encode(story).length * 0.9);
    expect(engine.call('trace_get', stream, 'bytes')).toBeGreaterThan(end - 2);
    expect(engine.runs(stream, story.slice(-100), 60)).toEqual([]);
    for (const trace of [documents, stream]) engine.call('trace_free', trace);
  });

  test('tells runs with their first place and count, cut between characters', () => {
    const text = '贝壳在海边。\n海边有贝壳。\n海边\n';
    const trace = engine.trace('microgpt', { tokenizer: 0 }, text);
    const bytes = (string: string) => new TextEncoder().encode(string).length;
    // 贞 and 贝 share two bytes: the run ends before them.
    expect(engine.runs(trace, '在海边贞', 1)[0]).toEqual({
      at: 0,
      bytes: bytes('在海边'),
      place: bytes('贝壳'),
      count: 1,
    });
    expect(engine.runs(trace, '海边', 1)[0]).toMatchObject({ place: bytes('贝壳在'), count: 3 });
    engine.call('trace_free', trace);
  });

  test('takes at most 9 bytes for each byte of the text, and answers for 120 letters at once', () => {
    const text = story.repeat(5);
    const trace = engine.trace('tinygpt', { validation: 0 }, text);
    const bytes = new TextEncoder().encode(text).length;
    expect(engine.call('trace_get', trace, 'memory_bytes')).toBeLessThan(9 * bytes);
    expect(engine.runs(trace, text.slice(50, 170), 100)).toHaveLength(1);
    engine.call('trace_free', trace);
  });
});

test.each([
  ['microgpt', names],
  ['tinygpt', story],
  ['gpt2', story],
])('%s: while it is built it takes what the plan says, and never more', (preset, text) => {
  const trainer = engine.trainer(preset, { channels: 8, heads: 1, layers: 1, batch: 1 }, text);
  const config = engine.pointer('config_create', preset);
  const json = engine.lend(text, (at, n) => engine.text('plan_json', [config, at, n]));
  const { index_bytes: planned } = JSON.parse(json) as Plan;
  const trace = engine.begin(trainer, text);
  let most = 0;
  do most = Math.max(most, engine.call('trace_get', trace, 'memory_bytes'));
  while (engine.call('trace_step', trace) === Status.OK);
  expect(most).toBeLessThanOrEqual(planned);
  expect(most).toBeGreaterThan(0.7 * planned);
  engine.call('trace_free', trace);
  engine.call('trainer_free', trainer);
  engine.call('config_free', config);
});

test.each([
  ['microgpt', { validation: 0.1 }, names],
  ['gpt2', { validation: 0.1, vocabulary: 300 }, story],
] as const)(
  '%s: weights that only generate tell the same of the text',
  (preset, settings, text) => {
    const small = { channels: 8, heads: 1, layers: 1, batch: 1, ...settings };
    const trainer = engine.trainer(preset, small, text);
    const config = engine.pointer('config_create', preset);
    const frozen = engine.load(config, engine.save(trainer, 'weights'), 'generate');
    const said = [trainer, frozen].map((one) => {
      const trace = engine.begin(one, text);
      while (engine.call('trace_step', trace) === Status.OK);
      const tokens = engine.call('trace_get', trace, 'tokens');
      const answer = {
        tokens,
        scores: engine.baselines(trace),
        written: engine.speak(trace, 3, 7),
      };
      engine.call('trace_free', trace);
      engine.call('trainer_free', one);
      return answer;
    });
    expect(said[0]!.scores.heldOut).toBe(1);
    expect(said[1]).toEqual(said[0]);
    engine.call('config_free', config);
  },
);

describe('tables of the last tokens', () => {
  test.each([
    ['microgpt', { validation: 0.1 }, names, 27],
    ['tinygpt', { validation: 0.1, tokenizer: 0 }, story, 256],
    ['gpt2', { validation: 0.1, vocabulary: 300 }, story, 300],
  ] as const)('%s: each knows more than guessing and no order is far from it', (...args) => {
    const [preset, settings, text, vocabulary] = args;
    const trace = engine.trace(preset, settings, text);
    const { heldOut, targets, nats, bits } = engine.baselines(trace);
    expect(heldOut).toBe(1);
    expect(targets).toBeGreaterThan(1000);
    expect(nats[0]).toBeCloseTo(Math.log(vocabulary), 6);
    expect(nats).toHaveLength(7);
    for (let order = 1; order <= 3; order++) expect(nats[order]).toBeLessThan(nats[order - 1]!);
    for (const [index, n] of nats.entries()) expect(bits[index]! / n).toBeGreaterThan(0);
    engine.call('trace_free', trace);
  });

  test('score held-out names as well as the baselines say', () => {
    const trainer = engine.trainer('microgpt', { validation: 0.1, channels: 8, layers: 1 }, names);
    const trace = engine.begin(trainer, names);
    while (engine.call('trace_step', trace) === Status.OK);
    const held = engine.text('held_out_text', [trainer]);
    const bos = engine.call('trainer_get', trainer, 'bos');
    const ids = Array.from(held, (c) => (c === '\n' ? bos : c.charCodeAt(0) - 97));
    const nats = engine.lend(new Uint8Array(Int32Array.from(ids).buffer), (at) =>
      engine.borrow(4 * ids.length, (out) => {
        expect(engine.call('trace_score', trace, 2, at, ids.length, out)).toBe(ids.length);
        return [...engine.floats(out, ids.length)];
      }),
    );
    const mean = nats.reduce((sum, x) => sum + x, 0) / nats.length;
    const { targets, nats: baselines } = engine.baselines(trace);
    expect(targets).toBe(ids.length);
    expect(mean).toBeCloseTo(baselines[3]!, 5);
    engine.call('trace_free', trace);
    engine.call('trainer_free', trainer);
  });

  test('write the same for the same seed, and something else for another', () => {
    const trace = engine.trace('microgpt', {}, names);
    const written = [1, 1, 2, 3].map((seed) => engine.speak(trace, 3, seed));
    expect(written[0]).toBe(written[1]);
    expect(new Set(written).size).toBe(3);
    for (const name of written) expect(name).toMatch(/^[a-z]+$/);
    engine.call('trace_free', trace);
  });
});

describe('a question that cannot be answered', () => {
  test('before the index is ready gets the status of a call out of order', () => {
    const trainer = engine.trainer('microgpt', { channels: 8, layers: 1 }, names);
    const trace = engine.begin(trainer, names);
    expect(engine.call('trace_find', trace, 'a', 1, 0, 0)).toBe(Status.STATE);
    expect(engine.message(trace)).toMatchObject({ code: 'state', name: 'trace' });
    expect(engine.call('baselines_step', trace)).toBe(Status.STATE);
    engine.call('trace_free', trace); // cancels the index
    engine.call('trainer_free', trainer);
  });

  test('about another text than that of the run is refused with its size', () => {
    const trainer = engine.trainer('microgpt', { channels: 8, layers: 1 }, names);
    expect(engine.begin(trainer, `${names}x`)).toBe(0);
    const said = JSON.parse(engine.text('trainer_error', [trainer])) as { code: string };
    expect(said).toMatchObject({ code: 'text-differs', values: [names.length, 0, 0] });
    expect(engine.begin(trainer, '')).toBe(0);
    engine.call('trainer_free', trainer);
  });

  test('names the argument that is wrong', () => {
    const trace = engine.trace('microgpt', {}, names);
    const ask = (name: string, ...args: (number | string)[]) => [
      engine.call(`trace_${name}`, trace, ...args),
      engine.message(trace).name,
    ];
    expect(ask('runs', 0, 1, 1, 8, 8)).toEqual([Status.ARGUMENT, 'text']);
    expect(ask('runs', 'a', 1, 0, 8, 8)).toEqual([Status.ARGUMENT, 'least']);
    expect(ask('runs', 'a', 1, 1, 0, 8)).toEqual([Status.ARGUMENT, 'runs']);
    expect(ask('find', 'a', 0, 0, 0)).toEqual([Status.ARGUMENT, 'text']);
    expect(ask('find_line', 'a', 1, 0, 9)).toEqual([Status.ARGUMENT, 'places']);
    expect(ask('score', 2, 0, 1, 8)).toEqual([Status.ARGUMENT, 'ids']);
    expect(ask('score', 6, 0, 0, 0)).toEqual([Status.RANGE, 'order']);
    expect(ask('write', 3, 0, 0, 0, 1, 8, 8)).toEqual([Status.RANGE, 'max_tokens']);
    expect(ask('write', 3, 0, 0, 5, -1, 8, 8)).toEqual([Status.RANGE, 'seed']);
    expect(ask('write', 3, '!', 1, 5, 1, 8, 8)).toEqual([Status.CHARACTER, '!']);
    expect(engine.call('baseline', trace, 0)).toBeNaN();
    expect(engine.call('trace_step', 0)).toBe(Status.ARGUMENT);
    expect(engine.call('trace_get', trace, 'nothing')).toBeNaN();
    engine.call('trace_free', trace);
  });
});

describe('the command line', () => {
  test('prints the figures of the module', () => {
    const { status, out } = run('--data', namesPath, '--preset', 'microgpt', '--yardsticks');
    expect(status).toBe(0);
    const trace = engine.trace('microgpt', {}, names);
    const { nats, bits } = engine.baselines(trace);
    const printed = [...out.matchAll(/^.{18} +(\d+\.\d{4}) +(\d+\.\d{4})$/gm)];
    expect(printed.map(([, loss, rate]) => [loss, rate])).toEqual(
      nats.map((loss, index) => [loss.toFixed(4), bits[index]!.toFixed(4)]),
    );
    engine.call('trace_free', trace);
  });

  test('names the line that a text was copied from, and what is common', () => {
    const { status, out } = run('--data', namesPath, '--preset', 'microgpt', '--trace', namesPath);
    expect(status).toBe(0);
    expect(out).toMatch(/^95 % of the runs that begin in a line, .* have at most \d characters\n/);
    const line = names.split('\n').indexOf('bethany') + 1;
    const begin = names.indexOf('bethany\n') + 1;
    expect(out).toContain(`a whole line, line ${line} (byte ${begin}), 1 time: bethany\n`);
  });

  test('names short lines too that stand in the text as a whole, and how many do by chance', () => {
    writeFileSync(here('text.txt'), 'anna\nbob\nanna\nclara\n');
    writeFileSync(here('written.txt'), 'zoe\nanna\n\nbo\nclara');
    const { out } = run(
      ...['--data', here('text.txt'), '--preset', 'microgpt', '--trace', here('written.txt')],
    );
    const lines = out.split('\n');
    expect(lines[1]).toBe('50.0 % of the lines of the text stand there more than once');
    expect(lines[2]).toMatch(
      /^character 5: a whole line, line [13] \(byte (1|10)\), 2 times: anna$/,
    );
    expect(lines[3]).toBe('character 14: a whole line, line 4 (byte 15), 1 time: clara');
    expect(lines[4]).toBe(
      `${here('written.txt')}: 2 whole lines of 4, 0 longer runs, 9 of 14 characters`,
    );
    expect(lines).toHaveLength(6);
  });

  test('says how many of the held-out lines stand in the rest of the text', () => {
    writeFileSync(here('twice.txt'), 'anna\nbob\nclara\ndora\nemma\n'.repeat(8));
    const { out } = run(
      ...['--data', here('twice.txt'), '--preset', 'microgpt', '--set', 'validation=0.1'],
      ...['--trace', here('twice.txt')],
    );
    expect(out).toContain('100.0 % of the lines of the held-out text stand in the rest of');
    expect(out).toContain(': 40 whole lines of 40, 0 longer runs, 160 of 160 characters\n');
  });

  test('counts characters, not bytes, and speaks of lines only where sequences are lines', () => {
    const poems = readFileSync(join(root, 'public/texts/tang-quatrains-zh.txt'), 'utf8');
    writeFileSync(here('poem.txt'), `x${poems.slice(0, 30)}x`);
    const { out } = run(
      ...['--data', join(root, 'public/texts/tang-quatrains-zh.txt'), '--preset', 'tinygpt'],
      ...['--trace', here('poem.txt')],
    );
    expect(out).toMatch(
      /have at most \d characters\ncharacter 2: 30 characters stand in line 1 \(byte 1\), 1 time: /,
    );
    expect(out).toContain('poem.txt: 1 longer run, 30 of 32 characters\n');
  });

  test.each([
    [['--trace', namesPath, '--load', 'x'], /need --data/],
    [['--yardsticks', '--data', namesPath, '--save', 'x'], /train nothing/],
    [['--trace', join(root, 'nothing'), '--data', namesPath], /nothing/],
  ])('refuses %j', (args, message) => {
    const { status, errors } = run(...args);
    expect(status).not.toBe(0);
    expect(errors).toMatch(message);
  });
});
