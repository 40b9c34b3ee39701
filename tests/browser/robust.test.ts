/**
 * Tests arbitrary actions during training: state stays intact, no stale content is shown, and no
 * data leaves the page.
 */
import { expect, it } from 'vitest';
import { eachTab, eventually, holdBack, openTab } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

const SLOW = 'channels=16&layers=1&pace=100';

it('trains on behind another tab, and shows where it is when one comes back', async () => {
  const driven = await site({ hash: `${SLOW}&steps=100000` });
  await driven.start.click();
  await eventually(driven.step, (step) => step > 20);
  const before = await driven.step();
  const other = await driven.page.context().newPage();
  await other.bringToFront();
  await eventually(driven.step, (step) => step > before + 100);
  await driven.page.bringToFront();
  await driven.pause.click();
  await driven.reach('paused');
  const at = await driven.step();
  await expect
    .poll(() => driven.page.locator('#loss').innerText())
    .toContain(`After ${at.toLocaleString('en')} steps`);
});

it('takes a double click on Start for one, also where Pause is there before the second', async () => {
  const driven = await site({ hash: `${SLOW}&steps=100000` });
  const { page } = driven;
  await driven.start.click();
  await driven.pause.waitFor();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  const before = await driven.step();
  await eventually(driven.step, (step) => step > before + 20);
  await driven.pause.click();
  await driven.reach('paused');
});

it('keeps the run as it was begun while text is pasted, options change and the window is resized', async () => {
  const driven = await site({ hash: `${SLOW}&steps=400` });
  const { page } = driven;
  await driven.start.dblclick();
  await driven.reach('running');
  await driven.text.fill('something else altogether\n'.repeat(40));
  await page.getByRole('textbox', { name: 'Layers', exact: true }).fill('3');
  for (const width of [360, 1440, 700]) await page.setViewportSize({ width, height: 700 });
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.getByRole('combobox', { name: '语言' }).selectOption('en');
  await page
    .getByText(/Changed: the text.*Layers/)
    .first()
    .waitFor();
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('Full');
  await driven.reach('finished');
  await expect.poll(() => driven.step()).toBe(400);
  // The names have 27 characters and the new text has fewer; the run keeps its vocabulary.
  await expect
    .poll(() => page.locator('[data-part=plan-vocab]').textContent())
    .toMatch(/^27 → \d\d$/);
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await eventually(
    () => page.locator('[data-part=plan-vocab]').textContent(),
    (vocab) => Number(vocab) < 20,
  );
  expect(driven.problems).toEqual([]);
});

it('asks nothing more of the network once it is ready, whatever is used', async () => {
  const driven = await site({ hash: `${SLOW}&steps=60`, preload: true });
  const { page, requests } = driven;
  // Code of unopened tabs loads in idle time.
  await page.evaluate(
    () => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))),
  );
  await page.waitForLoadState('networkidle');
  // The last prefetched files can be late on a busy machine.
  for (const last of ['model-parts', 'stix-two', 'tracing', '/formats-', 'going-back']) {
    await expect.poll(() => requests.some((url) => url.includes(last))).toBe(true);
  }
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  const before = requests.length;
  await driven.text.fill('anna hanna nina\n'.repeat(40));
  await driven.start.click();
  await driven.reach('finished');
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await page.getByText('Written at step 60').waitFor();
  await eachTab(page);
  await openTab(page, 'Runs');
  await page.getByRole('button', { name: 'Check this run' }).click();
  await page.getByText('True: all 60 steps').waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Checkpoint', exact: true }).click();
  await (await coming).path();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.getByRole('combobox', { name: '配色' }).selectOption('dark');
  await page.getByRole('button', { name: '换种子' }).click();
  await driven.reach('ready');
  // Excluded: downloads, which are blob URLs, and the icon, which browsers request at each new URL.
  // Files in assets/ are immutable, so a second worker may request known ones again.
  const known = requests.slice(0, before).filter((url) => url.includes('/assets/'));
  const after = requests.slice(before).filter((url) => !/^blob:|\/icon\.svg$/.test(url));
  expect(after.filter((url) => !known.includes(url))).toEqual([]);
  expect(driven.problems).toEqual([]);
});

it('takes up an address that changes while the engine is on its way: text, settings and language', async () => {
  const { hold, letGo } = holdBack('**/*.wasm');
  const { page, reach } = await site({ hash: 'text=names', state: '', before: hold });
  await page.getByRole('radio', { name: 'English names' }).waitFor();
  await page.evaluate(() => (location.hash = 'text=tang&lang=zh&steps=77'));
  await expect.poll(() => page.locator('html').getAttribute('lang')).toMatch(/^zh/);
  letGo();
  await reach('ready');
  await expect
    .poll(() => page.locator('#text textarea').inputValue())
    .toMatch(/^[\p{sc=Han}，。]+\n/u);
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(/text=tang.*steps=77|steps=77.*text=tang/);
});
