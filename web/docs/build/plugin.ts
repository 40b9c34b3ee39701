/** Vite plugin of the documentation, whose pages exist as Markdown only. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { buildDocs } from './site.ts';
import type { Docs } from './site.ts';
import { LANGS } from './words.ts';

/** `import entries from 'virtual:docs-entries/en'`: all entries, rendered for the app. */
const ENTRIES = 'virtual:docs-entries/';
/** `import terms from 'virtual:glossary/en'`: all terms, rendered for the app. */
const GLOSSARY = 'virtual:glossary/';
/** Formulas of the terms, the same in all languages. */
const FORMULAS = `\0${GLOSSARY}formulas`;

/** Builds dist/docs/ from web/docs and c below `root`; the dev server rebuilds on changes. */
export function docsPlugin(root: string): Plugin {
  const web = join(root, 'web');
  let docs: Docs | undefined;
  const current = (): Docs => (docs ??= buildDocs(root));
  const pageOf = (id: string): string | undefined =>
    id.startsWith(`${web}/docs/`) ? current().pages.get(id.slice(web.length + 1)) : undefined;

  return {
    name: 'docs',
    config: (_config, { command }) => {
      if (command !== 'build') return {};
      const input = [...current().pages.keys()].map((path) => join(web, path));
      // Warnings about the share of plugins in the build time are noise: the pages are many and small.
      const checks = { bundlerTimings: false };
      return { build: { rolldownOptions: { input, checks } } };
    },
    resolveId(id) {
      if (id.startsWith(ENTRIES) || id.startsWith(GLOSSARY)) return `\0${id}`;
      return pageOf(id) === undefined ? null : id;
    },
    load(id) {
      const { shown, terms, termFormulas } = current();
      if (id === FORMULAS) return `export default ${JSON.stringify(termFormulas)};`;
      for (const lang of LANGS) {
        if (id === `\0${ENTRIES}${lang}`) return `export default ${JSON.stringify(shown[lang])};`;
        if (id === `\0${GLOSSARY}${lang}`) return `export default ${JSON.stringify(terms[lang])};`;
      }
      return pageOf(id) ?? null;
    },
    generateBundle() {
      // The licence of the font must be distributed with it.
      this.emitFile({
        type: 'asset',
        fileName: 'docs/font-licence.txt',
        source: readFileSync(join(root, 'node_modules/@fontsource/stix-two-math/LICENSE')),
      });
    },
    configureServer(server) {
      server.watcher.add(join(root, 'c'));
      server.watcher.on('change', (path) => {
        if (!/\.(md|svg|json|[ch])$/.test(path)) return;
        docs = undefined;
        server.ws.send({ type: 'full-reload' });
      });
      server.middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        const html = path.startsWith('/docs/') ? current().pages.get(path.slice(1)) : undefined;
        if (html === undefined) return next();
        server.transformIndexHtml(path, html).then((page) => {
          response.setHeader('Content-Type', 'text/html; charset=utf-8');
          response.end(page);
        }, next);
      });
    },
  };
}
