/** Lists the browser engines of the tests; driven-page.ts documents the commands. */
import { describe } from 'vitest';
import { chromium } from './chromium.ts';
import type { BrowserEngine } from './driven-page.ts';
import { firefox } from './firefox.ts';
import { webkit } from './webkit.ts';

export type { BrowserEngine, DrivenPage, Role } from './driven-page.ts';

export { chromium, firefox, webkit };

export const engines: readonly BrowserEngine[] = [chromium, firefox, webkit];

/**
 * Defines the same tests for each engine. If an engine is not installed, its tests are skipped and
 * the report states the reason.
 */
export function describeInEngines(
  body: (engine: BrowserEngine) => void,
  only: readonly BrowserEngine[] = engines,
): void {
  for (const engine of only) {
    if (engine.missing === null) {
      describe(`in ${engine.name}`, () => body(engine));
    } else {
      const reason = `skipped in ${engine.name}: ${engine.missing}`;
      console.warn(reason);
      describe.skip(reason, () => body(engine));
    }
  }
}
