/** Records layout shifts of a page (https://web.dev/articles/cls). */
import type { Page } from 'playwright-core';

/** Cumulative layout shift that still counts as zero, such as a title one letter wider. */
export const STILL = 0.02;

export interface Shift {
  readonly value: number;
  readonly what: readonly string[];
}

/** Runs in the page. Records shifts after `after`, in milliseconds since navigation. */
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
      // Shifts right after user input are expected.
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
    // Entries arrive after the frame in which the shift was painted.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return (globalThis as unknown as { shifts: Shift[] }).shifts;
  });

/** Records shifts from the time of the call. */
export async function watchShifts(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.evaluate(observe, await page.evaluate(() => performance.now()));
  return () => read(page);
}

/** Records shifts of the next navigation, from its beginning. */
export async function watchShiftsFromStart(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.addInitScript(observe, 0);
  return () => read(page);
}

export const sumOf = (shifts: readonly Shift[]): number =>
  shifts.reduce((total, { value }) => total + value, 0);
