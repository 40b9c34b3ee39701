/**
 * The site's page as one HTML file that opens from a disk: its script and styles within, and a
 * policy that allows exactly these (by their hashes) and no connection at all.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { firstFrameScript, withWords } from './first-frame.ts';

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Puts all that was bundled into web/index.html and emits glasshouse.html instead. */
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
        // Nothing lies beside the page.
        Reflect.deleteProperty(bundle, name);
      }
      // What Vite puts there later than this hook: nothing is preloaded.
      script = script.replaceAll('__VITE_PRELOAD__', 'void 0');
      // No text of ours may end the element that it stands in.
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
      const page = await withWords(root, readFileSync(join(root, 'web/index.html'), 'utf8'));
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
