/**
 * Makes the site work offline once it was opened: the page asks for this script after everything else
 * is there. An update never mixes two versions: each version's files lie in a store of its own, and
 * the page itself is always asked for first, so that a new one is seen at the next load.
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
  event.respondWith(isFixed(url) ? storeFirst(request) : networkFirst(request));
});

async function storeFirst(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function networkFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (thrown) {
    const url = new URL(request.url);
    // A folder is its index.
    if (url.pathname.endsWith('/')) url.pathname += 'index.html';
    const kept = await caches.match(url.href.split(/[?#]/)[0] ?? '', { ignoreVary: true });
    if (kept !== undefined) return kept;
    throw thrown;
  }
}

export {};
