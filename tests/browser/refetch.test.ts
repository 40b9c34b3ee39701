/** Tests retries of failed requests: when they occur, and that the messages name the connection. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually, openTab, train } from './driver.ts';
import { siteUrl } from './harness.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

/** Slow enough to be still training when a test inspects the run. */
const SMALL = 'channels=16&layers=1&steps=100000&pace=100';

const sites = useSites();
/** Opens the site in a context of its own: a shared one keeps scripts in memory, unasked for. */
const site: typeof sites = (how = {}) => sites({ options: { locale: 'en-US' }, ...how });

/** Aborts requests for a script while `broken.now` is true; `asked` counts requests. */
async function breakScript(page: Page, name: string) {
  const broken = { now: true, asked: 0 };
  await page.route(`**/assets/${name}-*.js`, (route) => {
    broken.asked += 1;
    return broken.now ? route.abort() : route.continue();
  });
  return broken;
}

// Proves that the page retries the script for saving by itself, and that the message names the
// connection until the script is loaded.
it('saves a run although what saves it could not be fetched at first', async () => {
  let broken = { now: true, asked: 0 };
  const driven = await site({
    hash: `${SMALL}&view=runs`,
    before: async (page) => {
      broken = await breakScript(page, 'run-store');
    },
  });
  driven.breaks(/run-store/);
  const { page } = driven;
  await page.getByText('The part of this page that saves runs could not be loaded.').waitFor();
  await driven.start.click();
  const notice = page.locator('#notice');
  await notice.getByText('The part of this page that saves runs could not be loaded').waitFor();
  expect(await page.getByText('This browser saves nothing').count()).toBe(0);
  const before = broken.asked;
  broken.now = false;
  await eventually(
    () => storedSaves(page),
    (saves) => saves.some(({ step }) => step > 0),
  );
  expect(before).toBeLessThan(4);
  await page.getByRole('rowheader', { name: /English names/ }).waitFor();
  await expect.poll(async () => (await notice.innerText()).trim()).toBe('');
});

// Proves that a paused run is also saved once the connection returns.
it('saves a run that rests by then once the browser is online again', async () => {
  let broken = { now: true, asked: 0 };
  const driven = await site({
    hash: SMALL,
    before: async (page) => {
      broken = await breakScript(page, 'run-store');
    },
  });
  driven.breaks(/run-store/);
  const { page } = driven;
  await driven.oneStep.click();
  await page.locator('#notice').getByText('could not be loaded').waitFor();
  broken.now = false;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  const saves = await eventually(
    () => storedSaves(page),
    (all) => all.length > 0,
    4000,
  );
  expect(saves.map(({ step }) => step)).toEqual([1]);
});

// Proves that a missing panel is requested again when its tab is pressed, after a delay and on the
// browser's online event, but not at each update. The message disappears with the panel.
it('asks again for a tab that could not be fetched at a press and once online, but not at every step', async () => {
  let twin = { now: true, asked: 0 };
  let share = twin;
  const driven = await site({
    hash: SMALL,
    before: async (page) => {
      twin = await breakScript(page, 'twin');
      share = await breakScript(page, 'share');
    },
  });
  driven.breaks(/twin|share/);
  const { page } = driven;
  await page.locator('#closer').getByRole('button', { name: 'Understand' }).click();
  const tab = page.getByRole('tab', { name: 'Twin' });
  const said = page.getByText('This part of the page could not be loaded.');
  await driven.start.click();
  const before = twin.asked;
  await tab.click();
  await said.waitFor();
  const since = performance.now();
  const step = await driven.step();
  await eventually(driven.step, (now) => now > step + 100);
  // The delay bounds the number of requests, regardless of the number of steps.
  expect(twin.asked - before).toBeLessThan(3 + (performance.now() - since) / 1000);
  expect(await page.getByText('The engine could not be loaded').count()).toBe(0);
  twin.now = false;
  await tab.click();
  await page.getByRole('button', { name: 'Train the twin' }).waitFor();
  expect(await said.count()).toBe(0);
  await openTab(page, 'Share');
  await said.waitFor();
  share.now = false;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.getByRole('textbox', { name: 'What to paste' }).waitFor({ timeout: 4000 });
  expect(await said.count()).toBe(0);
});

// Proves that the page does not claim to show a step that cannot be loaded.
it('says that looking back could not be fetched, and fetches it when a step is chosen again', async () => {
  let broken = { now: true, asked: 0 };
  const driven = await site({
    hash: 'channels=16&layers=1&steps=20',
    before: async (page) => {
      broken = await breakScript(page, 'looking-back');
    },
  });
  driven.breaks(/looking-back/);
  const { page, lookBack } = driven;
  await train(driven);
  await lookBack.fill('5');
  await page.getByText('Step 5 cannot be shown').waitFor();
  expect(await page.getByText('The whole page shows step 5').count()).toBe(0);
  broken.now = false;
  await lookBack.fill('6');
  await page.getByText('The whole page shows step 6.').waitFor();
  expect(await page.getByText('cannot be shown').count()).toBe(0);
});

// Proves that the HTML and style sheet alone report a failed load, without any script.
it.each(['', 'embed.html#show=text,loss'])(
  'says that it could not be loaded where no script came: /%s',
  async (path) => {
    const { page, breaks } = await site({
      url: new URL(path, siteUrl()).href,
      state: '',
      before: (to) => to.route('**/assets/*.js', (route) => route.abort()),
    });
    breaks(/assets/);
    const said = page.getByText('A part of this page could not be loaded.');
    expect(await said.isVisible()).toBe(false);
    // Skips the delay of the CSS animation; the message is in the HTML, shown by the style sheet.
    await said.evaluate((line) => {
      for (const one of line.parentElement?.getAnimations() ?? []) one.finish();
    });
    await expect.poll(() => said.isVisible()).toBe(true);
    expect((await said.boundingBox())!.height).toBeGreaterThan(10);
  },
);

// Proves that the page does not retry files of a replaced version and suggests a reload.
it('says that there is a newer version where one has taken the place of the page, and no more', async () => {
  const { page, breaks } = await site({
    before: async (one) => {
      await one.route('**/assets/share-*.js', (route) => route.fulfill({ status: 404 }));
      await one.route(
        (url) => url.pathname === new URL(siteUrl()).pathname,
        (route) =>
          route.request().resourceType() === 'document'
            ? route.continue()
            : route.fulfill({ body: '<script type="module" src="/assets/another.js"></script>' }),
      );
    },
  });
  breaks(/share/);
  const noload = page.locator('#noload');
  await noload.waitFor({ state: 'hidden' });
  expect(await noload.evaluate((one) => one.getAnimations().length)).toBe(0);
  await openTab(page, 'Share');
  const notice = page.locator('#notice');
  await notice.getByText('This site has a newer version').waitFor();
  const loaded = page.waitForEvent('load');
  await notice.getByRole('button', { name: 'Reload the page' }).click();
  await loaded;
});
