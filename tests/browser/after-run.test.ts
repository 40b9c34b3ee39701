/**
 * Tests the worker of the trial training that follows a run. Text and button of the resulting line
 * are tested in tests/component/after-run.test.ts.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { train } from './driver.ts';
import type { Driven } from './driver.ts';
import { siteUrl } from './harness.ts';
import { useSites } from './sites.ts';

const site = useSites();

const SHORT = 'text=moby&preset=tinygpt&channels=16&context=32&batch=4&steps=60';

/** Drops the message that begins the first trial, so that it never completes. */
const hangTrial = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    let isHung = false;
    globalThis.Worker = class extends Worker {
      override postMessage(...what: unknown[]): void {
        const begins = JSON.stringify(what[0]).includes('"resume"');
        if (isHung || !begins) super.postMessage(...(what as [unknown, Transferable[]]));
        else isHung = true;
      }
    };
  });

const next = ({ page }: Driven) => page.locator('#after-run .ending-next');

/** Presses "Why?" once it is there, and returns the reasons. */
async function why(driven: Driven): Promise<string> {
  await next(driven).getByRole('button', { name: 'Why?' }).click();
  return next(driven).locator('.note').innerText();
}

const workers = ({ page }: Driven) => page.workers().length;

it('tries what would help most, ends the trial when another run begins, and tells its result', async () => {
  const driven = await site({ hash: SHORT, before: hangTrial });
  const { page } = driven;
  await train(driven);
  await expect.poll(() => next(driven).innerText()).toBe('Trying what would help most…');
  // Three workers: of the run, of the verdict on its texts, and of the trial.
  await expect.poll(() => workers(driven)).toBe(3);
  await page.getByRole('button', { name: 'New seed' }).click();
  await driven.reach('ready');
  await expect.poll(() => workers(driven)).toBe(2);
  await expect.poll(() => next(driven).innerText()).toBe('');
  await train(driven);
  expect(await why(driven)).toMatch(
    /^More steps would help most: a trial of 6 more brought the validation loss from \d\.\d+ to \d\.\d+\. 60 more take about \d+ seconds? here\.$/,
  );
  await expect.poll(() => workers(driven)).toBe(2);
  // The run's main button trains these steps.
  expect(await next(driven).getByRole('button').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Train 60 more' }).count()).toBe(1);
});

it('tries nothing in a frame', async () => {
  const driven = await site({ url: siteUrl(`embed.html#${SHORT}`) });
  let made = 0;
  driven.page.on('worker', () => (made += 1));
  await train(driven);
  expect(await why(driven)).toMatch(/^More steps would help most: (?!.*trial)/);
  // The verdict on the texts may have started a worker, the trial none.
  expect(made).toBeLessThanOrEqual(1);
});
