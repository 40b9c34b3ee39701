// make bench: compares the native command line with the engine in Node, in turns, one configuration
// at a time.
//
//     node tests/bench/native.mjs [--only=XS,L] [--threads=N]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONFIGS, optionsOf, textOf } from './configs.mjs';
import { Engine } from './engine.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '2' },
    only: { type: 'string', default: Object.keys(CONFIGS).join() },
  },
});
/** Rounds of about a second; the best of each engine counts. */
const ROUNDS = 5;
const SECONDS = 1;

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-bench-'));
const engine = await Engine.load(readFileSync(join(root, 'build/bench/bench.wasm')));

/** Trains `steps` steps in Node; returns tokens per second. */
function inNode(trainer, steps) {
  const [begun, before] = [performance.now(), engine.get(trainer, 'tokens_seen')];
  for (let step = 0; step < steps; step++) engine.c.gpt_step(trainer);
  return (engine.get(trainer, 'tokens_seen') - before) / ((performance.now() - begun) / 1000);
}

/** Trains in the command line; returns the tokens per second of its last line. */
function natively(name, text, steps, threads) {
  const options = { ...optionsOf(name), steps };
  const sets = Object.entries(options).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const { preset } = CONFIGS[name];
  const args = [
    '--data',
    text,
    '--encoding',
    'bytes',
    '--preset',
    preset,
    ...sets,
    '--samples',
    '0',
  ];
  const program = join(root, 'build/train_gpt');
  const out = execFileSync(program, [...args, '--threads', String(threads)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }); // prettier-ignore
  return Number([...out.matchAll(/tokens\/s ([\d.]+)/g)].at(-1)[1]);
}

console.log('size  Node, 1 thread  native, 1 thread  ratio  native, more threads  ratio');
for (const name of values.only.split(',')) {
  const bytes = textOf(name);
  const text = join(folder, name);
  writeFileSync(text, bytes);
  const { preset } = CONFIGS[name];
  const trainer = engine.trainer(preset, optionsOf(name), bytes);
  const perStep = CONFIGS[name].T * CONFIGS[name].B;
  const steps = Math.max(3, Math.round((inNode(trainer, 3) * SECONDS) / perStep));
  const best = { node: 0, one: 0, more: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.node = Math.max(best.node, inNode(trainer, steps));
    best.one = Math.max(best.one, natively(name, text, steps, 1));
    best.more = Math.max(best.more, natively(name, text, steps, Number(values.threads)));
  }
  engine.c.gpt_trainer_free(trainer);
  const row = [best.node.toFixed(0), best.one.toFixed(0), (best.one / best.node).toFixed(2), best.more.toFixed(0), (best.more / best.node).toFixed(2)]; // prettier-ignore
  console.log(`${name.padEnd(4)}  ${row.join('  ')}`);
}
rmSync(folder, { recursive: true });
