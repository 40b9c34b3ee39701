/**
 * Registers the service worker, which makes the site work offline: not in frames of other pages,
 * and not from a disk. Nothing else depends on it.
 */
export function keepForOffline(): void {
  if (window.top !== window || !import.meta.env.PROD) return;
  if (!/^https?:$/.test(location.protocol)) return;
  try {
    navigator.serviceWorker
      .register(new URL('service-worker.js', document.baseURI))
      .catch(() => undefined);
  } catch {
    // Insecure page, or refused by the browser: the site needs a network.
  }
}
