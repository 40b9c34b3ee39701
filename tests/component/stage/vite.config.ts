// Builds the page of component tests into build/component: the site's index.html with stage.ts as
// its script, in few files.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { instruments } from '../../../web/embed/build/instruments.ts';
import { LANGUAGES } from './languages.ts';
import { docsPlugin } from '../../../web/docs/build/plugin.ts';

const root = join(import.meta.dirname, '../../..');
const web = join(root, 'web');
const table = join(import.meta.dirname, 'languages.ts');

const stageScript: Plugin = {
  name: 'stage-script',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('./page/main.ts', '../tests/component/stage/stage.ts'),
  },
};

/** Replaces the page's table of languages by that of the stage. */
const oneMoreLanguage: Plugin = {
  name: 'one-more-language',
  enforce: 'pre',
  resolveId: (id, importer) => (id.endsWith('/languages.ts') && importer !== table ? table : null),
};

/** The documentation's entries for the app, without its pages. */
function docsEntries(): Plugin {
  const { resolveId, load } = docsPlugin(root);
  return { name: 'docs-entries', resolveId: resolveId!, load: load! };
}

export default defineConfig({
  root: web,
  publicDir: false,
  base: './',
  appType: 'mpa',
  server: { fs: { allow: [root] } },
  build: {
    outDir: join(root, 'build/component'),
    emptyOutDir: true,
    target: 'esnext',
    // As in the product: canvases cannot draw in light-dark() colours.
    cssTarget: ['chrome105', 'firefox110', 'safari16.4'],
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    minify: false,
    cssMinify: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: Infinity,
    rolldownOptions: {
      input: join(web, 'index.html'),
      output: { codeSplitting: false },
    },
  },
  plugins: [
    instruments(root, null, [import.meta.dirname], LANGUAGES),
    oneMoreLanguage,
    stageScript,
    docsEntries(),
  ],
});
