/**
 * Lets the site work offline, where that is allowed: on its own pages, not within those of others,
 * and not from a disk. Nothing depends on it.
 */
export function keepForOffline(): void {
  if (window.top !== window || !import.meta.env.PROD) return;
  if (!/^https?:$/.test(location.protocol)) return;
  try {
    navigator.serviceWorker
      .register(new URL('service-worker.js', document.baseURI))
      .catch(() => undefined);
  } catch {
    // Not a secure page, or refused: the site works while there is a network.
  }
}
