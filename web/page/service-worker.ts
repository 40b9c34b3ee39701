/**
 * Makes the site work offline once it was opened: the page asks for this script after everything
 * else is there. Pages of the documentation are kept as they are read. An update never mixes two
 * versions: each version's files lie in a store of its own, and the page itself is always asked for
 * first, so that a new one is seen at the next load.
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

/** Of this copy of the site: others on the same origin have stores of their own. */
const PREFIX = `glasshouse-site ${self.registration.scope} `;
const NAME = `${PREFIX}${SITE_VERSION}`;
/** Milliseconds that the network may take to begin an answer. */
const PATIENCE = 5000;
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
    for (const name of names) {
      if (name === NAME) continue;
      // Stores of before had no scope in their names.
      const isOwn = name.startsWith('glasshouse-site-')
        ? (await (await caches.open(name)).match(fileOf(new URL(self.registration.scope)))) !==
          undefined
        : name.startsWith(PREFIX);
      if (isOwn) await caches.delete(name);
    }
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
  const fetched = fetch(request);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE, undefined));
  try {
    // A network that accepts and does not answer is none, where there is something kept.
    if ((await Promise.race([fetched, late])) === undefined) {
      fetched.catch(() => undefined);
      const kept = await caches.match(fileOf(url), { ignoreVary: true });
      if (kept !== undefined) return kept;
    }
    const response = await fetched;
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
