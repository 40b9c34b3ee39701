/** Writes service-worker.js with the list of all files of the page that it caches. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import type { Plugin } from 'vite';

/** Files of public/ that the page uses, besides the bundle. */
const PUBLIC = [
  'favicon/icon.svg',
  'favicon/icon-192.png',
  'favicon/icon-512.png',
  'favicon/icon-maskable-512.png',
  'manifest.webmanifest',
  'texts/first-names-en.txt',
  'texts/moby-dick-en.txt',
  'texts/tang-quatrains-zh.txt',
];

export function serviceWorker(root: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const built = Object.keys(bundle).filter((name) => !name.startsWith('docs/'));
      // The final HTML is written after this hook, so the version hashes the HTML sources instead.
      const digest = createHash('sha256').update(built.join('\n'));
      for (const file of PUBLIC) digest.update(readFileSync(join(root, 'public', file)));
      for (const page of ['index.html', 'embed.html']) {
        digest.update(readFileSync(join(root, 'web', page)));
      }
      const files = [...new Set([...built, ...PUBLIC, 'index.html', 'embed.html'])]
        .filter((name) => !name.endsWith('.map'))
        .sort();
      const path = join(root, 'web/page/service-worker.ts');
      const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path, {});
      const source = code
        .replaceAll('SITE_VERSION', JSON.stringify(digest.digest('hex').slice(0, 16)))
        .replaceAll('SITE_FILES', JSON.stringify(files))
        .replace(/export \{\s*\};?/, '');
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}
