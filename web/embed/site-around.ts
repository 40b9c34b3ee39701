/** Where the site is, for forms that are files of it. */

/**
 * The site's folder, for a file of ours at this address: the site keeps its forms in a folder
 * `embed`. Null for a copy that lies elsewhere (a package, a disk, a notebook): there is nothing to
 * lead to.
 */
export function siteAround(file: string): string | null {
  const url = new URL(file);
  const served = url.protocol === 'https:' || url.protocol === 'http:';
  return served && /\/embed\/[^/]+$/.test(url.pathname) ? new URL('../', url).href : null;
}
