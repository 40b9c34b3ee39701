/** axe-core, run within a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe objects to, each with the places, on all of the page or `within` a part of it that has
 * changed; the policy of the page allows no script by address.
 */
export async function objections(page: Page, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    async ([tags, part]) => {
      const { axe: tool } = globalThis as unknown as {
        axe: { run: (on: string, options: object) => Promise<AxeResults> };
      };
      const { violations } = await tool.run(part, {
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations'], // of the rest, one node each is enough
      });
      // A formula is text to a screen reader, but not to axe: a head that holds one is not empty.
      const real = violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.filter(({ html }) => id !== 'empty-table-header' || !html.includes('<math')),
      }));
      return real
        .filter(({ nodes }) => nodes.length > 0)
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`)
              .join('; ')}`,
        );
    },
    [TAGS, within] as const,
  );
}
