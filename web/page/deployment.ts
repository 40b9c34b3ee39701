/** Whether another version of the site has taken the place of the one that this page is of. */

/**
 * Calls `replaced` once a part of the page could not be loaded because it is of a version that is
 * gone.
 */
export function watchDeployment(replaced: () => void): () => void {
  const look = (): void => {
    isReplaced().then(
      (isGone) => {
        if (isGone) replaced();
      },
      // Without a network there is nothing to find out.
      () => undefined,
    );
  };
  // The bundler's own word for an import that did not come.
  addEventListener('vite:preloadError', look);
  return () => {
    removeEventListener('vite:preloadError', look);
  };
}

/** The page as it is now names scripts by their contents: does it name ours? */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
  const response = await fetch(location.pathname, { cache: 'no-store' });
  return own !== '' && response.ok && !(await response.text()).includes(own);
}
