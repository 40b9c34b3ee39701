/**
 * Host pages for tests: a server on its own port, hence its own origin, with any headers. The built
 * site is below `/site/`, with a second copy below `/other/`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { dist, openPage, sharedChromium } from './harness.ts';
import type { WatchedPage } from './harness.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export type Headers = Readonly<Record<string, string>>;

export interface Host {
  /** URL of the host, with a trailing slash. */
  readonly url: string;
  readonly origin: string;
  /** Serves content at a path such as `/lesson.html`; the extension sets the MIME type. */
  readonly put: (path: string, content: string | Uint8Array, headers?: Headers) => void;
  readonly close: () => Promise<void>;
  /** Listens again at the same address after `close`. */
  readonly reopen: () => Promise<void>;
}

/**
 * Starts a host that serves only the built site, below `/site/`. `headers` apply to all responses,
 * `siteHeaders` only to the site's files.
 */
export async function startHost({
  headers = {},
  siteHeaders = {},
}: { headers?: Headers; siteHeaders?: Headers } = {}): Promise<Host> {
  const pages = new Map<string, { content: string | Uint8Array; headers: Headers }>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const send = (name: string, content: string | Uint8Array, more: Headers): void => {
      response.setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream');
      for (const [key, value] of Object.entries({ ...headers, ...more })) {
        response.setHeader(key, value);
      }
      response.end(content);
    };
    const page = pages.get(path);
    if (page !== undefined) {
      send(path, page.content, page.headers);
      return;
    }
    const [, name = null] = /^\/(?:site|other)\/(.*)$/.exec(path) ?? [];
    const file = normalize(join(dist, name ?? ''));
    const inside = name !== null && file.startsWith(dist + sep);
    if (inside && existsSync(file) && statSync(file).isFile()) {
      send(file, readFileSync(file), siteHeaders);
      return;
    }
    // Browsers request the icon by themselves; status 204 avoids an error.
    response.statusCode = path === '/favicon.ico' ? 204 : 404;
    response.end();
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${String(port)}`;
  return {
    url: `${origin}/`,
    origin,
    put: (path, content, more = {}) => pages.set(path, { content, headers: more }),
    reopen: () => listen(port),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Wraps HTML in a complete page. */
export function html(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A lesson</title>${head}</head><body>${body}</body></html>`;
}

/** A host, and one page in which the tests of a file open its pages in turn. */
export interface Visits {
  readonly host: Host;
  /** Opens a page of the host with this body. */
  readonly visit: (
    body: string,
    how?: { readonly head?: string; readonly headers?: Headers },
  ) => Promise<WatchedPage>;
  /** Opens another address in the same page. */
  readonly goto: (url: string) => Promise<WatchedPage>;
  /** Replaces the body of a page that stays open between tests. */
  readonly place: (body: string, how?: { readonly head?: string }) => Promise<WatchedPage>;
}

/** Starts a host for the tests of a file; all its pages share one context. */
export function useVisits(): Visits {
  let host: Host | null = null;
  let opened: WatchedPage | null = null;
  /** The head of the open page if `place` can reuse it, otherwise null. */
  let placed: string | null = null;
  beforeAll(async () => {
    host = await startHost();
    opened = await openPage(await sharedChromium(), { locale: 'en-US' });
  });
  afterAll(async () => {
    await opened?.close();
    await host?.close();
  });
  const goto: Visits['goto'] = async (url) => {
    placed = null;
    await opened!.page.setViewportSize({ width: 1280, height: 720 });
    await opened!.page.emulateMedia({ media: null });
    // Via about:blank, because a change of the fragment alone does not reload the page.
    await opened!.page.goto('about:blank');
    await opened!.page.goto(url);
    return opened!;
  };
  const visit: Visits['visit'] = (body, { head = '', headers = {} } = {}) => {
    host!.put('/lesson.html', html(body, head), headers);
    return goto(`${host!.url}lesson.html`);
  };
  return {
    get host() {
      return host!;
    },
    goto,
    visit,
    place: async (body, { head = '' } = {}) => {
      if (placed !== head) await visit('', { head });
      placed = head;
      await opened!.page.setViewportSize({ width: 1280, height: 720 });
      await opened!.page.mouse.move(0, 0);
      await opened!.page.evaluate((content) => {
        document.documentElement.removeAttribute('style');
        document.body.removeAttribute('style');
        document.body.innerHTML = content;
        scrollTo(0, 0);
      }, body);
      return opened!;
    },
  };
}
