/**
 * Builds the site's page as one HTML file that opens from a disk: script and styles inside, with a
 * policy that allows exactly these (by hash) and no connection.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { firstFrameScript, withWords } from './first-frame.ts';
import { withMenu } from './instruments.ts';

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Inserts the bundle into web/index.html and emits glasshouse.html instead. */
export function offlinePage(root: string): Plugin {
  return {
    name: 'offline-page',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const first = await firstFrameScript(root);
      let script = '';
      let style = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk' && file.isEntry) script = file.code;
        else if (name.endsWith('.css') && file.type === 'asset') style += String(file.source);
        // Emits no file of the bundle: the page contains the script and the styles.
        Reflect.deleteProperty(bundle, name);
      }
      // Vite would replace this placeholder only after this hook. The page has nothing to preload.
      script = script.replaceAll('__VITE_PRELOAD__', 'void 0');
      // A text in the script must not end its element.
      script = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const icon = readFileSync(join(root, 'public/favicon/icon.svg')).toString('base64');
      const policy = [
        "default-src 'none'",
        `script-src ${hashOf(first)} ${hashOf(script)} 'wasm-unsafe-eval'`,
        `style-src ${hashOf(style)}`,
        'img-src data: blob:',
        'worker-src blob:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      const source = withMenu(readFileSync(join(root, 'web/index.html'), 'utf8'));
      const page = await withWords(root, source);
      const html = page
        .replace(/ *<link rel="(stylesheet|manifest)"[^>]*>\n/g, '')
        .replace(/href="\/favicon\/icon.svg"/, `href="data:image/svg+xml;base64,${icon}"`)
        .replace(/ *<a\s+id="(?:docs|teachers)-link"[\s\S]*?<\/a>\n/g, '')
        .replace(/ *<script type="module"[^>]*><\/script>\n/, '')
        .replace(
          '<meta charset="utf-8" />',
          () =>
            `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <script>${first}</script>`,
        )
        .replace('</head>', () => `<style>${style}</style></head>`)
        .replace('</body>', () => `<script type="module">${script}</script></body>`);
      this.emitFile({ type: 'asset', fileName: 'glasshouse.html', source: html });
    },
  };
}
