/**
 * PostCSS plugin that adapts the page's styles to an element in somebody else's page:
 *
 * - `:root` and `body` become the element's own root, `html` its host, `main` its panels;
 * - queries for the window's width become queries for the element's width;
 * - `position: fixed` becomes `sticky`;
 * - `rem` becomes pixels, because the surrounding page may have another font size;
 * - every theme variable can be set from outside as `--glasshouse-<name>`.
 */
import type { Plugin } from 'postcss';

const RENAMED: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/:root\b/g, '.glasshouse'],
  [/(^|[\s>+~,(])body(?![\w-])/g, '$1.glasshouse'],
  [/(^|[\s>+~,(])html(?![\w-])/g, '$1:host'],
  [/(^|[\s>+~,(])main(?![\w-])/g, '$1.app'],
];

/** Pixels per rem on the site's own page. */
const REM = 16;
const inPixels = (text: string): string =>
  text.replace(
    /(?<![\w.-])(\d*\.?\d+)rem\b/g,
    (_, size: string) => `${String(Number(size) * REM)}px`,
  );

export function shadowStyles(): Plugin {
  return {
    postcssPlugin: 'shadow-styles',
    OnceExit(root) {
      root.walkRules((rule) => {
        const isTheme = /(^|\s|,):root/.test(rule.selector);
        rule.selectors = rule.selectors.map((selector) =>
          RENAMED.reduce((text, [pattern, name]) => text.replace(pattern, name), selector),
        );
        rule.walkDecls((declaration) => {
          declaration.value = inPixels(declaration.value);
          if (isTheme && declaration.prop.startsWith('--')) {
            const name = declaration.prop.slice(2);
            declaration.value = `var(--glasshouse-${name}, ${declaration.value})`;
          }
          if (declaration.prop === 'position' && declaration.value === 'fixed') {
            declaration.value = 'sticky';
          }
        });
      });
      root.walkAtRules(/^(media|container)$/, (rule) => {
        rule.params = inPixels(rule.params);
        if (rule.name === 'media' && /width/.test(rule.params)) {
          rule.name = 'container';
          rule.params = `glasshouse ${rule.params}`;
        }
      });
    },
  };
}
