/** Detects that the site was updated while the page is open: its later parts are gone. */

/**
 * Calls `replaced` if a part of the page failed to load because the site now has another version.
 * Returns a function that ends this.
 */
export function watchDeployment(replaced: () => void): () => void {
  const look = (): void => {
    isReplaced().then(
      (isGone) => {
        if (isGone) replaced();
      },
      // A failed request means no network: unknown.
      () => undefined,
    );
  };
  // Vite dispatches this event when a dynamic import fails.
  addEventListener('vite:preloadError', look);
  return () => {
    removeEventListener('vite:preloadError', look);
  };
}

/** Script names contain a hash: whether the page on the server names another script than this. */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
  const response = await fetch(location.pathname, { cache: 'no-store' });
  return own !== '' && response.ok && !(await response.text()).includes(own);
}
