/**
 * Turns the page's styles into those of an element in a page of somebody else, as a plugin of
 * PostCSS:
 *
 * - `:root` and `body` become the element's own root, `html` its host, `main` its panels;
 * - queries for the width of the window become queries for the width of the element;
 * - what was fixed to the window sticks to the element;
 * - `rem` becomes pixels, as the page around may have any size of its own for it;
 * - every variable of the theme can be set from outside under `--glasshouse-<name>`.
 */
import type { Plugin } from 'postcss';

const RENAMED: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/:root\b/g, '.glasshouse'],
  [/(^|[\s>+~,(])body(?![\w-])/g, '$1.glasshouse'],
  [/(^|[\s>+~,(])html(?![\w-])/g, '$1:host'],
  [/(^|[\s>+~,(])main(?![\w-])/g, '$1.app'],
];

/** Pixels of a rem in the page of the site. */
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
