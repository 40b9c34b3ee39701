/**
 * Makes the site work offline once it was opened: the page asks for this script after everything else
 * is there. Pages of the documentation are kept as they are read. An update never mixes two versions:
 * each version's files lie in a store of its own, and the page itself is always asked for first, so that
 * a new one is seen at the next load.
 */
declare const self: ServiceWorkerGlobal;

/** As much of a service worker's scope as is used: the types of pages do not know it. */
interface ServiceWorkerGlobal {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchLike) => void): void;
}

interface Extendable {
  waitUntil(done: Promise<unknown>): void;
}

interface FetchLike extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The version's name and its files; written by the build. */
declare const SITE_VERSION: string;
declare const SITE_FILES: readonly string[];

const PREFIX = 'glasshouse-site-';
const NAME = `${PREFIX}${SITE_VERSION}`;
/** Files whose names carry a hash of their content never change. */
const isFixed = (url: URL): boolean => /\/assets\/[^/]+-[\w-]{8,}\.\w+$/.test(url.pathname);

self.addEventListener('install', (event) => {
  const store = async (): Promise<void> => {
    const cache = await caches.open(NAME);
    const urls = SITE_FILES.map((file) => new URL(file, self.registration.scope).href);
    // Past the browser's own store: what is kept must be of this version.
    await cache.addAll(urls.map((url) => new Request(url, { cache: 'no-cache' })));
    await self.skipWaiting();
  };
  event.waitUntil(store());
});

self.addEventListener('activate', (event) => {
  const tidy = async (): Promise<void> => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  event.waitUntil(tidy());
  // Not waited for: Firefox asks every thread of the page, and those that wait for work in shared
  // memory never answer. Until this script is active, nothing that the page asks for would come.
  void self.clients.claim();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(self.registration.scope)) return;
  event.respondWith(isFixed(url) ? storeFirst(request) : networkFirst(event));
});

async function storeFirst(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function networkFirst(event: FetchLike): Promise<Response> {
  const { request } = event;
  const url = new URL(request.url);
  try {
    const response = await fetch(request);
    const isDocs = url.href.startsWith(`${self.registration.scope}docs/`);
    if (isDocs && response.ok) event.waitUntil(keepRead(url, response.clone()));
    return response;
  } catch (thrown) {
    const kept = await caches.match(fileOf(url), { ignoreVary: true });
    if (kept !== undefined) return kept;
    throw thrown;
  }
}

/** For the next time, without a network. Where there is no room for it, it is read all the same. */
async function keepRead(url: URL, response: Response): Promise<void> {
  try {
    await (await caches.open(NAME)).put(fileOf(url), response);
  } catch {
    // Nothing is lost but that.
  }
}

/** The address that a file is kept under: a folder is its index. */
function fileOf({ href }: URL): string {
  const file = href.split(/[?#]/)[0] ?? '';
  return file.endsWith('/') ? `${file}index.html` : file;
}

export {};
