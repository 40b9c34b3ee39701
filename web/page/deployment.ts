/**
 * Detects that the site was updated while the page is open: the server no longer has the chunks
 * that this page has yet to load.
 */

/**
 * Calls `replaced` if a part of the page failed to load because the site now has another version.
 * Returns a function that removes the listener.
 */
export function watchDeployment(replaced: () => void): () => void {
  const look = (): void => {
    isReplaced().then(
      (isGone) => {
        if (isGone) replaced();
      },
      // The version of the site is unknown without a network.
      () => undefined,
    );
  };
  // Vite dispatches this event when a dynamic import fails.
  addEventListener('vite:preloadError', look);
  return () => {
    removeEventListener('vite:preloadError', look);
  };
}

/** Whether the page on the server names another script than this page: names contain a hash. */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
  const response = await fetch(location.pathname, { cache: 'no-store' });
  return own !== '' && response.ok && !(await response.text()).includes(own);
}
