// Builds the forms for other pages and the library, one at a time, side by side into build/package:
//
//     vite build --config vite.embed.config.ts --mode library|worker|frame|element|widget|offline
//
// The files find each other by their own address, so that they work on any host and from any CDN.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { docsPlugin } from './web/docs/build/plugin.ts';
import { anyDocument } from './web/embed/build/any-document.ts';
import { offlinePage } from './web/embed/build/offline-page.ts';
import { elementManifestFile } from './web/embed/build/element-manifest.ts';
import { instruments } from './web/embed/build/instruments.ts';
import { embedPlugin } from './web/embed/build/plugin.ts';
import type { EmbedForm } from './web/embed/build/plugin.ts';
import { shadowStyles } from './web/embed/build/shadow-styles.ts';

const root = import.meta.dirname;
const web = join(root, 'web');

interface Form extends EmbedForm {
  readonly input: string;
  /** Everything in one file. */
  readonly single: boolean;
  readonly plugins?: readonly Plugin[];
}

const NAMES = 'texts/first-names-en.txt';
const FILES = { sources: 'embed/file-sources.ts', texts: [] };

const FORMS: Readonly<Record<string, Form>> = {
  library: { input: 'package/index.ts', has: ['TRACES'], ...FILES, single: true },
  worker: { input: 'page/worker.ts', has: ['KEPT', 'TRACES'], texts: [], single: true },
  frame: { input: 'package/frame.ts', has: [], texts: [], single: true },
  element: {
    input: 'embed/element.ts',
    has: ['KEPT', 'TOUR', 'ADVICE', 'DETECTOR', 'TRACES'],
    ...FILES,
    single: false,
    plugins: [elementManifestFile(root)],
  },
  widget: {
    input: 'embed/widget.ts',
    has: [],
    sources: 'embed/inline-sources.ts',
    texts: [NAMES],
    single: true,
  },
  offline: {
    input: 'embed/offline.ts',
    has: ['LINKS', 'KEPT', 'TOUR', 'ADVICE', 'TRACES'],
    sources: 'embed/inline-sources.ts',
    texts: [NAMES, 'texts/moby-dick-en.txt', 'texts/tang-quatrains-zh.txt'],
    single: true,
    plugins: [offlinePage(root)],
  },
};

/** The entries that the documentation gives to the app; none of its pages. */
function docsEntries(): Plugin {
  const { resolveId, load } = docsPlugin(root);
  return { name: 'docs-entries', resolveId: resolveId!, load: load! };
}

export default defineConfig(({ mode }) => {
  const form = FORMS[mode];
  if (form === undefined) throw new Error(`no form is called ${mode}`);
  const name = form.input === 'package/index.ts' ? 'index' : mode;
  return {
    root: web,
    publicDir: false,
    base: './',
    // The site's own index.html is not asked for.
    appType: 'custom',
    css: mode === 'offline' ? {} : { postcss: { plugins: [shadowStyles()] } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: join(root, 'build/package'),
      emptyOutDir: false,
      target: ['chrome105', 'firefox110', 'safari16.4'],
      // As a library: no helper that loads chunks ahead, which webpack warns of.
      ...(mode === 'offline'
        ? {}
        : { lib: { entry: join(web, form.input), formats: ['es'] as const } }),
      // What others build with, and read in the messages of Node, is left as it is.
      ...(mode === 'library' ? { minify: false } : {}),
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      // The single files are meant to be large.
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: {
        input: { [name]: join(web, form.input) },
        // Chunks may take things from the entry: it stays one file under its own name, because worker,
        // engine and texts are looked for beside it.
        preserveEntrySignatures: 'allow-extension',
        output: {
          format: 'es',
          entryFileNames: '[name].mjs',
          chunkFileNames: 'chunks/[name]-[hash].mjs',
          assetFileNames: 'chunks/[name]-[hash][extname]',
          ...(form.single ? { codeSplitting: false } : {}),
          // Also none that would tell somebody else's Vite to leave an address alone.
          comments: false,
          ...(mode === 'library' ? {} : { minify: true }),
        },
      },
    },
    plugins: [
      instruments(root, form.has),
      embedPlugin(root, form),
      docsEntries(),
      anyDocument(),
      ...(form.plugins ?? []),
    ],
  };
});
