/** Tests twins on the page: the second engine when a pair trains again, and scroll stability. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { atRest, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const TINY = 'steps=20&validation=0.1&layers=1&channels=8&heads=1';

it('trains a pair again in a second worker, which ends with the last run', async () => {
  const driven = await site({ hash: `${TINY}&view=twin` });
  const { page } = driven;
  await train(driven);
  // The verdict on the last text starts a worker of its own.
  await page.locator('.newest-note').getByText(/./).first().waitFor();
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('button', { name: 'Train the twin', exact: true }).click();
  const second = page.waitForEvent('worker');
  await panel.getByRole('button', { name: 'Is it chance?' }).press('Enter');
  const worker = await second;
  await panel.getByText(/^With 3 seeds .* \(paired t-test, 5% level\)/).waitFor();
  await expect.poll(() => page.workers().includes(worker)).toBe(false);
});

/** Returns the extreme positions of an element while the press of a button takes effect. */
async function travel(
  page: Page,
  { what, press, then }: { readonly what: string; readonly press: string; readonly then: string },
): Promise<{ readonly highest: number; readonly lowest: number }> {
  await page.locator(what).waitFor();
  // The page may still be too short to scroll that far, or be scrolling elsewhere.
  const standAt350 = async (): Promise<number> => {
    await page.evaluate((seen) => {
      scrollBy(0, document.querySelector(seen)!.getBoundingClientRect().top - 350);
    }, what);
    await atRest(page);
    return page.locator(what).evaluate((one) => Math.round(one.getBoundingClientRect().top));
  };
  await expect.poll(standAt350).toBe(350);
  return page.evaluate(
    async ([seen, button, end]) => {
      const element = document.querySelector(seen)!;
      const places: number[] = [];
      // The previous run is saved first, and a short run may start and end between two frames.
      let changes = 0;
      new MutationObserver(() => changes++).observe(document.querySelector('#run')!, {
        attributeFilter: ['data-state'],
      });
      // Clicks by script, because Playwright's mouse click would scroll to the button.
      document.querySelector<HTMLButtonElement>(button)!.click();
      for (let ended = 0; ended < 30;) {
        await new Promise(requestAnimationFrame);
        places.push(element.getBoundingClientRect().top);
        ended = changes > 0 && document.querySelector(end) !== null ? ended + 1 : 0;
      }
      return { highest: Math.min(...places), lowest: Math.max(...places) };
    },
    [what, press, `body:has(#main[data-rest]):has(#run[data-state=${then}])`] as const,
  );
}

it('holds still what one looks at when a run begins anew, in the tabs of twins and of the model', async () => {
  const driven = await site({
    hash: 'steps=40&layers=1&view=twin',
    options: { viewport: { width: 390, height: 844 } },
  });
  await train(driven);
  const { page } = driven;
  // The page may scroll to the curves below the form, but not beyond.
  const twin = await travel(page, {
    ...{ what: '.twin-form', press: '.twin-form .primary', then: 'finished' },
  });
  expect(twin.highest).toBeGreaterThan(150);
  expect(twin.lowest).toBeLessThan(380);
  await page.getByText('All runs at step 40').waitFor();
  await page.evaluate(() => {
    location.hash = location.hash.replace('view=twin', 'view=model-parts');
  });
  await page.locator('.part-values .tensor-canvas').waitFor();
  const part = await travel(page, {
    ...{ what: '.part-values ~ .part-explanation', press: '#run [data-control=rewind]' },
    then: 'ready',
  });
  expect(part.lowest - part.highest).toBeLessThan(10);
});
