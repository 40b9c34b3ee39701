/**
 * Build plugin of the forms for other pages: replaces modules of the site, and embeds engine,
 * worker script and sample texts as strings.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { textOfBytes } from '../bytes-as-text.ts';
import { instruments } from './instruments.ts';
import { classicScript } from './classic-script.ts';

export interface EmbedForm {
  /** Features of the form, by their names in base/form.ts. */
  readonly has: readonly string[];
  /** Module, below web/, that loads engine and texts; absent in forms without a page. */
  readonly sources?: string;
  /** Sample texts to embed, by file name below public/. */
  readonly texts: readonly string[];
}

export function embedPlugin(root: string, form: EmbedForm): Plugin {
  const { has, sources, texts } = form;
  const web = join(root, 'web');
  const parts = join(web, 'base/form.ts');
  const modules: Readonly<Record<string, () => string | Promise<string>>> = {
    'virtual:worker-source': async () =>
      `export default ${JSON.stringify(await classicScript(root, 'page/worker.ts', [embedPlugin(root, form), instruments(root, has)]))};`,
    'virtual:inlined': () => {
      const module = has.includes('TRACES') ? 'wasm-questions' : 'wasm';
      const engine = textOfBytes(readFileSync(join(root, `build/${module}/glasshouse.wasm`)));
      const held = texts.map((file) => [file, readFileSync(join(root, 'public', file), 'utf8')]);
      return (
        `export const engine = ${JSON.stringify(engine)};\n` +
        `export const texts = ${JSON.stringify(Object.fromEntries(held))};`
      );
    },
  };
  return {
    name: 'glasshouse-embed',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (id in modules) return `\0${id}`;
      const found = await this.resolve(id, importer, { ...options, skipSelf: true });
      const asked = found?.id === join(web, 'page/sources.ts') && sources !== undefined;
      return asked ? join(web, sources) : null;
    },
    // Deletes chunks of features that the form lacks: no code imports them any more.
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const asked = new Set(
        chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
      );
      for (const name of asked) {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk') continue;
        for (const next of [...chunk.imports, ...chunk.dynamicImports]) {
          if (chunk.code.includes(basename(next))) asked.add(next);
        }
      }
      for (const { fileName } of chunks)
        if (!asked.has(fileName)) Reflect.deleteProperty(bundle, fileName);
    },
    load(id) {
      if (id === parts) return listOf(readFileSync(parts, 'utf8'), has);
      return id.startsWith('\0') ? (modules[id.slice(1)]?.() ?? null) : null;
    },
  };
}

/** Source of base/form.ts for a form with these features. */
function listOf(page: string, has: readonly string[]): string {
  const names = [...page.matchAll(/^export const (\w+): boolean = true;$/gm)].map(
    ([, name]) => name!,
  );
  const unknown = has.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`base/form.ts does not know ${unknown.join(', ')}`);
  return names.map((name) => `export const ${name} = ${String(has.includes(name))};`).join('\n');
}
