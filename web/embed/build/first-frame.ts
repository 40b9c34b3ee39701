/** Inserts the script of the page's first frame: see web/page/first-frame.ts. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import type { Plugin } from 'vite';
import type * as Catalogues from '../../i18n/all.ts';
import type { Words } from '../../i18n/index.ts';
import { LANGS } from '../../i18n/lang.ts';
import { classicScript } from './classic-script.ts';
import { instruments } from './instruments.ts';

/** The bundled script of the first frame. */
export function firstFrameScript(root: string): Promise<string> {
  return classicScript(root, 'page/first-frame.ts');
}

/** Adds the texts of the other languages to the page, beside the English ones in its HTML. */
export async function withWords(root: string, html: string): Promise<string> {
  const { module } = await runnerImport<typeof Catalogues>(join(root, 'web/i18n/all.ts'), {
    configFile: false,
    plugins: [instruments(root)],
  });
  const english = module.wordsOf('en');
  const others = LANGS.map((lang) => module.wordsOf(lang)).filter(({ lang }) => lang !== 'en');
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  /**
   * Attributes with the text that `read` returns, for each language in which it is not the English
   * one.
   */
  const attributes = (read: (words: Words) => string): string =>
    others
      .filter((words) => read(words) !== read(english))
      .map((words) => ` data-${words.lang}="${escaped(read(words))}"`)
      .join('');
  const title = attributes(({ t }) => `${t('app.title')} – ${t('app.tagline')}`);
  return html
    .replace('<title>', `<title${title}>`)
    .replaceAll(/ data-i18n="([^"]+)"/g, (attribute, key: string) => {
      if (english.find(key) === null) throw new Error(`the page has no words ${key}`);
      return attribute + attributes((words) => words.find(key)!);
    });
}

/** Plugin of the site: emits the script as a file beside the others. */
export function firstFrame(root: string): Plugin {
  let script = '';
  let fileName = '';
  return {
    name: 'first-frame',
    apply: 'build',
    async buildStart() {
      script = await firstFrameScript(root);
      const digest = createHash('sha256').update(script).digest('hex').slice(0, 8);
      fileName = `assets/first-frame-${digest}.js`;
      this.emitFile({ type: 'asset', fileName, source: script });
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { path }) {
        if (path !== '/index.html') return html;
        // Placed first in the head, because drawing waits until the script has run.
        return (await withWords(root, html)).replace(
          '<meta charset="utf-8" />',
          (charset) => `${charset}\n    <script src="./${fileName}"></script>`,
        );
      },
    },
  };
}
