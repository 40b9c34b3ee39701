// make bench-peers: compares our training step with other libraries', interleaved in one run.
//
//     node tests/bench/peers/main.mjs [--only=S,M] [--rounds=N] [--seconds=N] [--out=FILE]
//
// The Makefile installs the packages in build/peers. JavaScript peers have one thread in Node and
// several in an isolated page of Chromium. Peers that are missing (PyTorch, for example) or fail to
// start are left out and named.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONFIGS } from '../configs.mjs';
import { median } from '../measure.mjs';
import { grid } from '../table.mjs';
import { inChromium } from './chromium.mjs';
import { inNode, torch } from './contenders.mjs';
import { cpuSeconds } from './cpu-time.mjs';

const root = join(import.meta.dirname, '../../..');
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(CONFIGS).join() },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    out: { type: 'string', default: join(root, 'build/peers.json') },
  },
});

/** Functions that start contenders, by place. */
const PLACES = {
  node: inNode,
  chromium: inChromium,
  native: (peer, name, threads) => torch(root, name, threads),
};

/** Contenders in their order: peer, place and number of threads. */
const CONTENDERS = [
  ['ours', 'node', 1],
  ['ours', 'node', 2],
  ['tfjs', 'node', 1],
  ['jax', 'node', 1],
  ...['ours', 'tfjs', 'jax'].flatMap((peer) => [
    [peer, 'chromium', 1],
    [peer, 'chromium', 2],
  ]),
  ['torch', 'native', 1],
  ['torch', 'native', 2],
].map(([peer, engine, threads]) => ({ peer, engine, threads }));

const nameOf = ({ peer, engine, threads }) => `${peer} (${engine}, threads: ${threads})`;

const leaveOut = (name, contender, error) =>
  console.error(`  ${name} ${nameOf(contender)}: left out: ${error.message}`);

/** Trains a contender once; adds the CPU time it used, in cores. */
async function turn(contender, seconds) {
  const [time, cpu] = [performance.now(), cpuSeconds(contender.group)];
  const trained = await contender.train(seconds);
  const cores = (1000 * (cpuSeconds(contender.group) - cpu)) / (performance.now() - time);
  return { ...trained, cores };
}

/**
 * Measures a configuration in all places. Pages run after the other contenders: together, the
 * largest models exceed the memory of many machines.
 */
async function measure(name) {
  const pages = CONTENDERS.filter(({ engine }) => engine === 'chromium');
  const others = CONTENDERS.filter(({ engine }) => engine !== 'chromium');
  return [...(await measureTogether(name, others)), ...(await measureTogether(name, pages))];
}

/** Measures the available contenders, round after round in turn. */
async function measureTogether(name, wanted) {
  const { B, T } = CONFIGS[name];
  const contenders = [];
  for (const contender of wanted) {
    const { peer, engine, threads } = contender;
    try {
      contenders.push({ ...(await PLACES[engine](peer, name, threads)), turns: [] });
    } catch (error) {
      leaveOut(name, contender, error);
    }
  }
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const contender of [...contenders]) {
        try {
          contender.turns.push(await turn(contender, Number(values.seconds)));
        } catch (error) {
          leaveOut(name, contender, error);
          contenders.splice(contenders.indexOf(contender), 1);
          await contender.end();
        }
      }
    }
  } finally {
    for (const contender of contenders) await contender.end();
  }
  return contenders.map(({ peer, engine, turns }) => ({
    peer,
    engine,
    config: name,
    threads: turns.at(-1).threads,
    cores: median(turns.map(({ cores }) => cores)),
    tokens_per_s: median(turns.map(({ steps_per_s }) => steps_per_s * B * T)),
    last_loss: turns.at(-1).loss,
  }));
}

function table(some) {
  return grid(
    ['peer', 'where', 'config', 'threads', 'cores', 'tokens/s', 'ours, best to best', 'last loss'],
    some.map((row) => [
      ...[row.peer, row.engine, row.config, row.threads],
      Number.isFinite(row.cores) ? row.cores.toFixed(2) : '-',
      Math.round(row.tokens_per_s).toLocaleString('en'),
      `${row.ours_times.toFixed(1)}x`,
      row.last_loss.toFixed(2),
    ]),
  );
}

/** Writes all results measured so far. */
function save() {
  mkdirSync(dirname(values.out), { recursive: true });
  const facts = { machine, date: new Date().toISOString() };
  const all = rows.map((row) => ({ ...row, ...facts }));
  writeFileSync(values.out, `${JSON.stringify(all, null, 1)}\n`);
}

const machine = `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`;
console.log(`${machine}, load ${loadavg()[0].toFixed(1)}`);
const rows = [];
for (const name of values.only.split(',')) {
  const measured = await measure(name);
  // The best rate over all places and thread counts: a peer's maximum on this machine.
  const best = (peer) =>
    Math.max(...measured.filter((row) => row.peer === peer).map((row) => row.tokens_per_s));
  for (const row of measured) {
    rows.push({ ...row, ours_times: best('ours') / best(row.peer) });
  }
  // Saves after each configuration: the largest takes long, and stopping early keeps the others.
  console.log(table(rows.filter(({ config }) => config === name)));
  save();
}
console.log(
  [
    'threads: those that compute, counted where they run; cores: processor time of all processes of',
    'the contender by the time of its turns. Best to best: the best row of ours by the best row of that',
    'peer, whatever the place and the number of threads.',
  ].join('\n'),
);
console.log(`load at the end ${loadavg()[0].toFixed(1)}`);
