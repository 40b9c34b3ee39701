/**
 * What the forms for other pages need of the build: modules put in place of the site's own, and the
 * engine, the worker's script and sample texts as text.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { textOfBytes } from '../bytes-as-text.ts';
import { frontCoded } from '../front-coding.ts';
import { classicScript } from './classic-script.ts';

export interface EmbedForm {
  /** Files of web/, and those that take their place. */
  readonly replace: Readonly<Record<string, string>>;
  /** The sample texts to put inside, by their files below public/. */
  readonly texts: readonly string[];
}

export function embedPlugin(root: string, form: EmbedForm): Plugin {
  const { replace, texts } = form;
  const web = join(root, 'web');
  const replaced = new Map(
    Object.entries(replace).map(([from, to]) => [join(web, from), join(web, to)]),
  );
  const modules: Readonly<Record<string, () => string | Promise<string>>> = {
    'virtual:worker-source': async () =>
      `export default ${JSON.stringify(await classicScript(root, 'page/worker.ts', [embedPlugin(root, form)]))};`,
    'virtual:inlined': () => {
      const engine = textOfBytes(readFileSync(join(root, 'build/wasm/glasshouse.wasm')));
      const held = texts.map((file) => [
        file,
        frontCoded(readFileSync(join(root, 'public', file), 'utf8')),
      ]);
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
      return replaced.get(found?.id ?? '') ?? null;
    },
    load(id) {
      return id.startsWith('\0') ? (modules[id.slice(1)]?.() ?? null) : null;
    },
  };
}
