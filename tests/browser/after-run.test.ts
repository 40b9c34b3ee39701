/** After a run: one line says what would help most, and its trial ends with whatever comes next. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually, train } from './driver.ts';
import type { Driven } from './driver.ts';
import { dist, siteUrl } from './harness.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** A model that has learned all it can long before the end. */
const TINY = 'text=moby&preset=tinygpt&channels=2&layers=1&context=32&batch=4&steps=4000';
const SHORT = 'text=moby&preset=tinygpt&channels=16&context=32&batch=4&steps=60';

/** Nothing reaches the second worker: what it is asked for never ends by itself. */
const hangSecond = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    let count = 0;
    globalThis.Worker = class extends Worker {
      constructor(...of: ConstructorParameters<typeof Worker>) {
        super(...of);
        if (++count === 2) this.postMessage = () => undefined;
      }
    };
  });

const line = ({ page }: Driven) => page.locator('#after').getByRole('status');
const workers = ({ page }: Driven): Promise<number> => Promise.resolve(page.workers().length);

it('advises more steps after a short run, and the large button is the one that trains them', async () => {
  const driven = await site({ hash: SHORT });
  const { page, problems } = driven;
  await train(driven);
  await expect
    .poll(() => line(driven).textContent())
    .toMatch(
      /^More steps would help most: a trial of 6 more brought the validation loss from \d\.\d+ to \d\.\d+\. 60 more take about \d+ seconds? here\.$/,
    );
  expect(await page.locator('#after button').count()).toBe(1);
  expect(await page.locator('#after button').isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Train 60 more' }).count()).toBe(1);
  await expect.poll(() => workers(driven)).toBe(1);
  expect(problems).toEqual([]);
});

it('advises a larger model after a tiny one, trains it with one press, and nothing moves when the line comes', async () => {
  const driven = await site({ hash: TINY });
  const { page, problems } = driven;
  const top = (): Promise<number> =>
    page.locator('#plan').evaluate((plan) => plan.getBoundingClientRect().top);
  await driven.start.click();
  // The line has its room once its code is there, which comes when the page rests.
  const room = () => page.locator('#after').evaluate((one) => one.clientHeight);
  await expect.poll(room).toBeGreaterThan(0);
  const before = await top();
  await driven.reach('finished');
  const press = page.getByRole('button', { name: 'Train the larger model' });
  await press.waitFor();
  expect(await line(driven).textContent()).toMatch(/^A larger model would help most: after 400/);
  expect(Math.abs((await top()) - before)).toBeLessThan(1);
  await press.focus();
  await page.keyboard.press('Enter');
  await eventually(driven.step, (step) => step < 4000);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('channels=4');
  await expect.poll(() => line(driven).textContent()).toBe('');
  // The focus is not lost with the button.
  expect(await page.evaluate(() => document.activeElement?.closest('#run') !== null)).toBe(true);
  expect(problems).toEqual([]);
});

it('names the step of the lowest validation loss after a run that has memorised, and leads to the text', async () => {
  const driven = await site({
    hash: 'text=own&preset=tinygpt&channels=32&context=16&batch=4&steps=1500',
    state: '',
  });
  const { page, problems } = driven;
  const story = readFileSync(join(dist, 'texts/moby-dick-en.txt'), 'utf8');
  await driven.text.fill(story.slice(0, 1000));
  await driven.reach('ready');
  await train(driven);
  await expect
    .poll(() => line(driven).textContent())
    .toMatch(/^More text would help most: the validation loss was lowest at step \d+ \(\d\.\d+, /);
  await page.getByRole('button', { name: 'Add more text' }).click();
  await expect.poll(() => driven.text.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
});

it('ends the trial when another run begins, and no worker stays', async () => {
  const driven = await site({ hash: SHORT, before: hangSecond });
  const { page, problems } = driven;
  await train(driven);
  await eventually(
    () => workers(driven),
    (count) => count === 2,
  );
  expect(await page.locator('#after').innerText()).toBe('Trying what would help most…');
  expect(await line(driven).textContent()).toBe('');
  await page.getByRole('button', { name: 'New seed' }).click();
  await driven.reach('ready');
  await expect.poll(() => workers(driven)).toBe(1);
  await expect.poll(() => page.locator('#after').innerText()).toBe('');
  // A second run has a trial of its own.
  await train(driven);
  await expect.poll(() => line(driven).textContent()).toMatch(/^More steps/);
  await expect.poll(() => workers(driven)).toBe(1);
  expect(problems).toEqual([]);
});

it('leaves the button out where a lesson has locked the settings, and tries nothing in a frame', async () => {
  const driven = await site({ url: siteUrl(`embed.html#${TINY}&lock=settings`) });
  const { page, problems } = driven;
  await train(driven);
  await expect
    .poll(() => line(driven).textContent())
    .toMatch(/^A larger model would help most: the loss of this one no longer falls\./);
  expect(await page.locator('#after button').isVisible()).toBe(false);
  expect(problems).toEqual([]);
});
