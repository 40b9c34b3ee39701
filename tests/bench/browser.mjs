// make bench-browser: the benchmark in every browser that is installed, without a driver: the page
// sends its results back to the server that it came from.
//
//     node tests/bench/browser.mjs [--only=chromium] [--effort=browser|quick] [--threads=2] [--out=FILE]
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { saveRows } from './rows.mjs';
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

/** The first of these programs that there is. */
function find(...names) {
  const folders = (process.env.PATH ?? '').split(':');
  return names
    .flatMap((name) =>
      name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
    )
    .find((path) => path !== '' && existsSync(path));
}

/** Debian keeps WebKit's little browser among the libraries. */
function findMiniBrowser() {
  const folder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const versions = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith('webkit2gtk-'))
    : [];
  return find(...versions.map((version) => join(folder, version, 'MiniBrowser')));
}

/** How each browser is started on an address with an empty profile of its own. */
const BROWSERS = {
  chromium: {
    program: process.env.CHROMIUM ?? find('chromium', 'chromium-browser', 'google-chrome'),
    start: (program, url, profile) => [
      program,
      '--headless=new',
      '--no-sandbox', // root, as in containers, cannot have the sandbox
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      `--user-data-dir=${profile}`,
      url,
    ],
  },
  firefox: {
    program: find('firefox-esr', 'firefox'),
    start: (program, url, profile) => [program, '--headless', '--profile', profile, url],
  },
  webkit: {
    program: find('xvfb-run') && findMiniBrowser(),
    start: (program, url) => ['xvfb-run', '--auto-servernum', program, '--private', url],
  },
};

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** Gives out the repository, isolated, and hands what the page tells to `hear`. */
async function serve(hear) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        response.end();
        hear(JSON.parse(body));
      });
      return;
    }
    const file = join(root, path);
    const type = TYPES[extname(file)];
    if (type === undefined || !existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader('Content-Type', type);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The rows that one browser measures. */
async function measureIn(name, { program, start }) {
  const rows = [];
  let end;
  const ended = new Promise((resolve, reject) => (end = { resolve, reject }));
  const server = await serve((told) => {
    if (told.row) {
      rows.push(told.row);
      console.error(`  ${name} ${told.row.config}, ${told.row.threads} threads: measured`);
    } else if (told.done) end.resolve();
    else end.reject(new Error(told.failed));
  });
  const profile = mkdtempSync(join(tmpdir(), 'glasshouse-bench-'));
  const settings = new URLSearchParams({
    engine: name,
    effort: values.effort,
    threads: values.threads,
  });
  const url = `http://127.0.0.1:${server.address().port}/tests/bench/page/index.html?${settings}`;
  const [command, ...args] = start(program, url, profile);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', end.reject);
  child.on('exit', (code) => end.reject(new Error(`${name} ended with ${code}`)));
  const timer = setTimeout(() => end.reject(new Error(`${name} took too long`)), 900_000);
  try {
    await ended;
  } finally {
    clearTimeout(timer);
    child.removeAllListeners('exit');
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      process.kill(-child.pid, 'SIGTERM');
      await gone;
    } catch {
      // It has ended already.
    }
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  return rows;
}

const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`;
console.log(`Browsers on ${machine}, load ${loadavg()[0].toFixed(1)}`);
const all = [];
let failed = 0;
for (const [name, browser] of Object.entries(BROWSERS)) {
  if (values.only !== '' && values.only !== name) continue;
  if (!browser.program) {
    console.log(`${name}: not installed, left out`);
    continue;
  }
  try {
    all.push(...(await measureIn(name, browser)));
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
