/**
 * Shared basis of the browser tests: the URL of the built site (served with its real headers by
 * serve-site.ts), Chromium, and a bare server without the site's headers.
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

/** URL of a file of the site, as `make run` serves it. */
export function siteUrl(path = ''): string {
  return new URL(path, inject('siteUrl')).href;
}

/**
 * Path of the installed Chromium: environment variable CHROMIUM, otherwise the usual names; null if
 * absent. The headless shell comes first: the same engine, at half the cost of start and drawing.
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

/** Like `findChromium`, but throws if Chromium is absent. */
export function needChromium(): string {
  const path = findChromium();
  if (path === null) throw new Error('no Chromium: install it, or name it in CHROMIUM');
  return path;
}

/** Arguments that disable Chromium's own network requests and reduce its load. */
export const chromiumArguments: readonly string[] = [
  '--no-sandbox', // root, as in containers, cannot use the sandbox
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // In-process GPU and network services reduce the cost of each page by a tenth.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // Pages of a context share a process and thus its compiled code.
  '--process-per-site',
];

/** Launches a browser with an empty profile and without network requests of its own. */
export function launchChromium(extraArguments: readonly string[] = []): Promise<Browser> {
  const launch = (): Promise<Browser> =>
    chromium.launch({
      executablePath: needChromium(),
      headless: true,
      args: [...chromiumArguments, ...extraArguments],
    });
  // Chromium has crashed at startup before opening a page, so one retry.
  return launch().catch(launch);
}

let shared: Promise<Browser> | null = null;

/** Returns the browser shared by all test files of this worker; it closes with the worker. */
export async function sharedChromium(): Promise<Browser> {
  const before = await shared?.catch(() => null);
  if (before?.isConnected() !== true) shared = launchChromium();
  return shared!;
}

/** A page and all problems recorded on it, including those of worker scripts. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Console errors (including policy violations), exceptions, rejections, failed requests and error
   * statuses. A test that reads this list judges it; on other pages any entry fails the test.
   */
  readonly problems: readonly string[];
  /** Declares problems that the test causes: at least one must match, and no other may occur. */
  readonly breaks: (meant: RegExp) => void;
  /** URLs of all requests. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/** Problems recorded on the pages of one context. */
interface Watch {
  readonly problems: string[];
  readonly requests: string[];
  /** True once a test has read the problems and thus judges them. */
  read: boolean;
  /** Pattern of problems that the test causes, or null. */
  meant: RegExp | null;
  /** True once the context is closed; the problems are judged one last time. */
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
    // Navigation aborts requests in transit, which is not an error of the page.
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

/** Fails if pages of the test had unexpected problems; judge.ts calls it. */
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

/** Opens an empty page in its own context, or in the context `beside`. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  beside?: BrowserContext,
): Promise<WatchedPage> {
  // Blocks service workers, whose caching repeats requests; offline.test.ts tests caching.
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

/** MIME types of the site's files. */
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
 * Serves a folder below a path such as `/course/week-3/`, with Content-Type as the only header
 * unless `headers` are set. `pages` adds pages by path. `change` may replace the content of a file,
 * or return null for a missing file.
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
