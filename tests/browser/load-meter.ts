/**
 * Measures a first visit: first paint, time until Start is usable, and bytes transferred until
 * then, compressed as a static host would send them.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';

/** MIME types of the site's files, and whether hosts compress them. */
const TYPES: Readonly<Record<string, readonly [type: string, compressed: boolean]>> = {
  '.css': ['text/css', true],
  '.html': ['text/html; charset=utf-8', true],
  '.js': ['text/javascript', true],
  '.json': ['application/json', true],
  '.svg': ['image/svg+xml', true],
  '.txt': ['text/plain; charset=utf-8', true],
  '.wasm': ['application/wasm', true],
  '.woff2': ['font/woff2', false],
};

/** One file of a visit; files are listed in order of request. */
export interface Sent {
  readonly path: string;
  /** Body size in bytes, as sent. */
  readonly bytes: number;
}

export interface CompressedSite {
  readonly url: string;
  readonly sent: Sent[];
  readonly close: () => Promise<void>;
}

/** Serves a folder with gzip, the weakest compression in use, and logs all responses. */
export async function serveCompressed(folder: string): Promise<CompressedSite> {
  const sent: Sent[] = [];
  const bodies = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
    const known = TYPES[extname(file)];
    if (known === undefined || !file.startsWith(folder + sep) || !existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    if (!statSync(file).isFile()) throw new Error(`${path} is no file`);
    const [type, compressed] = known;
    let body = bodies.get(file);
    if (body === undefined) {
      body = compressed ? gzipSync(readFileSync(file), { level: 9 }) : readFileSync(file);
      bodies.set(file, body);
    }
    response.setHeader('Content-Type', type);
    if (compressed) response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', body.length);
    sent.push({ path, bytes: body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Simulated speed of machine and network. */
export interface Conditions {
  /** CPU slowdown factor; 1: none. */
  readonly slowdown: number;
  /** Megabits per second; 0: unlimited. */
  readonly megabits: number;
  /** Latency added to each request, in milliseconds. */
  readonly latency: number;
}

export interface Visit {
  /** Milliseconds since the start of the navigation. */
  readonly firstPaint: number;
  readonly ready: number;
  /** Longest main-thread task until Start was usable, in milliseconds. */
  readonly longestTask: number;
  /** Files requested before Start was usable. */
  readonly sent: readonly Sent[];
}

/** Console message of the page once Start is usable. */
const READY = 'ready to train';

/** Opens the page for the first time, in an empty profile. */
export async function visit(
  browser: Browser,
  site: CompressedSite,
  conditions: Conditions,
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US', serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.addInitScript((READY) => {
      const marks = { ready: 0, longestTask: 0 };
      Object.assign(globalThis, { marks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          if (marks.ready === 0) marks.longestTask = Math.max(marks.longestTask, duration);
        }
      }).observe({ type: 'longtask', buffered: true });
      // Checks only the changed element; a query of the whole document per change would distort the
      // measurement.
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          if (!(target instanceof HTMLElement) || target.id !== 'run') continue;
          if (marks.ready > 0 || target.dataset['state'] !== 'ready') continue;
          marks.ready = performance.now();
          console.debug(READY);
        }
      }).observe(document, { subtree: true, attributeFilter: ['data-state'] });
    }, READY);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: conditions.slowdown });
    if (conditions.megabits > 0) {
      const throughput = (conditions.megabits * 1e6) / 8;
      await cdp.send('Network.enable');
      await cdp.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: conditions.latency,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
    }
    site.sent.length = 0;
    // A locator would poll every frame and distort the time by a tenth.
    const ready = page.waitForEvent('console', (message) => message.text() === READY);
    await Promise.all([ready, page.goto(site.url, { waitUntil: 'commit' })]);
    const sent = [...site.sent];
    const marks = await page.evaluate(() => {
      const { ready, longestTask } = (
        globalThis as unknown as { marks: { ready: number; longestTask: number } }
      ).marks;
      const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN;
      return { firstPaint: paint, ready, longestTask };
    });
    return { ...marks, sent };
  } finally {
    await context.close();
  }
}
