// Builds web/ into dist/, a folder that works from any path of any static host, and serves it for
// `make run` and the browser tests with the headers of public/_headers.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { docsPlugin } from './web/docs/build/plugin.ts';
import { firstChunks } from './web/embed/build/first-chunks.ts';
import { firstFrame } from './web/embed/build/first-frame.ts';
import { frameSchemaFile } from './web/embed/build/frame-schema.ts';
import { instruments } from './web/embed/build/instruments.ts';
import { serviceWorker } from './web/embed/build/service-worker.ts';

const root = import.meta.dirname;
const web = join(root, 'web');

/** Every page beside index.html is an entry of its own. */
const pages = readdirSync(web)
  .filter((name) => name.endsWith('.html'))
  .map((name) => join(web, name));

const first = firstChunks(join(web, 'index.html'), join(web, 'embed.html'));

interface HeaderRule {
  readonly path: RegExp;
  readonly headers: (readonly [name: string, value: string])[];
}

/** The rules of a _headers file: a path at the margin, its headers indented below it. */
function parseHeaders(text: string): HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (/^\S/.test(line)) {
      const parts = line.trim().split('*');
      const pattern = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*');
      rules.push({ path: new RegExp(`^${pattern}$`), headers: [] });
    } else {
      const colon = line.indexOf(':');
      const rule = rules.at(-1);
      if (colon < 0 || rule === undefined) throw new Error(`_headers: cannot read "${line}"`);
      rule.headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    }
  }
  return rules;
}

/**
 * The preview server answers as a host that honours _headers does, and says where it is. It names its
 * own address in the policy, as `make dist ORIGIN=…` does.
 */
const publishedHeaders: Plugin = {
  name: 'published-headers',
  configurePreviewServer(server) {
    const rules = parseHeaders(readFileSync(join(root, 'public/_headers'), 'utf8'));
    server.middlewares.use((request, response, next) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      const self = `'self' http://${request.headers.host ?? 'localhost'}`;
      for (const rule of rules) {
        if (!rule.path.test(path)) continue;
        for (const [name, value] of rule.headers) {
          response.setHeader(name, value.replaceAll("'self'", self));
        }
      }
      next();
    });
    server.printUrls = () => {
      const url = server.resolvedUrls?.local[0] ?? server.resolvedUrls?.network[0] ?? '';
      console.log(`Open ${url}`);
    };
  },
};

export default defineConfig({
  root: web,
  publicDir: join(root, 'public'),
  base: './',
  appType: 'mpa',
  // The module lies in build/, beside the root and not under it.
  server: { fs: { allow: [root] } },
  preview: { port: 8080, strictPort: false, cors: false },
  worker: { format: 'es', plugins: () => [instruments(root)] },
  build: {
    outDir: join(root, 'dist'),
    emptyOutDir: true,
    target: ['chrome105', 'firefox110', 'safari16.4'],
    // Everything stays a file: the policy allows no data: fonts, and the module compiles while it
    // arrives only when it is one.
    assetsInlineLimit: 0,
    // The polyfill would be code for browsers that fetch the same files a moment later anyway.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: pages,
      output: {
        codeSplitting: { groups: first.groups },
        chunkFileNames: 'assets/[name]-[hash].js',
      },
    },
  },
  plugins: [
    instruments(root),
    publishedHeaders,
    first.plugin,
    docsPlugin(root),
    firstFrame(root),
    frameSchemaFile(root),
    serviceWorker(root),
  ],
});
