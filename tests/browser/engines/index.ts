/** Every browser engine that the tests know; see driven-page.ts for what can be done with them. */
import { describe } from 'vitest';
import { chromium } from './chromium.ts';
import type { BrowserEngine } from './driven-page.ts';
import { firefox } from './firefox.ts';
import { webkit } from './webkit.ts';

export type { BrowserEngine, DrivenPage, Role } from './driven-page.ts';

export { chromium, firefox, webkit };

export const engines: readonly BrowserEngine[] = [chromium, firefox, webkit];

/**
 * Describes the same tests once for every engine. Where one is not installed its tests are skipped,
 * which the report says and counts as such, with the reason.
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
