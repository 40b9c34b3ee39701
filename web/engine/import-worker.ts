/**
 * Starts a worker by a script of the page's own, which imports the worker's script. For pages that
 * may not start workers from an address: of another origin, or with an opaque one.
 */
export function importWorker(script: URL): Worker {
  // An import that fails must reach `error` listeners. A classic script, because Chromium 156
  // starts no module from a blob in a page with an opaque origin.
  const source = `import(${JSON.stringify(script.href)}).catch((e) => setTimeout(() => { throw e; }));`;
  return workerOf(source);
}

/** Starts a worker from its source. */
export function workerOf(source: string): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const release = (): void => {
    URL.revokeObjectURL(url);
  };
  worker.addEventListener('message', release, { once: true });
  worker.addEventListener('error', release, { once: true });
  return worker;
}
