/**
 * Service worker: makes the site work offline after the first visit. The page registers it when
 * everything else has loaded. Pages of the documentation are cached when they are read. An update
 * never mixes two versions: each version has a cache of its own, and files without a hash in their
 * name are requested from the network first, so that the next load gets the new version.
 */
declare const self: ServiceWorkerGlobal;

/** The used members of a service worker's global scope, which the DOM types lack. */
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

/** Name and files of the version; the build replaces these identifiers. */
declare const SITE_VERSION: string;
declare const SITE_FILES: readonly string[];

/** Prefix of cache names: contains the scope, because an origin may have several copies. */
const PREFIX = `glasshouse-site ${self.registration.scope} `;
const NAME = `${PREFIX}${SITE_VERSION}`;
/** Milliseconds to wait for a response from the network before the cache is used. */
const PATIENCE = 5000;
/** Files whose names carry a hash of their content never change. */
const isFixed = (url: URL): boolean => /\/assets\/[^/]+-[\w-]{8,}\.\w+$/.test(url.pathname);

self.addEventListener('install', (event) => {
  const store = async (): Promise<void> => {
    const cache = await caches.open(NAME);
    const urls = SITE_FILES.map((file) => new URL(file, self.registration.scope).href);
    // Bypasses the HTTP cache, which may have files of an older version.
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
      // Older versions of the site named caches without the scope.
      const isOwn = name.startsWith('glasshouse-site-')
        ? (await (await caches.open(name)).match(fileOf(new URL(self.registration.scope)))) !==
          undefined
        : name.startsWith(PREFIX);
      if (isOwn) await caches.delete(name);
    }
  };
  event.waitUntil(tidy());
  // Awaiting this could block activation, and with it every request of the page: Firefox asks every
  // thread of the page, and threads that wait in shared memory never answer.
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
    // A network that does not respond in time counts as absent if the file is cached.
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

/** Caches a page of the documentation that was read. */
async function keepRead(url: URL, response: Response): Promise<void> {
  try {
    await (await caches.open(NAME)).put(fileOf(url), response);
  } catch {
    // No space left: the reader gets the response anyway.
  }
}

/** Cache key of a URL: without query and fragment; a folder becomes its index.html. */
function fileOf({ href }: URL): string {
  const file = href.split(/[?#]/)[0] ?? '';
  return file.endsWith('/') ? `${file}index.html` : file;
}

export {};
