/** Runs axe-core in a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Lists the rules that axe reports as violated, each with the elements concerned. `within` limits
 * the check to a selector. The page's policy allows no scripts by address, so axe's source is
 * evaluated.
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
        resultTypes: ['violations'], // axe lists one node each for passed and incomplete rules
      });
      // axe does not count MathML as text and reports table headers with only a formula as empty.
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
