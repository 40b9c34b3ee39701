/**
 * URLs of the package's own files. Bundlers recognise a literal `new URL('./file',
 * import.meta.url)` and copy the file; without a bundler it is beside the module.
 */

/**
 * A development server that pre-bundles packages, such as Vite up to 7, leaves the files behind.
 */
const JOINED = /\/node_modules\/\.vite\/[^/]+\/[^/]*$/;

const [here = ''] = import.meta.url.split('?');

/** Whether this module was pre-bundled away from its files. */
export const isJoined = JOINED.test(here);

/** URL of a file of the package; `found` is the URL from `new URL('./file', import.meta.url)`. */
export function beside(name: string, found: URL): URL {
  return isJoined ? new URL(name, here.replace(JOINED, '/node_modules/glasshouse/')) : found;
}
