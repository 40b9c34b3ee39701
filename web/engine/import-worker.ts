/**
 * Starts a worker from a blob that imports `script`. For pages that cannot start a worker from a
 * URL: the script has another origin, or the page has an opaque one (a sandboxed frame).
 */
export function importWorker(script: URL): Worker {
  // A failed import is thrown in a task, so that `error` listeners receive it. A classic script,
  // because Chromium 156 starts no module from a blob in a page with an opaque origin.
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
