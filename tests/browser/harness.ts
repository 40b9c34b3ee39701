/**
 * What the browser tests stand on: the address of the built site (served with its real headers by
 * serve-site.ts), a real Chromium, and a bare server for the case that a host sets no headers.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { chromium } from 'playwright-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Page,
} from 'playwright-core';
import { expect, inject } from 'vitest';
import { findNamed } from './engines/find-program.ts';

export const dist = join(import.meta.dirname, '../../dist');

/** Address of a file of the site as `make run` serves it. */
export function siteUrl(path = ''): string {
  return new URL(path, inject('siteUrl')).href;
}

/**
 * The Chromium of this machine: named by CHROMIUM, or where systems put it; null if not installed.
 * The one without windows comes first: it is the same engine, and starts and draws with half of the
 * work.
 */
export function findChromium(): string | null {
  return findNamed(
    'CHROMIUM',
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  );
}

/** The same for tests that cannot do without. */
export function needChromium(): string {
  const path = findChromium();
  if (path === null) throw new Error('no Chromium: install it, or name it in CHROMIUM');
  return path;
}

/** Arguments under which Chromium asks nothing of the network by itself. */
export const chromiumArguments: readonly string[] = [
  '--no-sandbox', // root, as in containers, cannot have the sandbox
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A tenth less work for each page: what is tested goes on in its own process.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // Pages of one context share a process: each finds the code compiled that those before have used.
  '--process-per-site',
];

/** A browser with an empty profile of its own that asks nothing of the network by itself. */
export function launchChromium(extraArguments: readonly string[] = []): Promise<Browser> {
  const launch = (): Promise<Browser> =>
    chromium.launch({
      executablePath: needChromium(),
      headless: true,
      args: [...chromiumArguments, ...extraArguments],
    });
  // A start was seen to end in the browser's own crash, before there was any page.
  return launch().catch(launch);
}

let shared: Promise<Browser> | null = null;

/** The browser of this worker, which all its files share; it ends with the worker. */
export async function sharedChromium(): Promise<Browser> {
  const before = await shared?.catch(() => null);
  if (before?.isConnected() !== true) shared = launchChromium();
  return shared!;
}

/** A page together with everything that went wrong on it so far, worker scripts included. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Console errors (policy violations are among them), exceptions and rejections, failed or bad
   * requests. A test that reads them judges them; all other pages must have none.
   */
  readonly problems: readonly string[];
  /** Says which problems the test causes on purpose: there must be some, and no others. */
  readonly breaks: (meant: RegExp) => void;
  /** Every address that the page asked for. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/** What goes wrong on the pages of one context. */
interface Watch {
  readonly problems: string[];
  readonly requests: string[];
  /** A test has asked for the problems, and judges them. */
  read: boolean;
  /** What a test causes on purpose. */
  meant: RegExp | null;
  /** Its context is gone: it is judged once more. */
  closed: boolean;
}

const watches = new Map<BrowserContext, Watch>();

function watch(context: BrowserContext): Watch {
  const known = watches.get(context);
  if (known !== undefined) return known;
  const problems: string[] = [];
  const requests: string[] = [];
  context.on('console', (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => problems.push(`exception: ${error.error().message}`));
  context.on('request', (request) => requests.push(request.url()));
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // What a page asks for in its last moment is given up when another takes its place.
    if (why !== 'net::ERR_ABORTED') problems.push(`request: ${request.url()} ${why}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  const watched: Watch = { problems, requests, read: false, meant: null, closed: false };
  watches.set(context, watched);
  context.on('close', () => (watched.closed = true));
  return watched;
}

/** Fails if a page of the test had problems that nobody expected; see judge.ts. */
export function judgeProblems(): void {
  const judged = [...watches].filter(([context, one]) => {
    if (one.closed) watches.delete(context);
    return !one.read;
  });
  const found = judged.map(([, { meant, problems }]) => ({ meant, problems: [...problems] }));
  for (const one of watches.values()) {
    one.problems.length = 0;
    one.requests.length = 0;
    [one.meant, one.read] = [null, false];
  }
  for (const { meant, problems } of found) {
    expect(problems.filter((problem) => meant?.test(problem) !== true)).toEqual([]);
    if (meant !== null) expect(problems).not.toEqual([]);
  }
}

/** Opens an empty page in a context of its own, or beside the pages of another. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  beside?: BrowserContext,
): Promise<WatchedPage> {
  // What is kept for offline use is fetched once more behind the page; its own test asks for it.
  const context = beside ?? (await browser.newContext({ serviceWorkers: 'block', ...options }));
  const watched = watch(context);
  const page = await context.newPage();
  return {
    page,
    get problems() {
      watched.read = true;
      return watched.problems;
    },
    breaks: (meant) => {
      watched.meant = meant;
    },
    requests: watched.requests,
    close: () => (beside === undefined ? context.close() : page.close()),
  };
}

/** The few types that the site is made of; a bare host knows them too. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Serves a folder below a path such as `/course/week-3/` with no header but the type: the poorest
 * static host, unless `headers` are given. Extra pages (a host page with an iframe, say) are given
 * by their path; `change` may put another content in the place of a file, or null where it is
 * missing.
 */
export async function serveBare(
  prefix: string,
  {
    folder = dist,
    pages = {},
    headers = {},
    change = (_, content) => content,
  }: {
    folder?: string;
    pages?: Readonly<Record<string, string>>;
    headers?: Readonly<Record<string, string>>;
    change?: (file: string, content: Buffer) => Buffer | string | null;
  } = {},
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const page = pages[path];
    if (page !== undefined) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page);
      return;
    }
    const name = path.slice(prefix.length) + (path.endsWith('/') ? 'index.html' : '');
    const file = normalize(join(folder, name));
    const inside = path.startsWith(prefix) && file.startsWith(folder + sep);
    const found = inside && existsSync(file) && statSync(file).isFile();
    const content = found ? change(name, readFileSync(file)) : null;
    if (content === null) {
      response.statusCode = 404;
      response.end('not found');
      return;
    }
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
