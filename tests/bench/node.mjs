// make bench: measures the engine in Node and writes build/bench.json, keeping rows of other
// engines.
//
//     node tests/bench/node.mjs [--quick] [--only=XS,L] [--threads=N] [--out=FILE]
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Engine } from './engine.mjs';
import { EFFORT, measure } from './measure.mjs';
import { saveRows } from './rows.mjs';
import { report } from './table.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    threads: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: join(root, 'build/bench.json') },
  },
});
const threads = Number(values.threads);
const load = (name, count) =>
  Engine.load(readFileSync(join(root, 'build/bench', name)), { threads: count });

const engines = {
  one: await load('bench.wasm', 1),
  many: await load('bench-threads.wasm', threads),
};
const machine = `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`;
console.log(`Node ${process.versions.node} on ${machine}, load ${loadavg()[0].toFixed(1)}`);
const effort = values.quick ? EFFORT.quick : EFFORT.full;
const only = values.only === '' ? null : values.only.split(',');
const rows = measure({
  engines,
  threadCounts: [...new Set([1, threads])],
  engineName: 'node',
  names: readFileSync(join(root, 'public/texts/first-names-en.txt')),
  effort:
    only === null ? effort : { ...effort, names: effort.names.filter((n) => only.includes(n)) },
  tell: (row) => console.error(`  ${row.config}, ${row.threads} threads: measured`),
});
await engines.many.stop();
console.log(`${report(rows)}\nload at the end ${loadavg()[0].toFixed(1)}`);
const facts = { version: process.versions.node, machine, date: new Date().toISOString() };
saveRows(
  values.out,
  rows.map((row) => ({ ...row, ...facts })),
);
