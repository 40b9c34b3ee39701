/** Notes what moves on a page by itself (https://web.dev/articles/cls). */
import type { Page } from 'playwright-core';

/** Cumulative layout shift that counts as none: a title that is a letter wider, and its like. */
export const STILL = 0.02;

export interface Shift {
  readonly value: number;
  readonly what: readonly string[];
}

/** Runs in the page; `after`: only shifts after this time, in milliseconds of the page. */
function observe(after: number): void {
  interface Entry extends PerformanceEntry {
    readonly value: number;
    readonly hadRecentInput: boolean;
    readonly sources: readonly { readonly node: Node | null }[];
  }
  const shifts: Shift[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources, startTime } of list.getEntries() as Entry[]) {
      // What a press brings about is no surprise.
      if (hadRecentInput || startTime < after) continue;
      const what = sources.map(({ node }) =>
        node instanceof Element ? `${node.tagName}#${node.id}.${node.className}` : 'text',
      );
      shifts.push({ value, what });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

const read = (page: Page): Promise<readonly Shift[]> =>
  page.evaluate(async () => {
    // A shift is told of behind the frame that shows it.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return (globalThis as unknown as { shifts: Shift[] }).shifts;
  });

/** From now on. */
export async function watchShifts(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.evaluate(observe, await page.evaluate(() => performance.now()));
  return () => read(page);
}

/** From the beginning of the next page that it opens. */
export async function watchShiftsFromStart(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.addInitScript(observe, 0);
  return () => read(page);
}

export const sumOf = (shifts: readonly Shift[]): number =>
  shifts.reduce((total, { value }) => total + value, 0);
