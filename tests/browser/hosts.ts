/**
 * Pages of other people, for tests: served from an origin of their own (another port) with whatever
 * headers a test wants, with the site's built files below `/site/` and a second copy below
 * `/other/`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { dist } from './harness.ts';

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
  /** Its address, with a slash at the end. */
  readonly url: string;
  readonly origin: string;
  /** Puts a page at a path such as `/lesson.html`, or anything else with a type by its name. */
  readonly put: (path: string, content: string | Uint8Array, headers?: Headers) => void;
  readonly close: () => Promise<void>;
}

/**
 * A host with nothing on it but `/site/`, the built site; `headers` go with everything,
 * `siteHeaders` with the site's files alone.
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
    // Browsers ask for it unasked.
    response.statusCode = path === '/favicon.ico' ? 204 : 404;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${String(port)}`;
  return {
    url: `${origin}/`,
    origin,
    put: (path, content, more = {}) => pages.set(path, { content, headers: more }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** A whole page around some HTML. */
export function html(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A lesson</title>${head}</head><body>${body}</body></html>`;
}
