// make bench-browser: runs the benchmark in every installed browser, without a driver: the page
// posts its results to the server.
//
//     node tests/bench/browser.mjs [--only=chromium] [--effort=browser|quick] [--threads=2]
//                                  [--out=FILE]
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BROWSERS, openBrowser } from './browsers.mjs';
import { saveRows } from './rows.mjs';
import { serve } from './serve.mjs';
import { report } from './table.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    effort: { type: 'string', default: 'browser' },
    threads: { type: 'string', default: '2' },
    out: { type: 'string', default: join(root, 'build/bench.json') },
  },
});

/** Measures in one browser; returns its rows. */
async function measureIn(name) {
  const rows = [];
  let end;
  const ended = new Promise((resolve, reject) => (end = { resolve, reject }));
  const site = await serve(root, {
    hear(told) {
      if (told.row) {
        rows.push(told.row);
        console.error(`  ${name} ${told.row.config}, ${told.row.threads} threads: measured`);
      } else if (told.done) end.resolve();
      else end.reject(new Error(told.failed));
    },
  });
  const settings = new URLSearchParams({
    engine: name,
    effort: values.effort,
    threads: values.threads,
  });
  const url = `${site.url}/tests/bench/page/index.html?${settings}`;
  const browser = openBrowser(name, url, end.reject);
  const timer = setTimeout(() => end.reject(new Error(`${name} took too long`)), 900_000);
  try {
    await ended;
  } finally {
    clearTimeout(timer);
    await browser.close();
    site.close();
  }
  return rows;
}

const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`;
console.log(`Browsers on ${machine}, load ${loadavg()[0].toFixed(1)}`);
const all = [];
let failed = 0;
for (const [name, { program }] of Object.entries(BROWSERS)) {
  if (values.only !== '' && values.only !== name) continue;
  if (!program) {
    console.log(`${name}: not installed, left out`);
    continue;
  }
  try {
    all.push(...(await measureIn(name)));
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.message}`);
  }
}
console.log(report(all));
const facts = { machine, date: new Date().toISOString() };
saveRows(
  values.out,
  all.map((row) => ({ ...row, ...facts })),
);
process.exitCode = failed > 0 || all.length === 0 ? 1 : 0;
