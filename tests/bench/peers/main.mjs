// make bench-peers: our training step beside those of others, in one run, in turn.
//
//     node tests/bench/peers/main.mjs [--only=S,M] [--rounds=N] [--seconds=N] [--out=FILE]
//
// The packages are in build/peers, where the Makefile's target puts them. What is not there (PyTorch,
// say) is left out and named.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONFIGS } from '../configs.mjs';
import { median } from '../measure.mjs';
import { grid } from '../table.mjs';
import { inNode, torch } from './contenders.mjs';

const root = join(import.meta.dirname, '../../..');
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(CONFIGS).join() },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    out: { type: 'string', default: join(root, 'build/peers.json') },
  },
});

const starts = (name) => [
  () => inNode('ours', name, 1),
  () => inNode('ours', name, 2),
  () => inNode('tfjs', name, 1),
  () => inNode('jax', name, 1),
  () => torch(root, name, 1),
  () => torch(root, name, 2),
];

/** All that can be had, each trained in turn, round after round. */
async function measure(name) {
  const { B, T } = CONFIGS[name];
  const contenders = [];
  for (const begin of starts(name)) {
    try {
      contenders.push({ ...(await begin()), rates: [], losses: [] });
    } catch (error) {
      console.error(`${name}: ${error.message}`);
    }
  }
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const contender of contenders) {
        const { steps_per_s, loss } = await contender.train(Number(values.seconds));
        contender.rates.push(steps_per_s * B * T);
        contender.losses.push(loss);
      }
    }
  } finally {
    for (const contender of contenders) contender.end();
  }
  return contenders.map(({ peer, engine, threads, rates, losses }) => ({
    peer,
    engine,
    config: name,
    threads,
    tokens_per_s: median(rates),
    last_loss: losses.at(-1),
  }));
}

const machine = `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`;
console.log(`${machine}, load ${loadavg()[0].toFixed(1)}`);
const rows = [];
for (const name of values.only.split(',')) {
  const measured = await measure(name);
  const best = (peer) =>
    Math.max(...measured.filter((row) => row.peer === peer).map((row) => row.tokens_per_s));
  for (const row of measured) {
    rows.push({ ...row, ours_times: best('ours') / best(row.peer) });
    console.error(`  ${name} ${row.peer}, ${row.threads} threads: measured`);
  }
}
console.log(
  grid(
    ['peer', 'where', 'config', 'threads', 'tokens/s', 'ours, best to best', 'last loss'],
    rows.map((row) => [
      ...[row.peer, row.engine, row.config, row.threads],
      Math.round(row.tokens_per_s).toLocaleString('en'),
      `${row.ours_times.toFixed(1)}x`,
      row.last_loss.toFixed(2),
    ]),
  ),
);
console.log(`load at the end ${loadavg()[0].toFixed(1)}`);
mkdirSync(dirname(values.out), { recursive: true });
const facts = { machine, date: new Date().toISOString() };
writeFileSync(
  values.out,
  `${JSON.stringify(
    rows.map((row) => ({ ...row, ...facts })),
    null,
    1,
  )}\n`,
);
