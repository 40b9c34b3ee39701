/**
 * Where the package's own files are. Bundlers look for `new URL('./file', import.meta.url)` in one
 * piece and take the file along; where they do not know it, it lies beside the module.
 */

/**
 * A development server that joins packages into one folder, as Vite does until 7, leaves files
 * behind.
 */
const JOINED = /\/node_modules\/\.vite\/[^/]+\/[^/]*$/;

const [here = ''] = import.meta.url.split('?');

/** Whether this module has been taken away from its files. */
export const isJoined = JOINED.test(here);

/** The address of a file of ours: `found` is what a bundler has made of it. */
export function beside(name: string, found: URL): URL {
  return isJoined ? new URL(name, here.replace(JOINED, '/node_modules/glasshouse/')) : found;
}
