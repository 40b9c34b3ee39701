/** URL of the site, for forms that the site itself serves. */

/**
 * The site's folder for a file at this URL: on the site, forms are in the folder `embed`. Null for
 * a copy elsewhere (package, disk, notebook), which has no site to link to.
 */
export function siteAround(file: string): string | null {
  const url = new URL(file);
  const served = url.protocol === 'https:' || url.protocol === 'http:';
  return served && /\/embed\/[^/]+$/.test(url.pathname) ? new URL('../', url).href : null;
}
