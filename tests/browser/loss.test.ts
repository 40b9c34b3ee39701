/** The loss chart as a person uses it: closer looks, earlier runs, and what can be taken away. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const SHORT = 'steps=60&validation=0.1';

async function train(driven: Driven): Promise<void> {
  await driven.start.click();
  await driven.reach('finished');
}

/** Presses a button that saves, and reads the file. */
async function saved({ page }: Driven, button: Locator): Promise<{ path: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = await download.path();
  return { path, text: await readFile(path, 'latin1') };
}

it('zooms by keys and buttons, reads out steps, and measures in bits per character', async () => {
  const driven = await site({ hash: SHORT });
  await train(driven);
  const { page, problems } = driven;
  const loss = page.locator('#loss');
  const all = loss.getByRole('button', { name: 'Show all steps' });
  const told = loss.locator('[data-part=loss-summary]');
  const curve = loss.getByRole('img', { name: /^The loss curve/ });
  expect(await all.isDisabled()).toBe(true);
  await loss.getByRole('button', { name: 'Zoom in' }).click();
  await eventually(
    () => all.isDisabled(),
    (disabled) => !disabled,
  );
  await all.click();
  await eventually(
    () => all.isDisabled(),
    (disabled) => disabled,
  );
  await curve.focus();
  await page.keyboard.press('ArrowLeft');
  const nats = await eventually(
    async () => (await told.textContent()) ?? '',
    (text) => text.startsWith('Step 60:'),
  );
  expect(nats).toMatch(/nats per token \(perplexity [\d.]+\)\. Validation .* Learning rate .*norm/);
  await page.keyboard.press('+');
  await eventually(
    () => all.isDisabled(),
    (disabled) => !disabled,
  );
  await page.keyboard.press('0');
  await page.keyboard.press('Escape');
  await eventually(
    async () => (await told.textContent()) ?? '',
    (text) => text.startsWith('After 60 steps'),
  );
  await loss.getByRole('button', { name: 'Units, axes and smoothing' }).click();
  await loss.getByRole('radio', { name: 'bits per character' }).check();
  await loss.getByRole('checkbox', { name: 'Steps logarithmic' }).check();
  await loss.getByRole('checkbox', { name: 'Loss logarithmic' }).check();
  await loss.getByRole('checkbox', { name: /beneath/ }).check();
  await eventually(
    () => loss.locator('.loss-small canvas').count(),
    (count) => count === 2,
  );
  await curve.focus();
  await page.keyboard.press('ArrowLeft');
  const bits = await eventually(
    async () => (await told.textContent()) ?? '',
    (text) => text.includes('bits per character'),
  );
  // Characters are tokens here: bits are nats over ln 2.
  const number = (text: string): number => Number(/loss ([\d.]+)/.exec(text)?.[1]);
  expect(number(bits)).toBeCloseTo(number(nats) / Math.LN2, 2);
  expect(problems).toEqual([]);
});

it('keeps the curve of a run that another one replaces, to hide or to remove', async () => {
  const driven = await site({ hash: SHORT });
  await train(driven);
  const { page, problems } = driven;
  const earlier = page.getByRole('list', { name: 'Earlier runs' });
  expect(await earlier.getByRole('listitem').count()).toBe(0);
  await page.evaluate(() => {
    location.hash += '&layers=1';
  });
  await page.getByRole('button', { name: 'New run with these' }).click();
  const tick = earlier.getByRole('checkbox', { name: /^Run 1: Layers 2$/ });
  await tick.waitFor();
  await tick.uncheck();
  await eventually(
    () => tick.isChecked(),
    (checked) => !checked,
  );
  await earlier.getByRole('button', { name: /^Remove Run 1/ }).click();
  await earlier.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});

it('saves the loss as CSV with all digits, and the curve as SVG and PNG', async () => {
  const driven = await site({ hash: SHORT });
  await train(driven);
  const { page, problems } = driven;
  const save = (form: string): Locator =>
    page.locator('#loss').getByRole('button', { name: `Save as ${form}` });
  const rows = (await saved(driven, save('CSV'))).text.trim().split('\r\n');
  expect(rows).toHaveLength(61);
  expect(rows[1]).toMatch(/^1,3\.2760\d{10,},3\.276\d+,[\d.]+,0\.001,[\d.]+$/);
  const { text: drawing } = await saved(driven, save('SVG'));
  const read = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {
      bad: parsed.querySelector('parsererror') !== null,
      title: parsed.querySelector('title')?.textContent,
      paths: parsed.querySelectorAll('path').length,
    };
  }, drawing);
  expect(read.bad).toBe(false);
  expect(read.title).toBe('Loss over 60 steps');
  expect(read.paths).toBeGreaterThan(10);
  const { path } = await saved(driven, save('PNG'));
  const png = await readFile(path);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 1080]);
  expect(problems).toEqual([]);
});

it('goes on from all steps when keys follow “Show all steps” within one frame', async () => {
  const driven = await site({ hash: SHORT });
  await train(driven);
  const { page, problems } = driven;
  const loss = page.locator('#loss');
  const all = loss.getByRole('button', { name: 'Show all steps' });
  await loss.getByRole('button', { name: 'Zoom in' }).click();
  await eventually(
    () => all.isDisabled(),
    (disabled) => !disabled,
  );
  await all.evaluate((button: HTMLElement) => {
    const curve = document.querySelector<HTMLElement>('.loss-plot')!;
    curve.focus();
    button.click();
    curve.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  });
  await eventually(
    async () => (await loss.locator('[data-part=loss-summary]').textContent()) ?? '',
    (text) => text.startsWith('Step 60:'),
  );
  expect(problems).toEqual([]);
});

it('tells where the model itself is saved, and leads there', async () => {
  const driven = await site({ hash: `${SHORT}&view=take-away` });
  await train(driven);
  const { page, problems } = driven;
  await page.getByRole('heading', { name: 'The model itself' }).waitFor();
  await page.getByRole('button', { name: 'Go there' }).click();
  const checkpoint = page.getByRole('button', { name: 'Checkpoint' });
  await checkpoint.waitFor();
  expect(await checkpoint.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
});

it('makes a report that stands alone, in which script-like text stays text', async () => {
  const driven = await site({ hash: 'steps=40&view=take-away' });
  const { page, problems } = driven;
  const evil = '<script>document.title="broken"</script><img src=x onerror=alert(1)>';
  await driven.text.fill(`${evil}\n`.repeat(30));
  await driven.probe.fill(evil.slice(0, 20));
  await eventually(
    () => page.locator('[data-part=plan-vocab]').textContent(),
    (text) => text !== '27' && text !== '–',
  );
  await train(driven);
  await page.locator('.attention-canvas').first().waitFor();
  const { path } = await saved(driven, page.getByRole('button', { name: 'Save the report' }));
  const html = await readFile(path, 'utf8');
  expect(html).not.toContain('<script');
  const report = await page.context().newPage();
  await report.setContent(html);
  expect(await report.title()).toMatch(/^A run on /);
  await report.getByRole('heading', { name: 'Loss', exact: true }).waitFor();
  expect(await report.locator('svg path').count()).toBeGreaterThan(10);
  // Two layers of four heads, each a picture that can be decoded.
  const sizes = await report.locator('figure img').evaluateAll((images) =>
    Promise.all(
      (images as HTMLImageElement[]).map(async (image) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ),
  );
  expect(sizes).toHaveLength(8);
  expect(Math.min(...sizes)).toBeGreaterThan(5);
  expect(await report.getByText(/“<”, “s”, “c”/).count()).toBe(1);
  expect(await report.locator('code').first().textContent()).toMatch(/^[0-9a-f]{64}$/);
  expect(await report.getByText(/^gh1-/).count()).toBe(1);
  // A model of characters has no size of vocabulary to choose.
  expect(await report.getByText(/Context/).count()).toBe(1);
  expect(await report.getByText(/Vocabulary/).count()).toBe(0);
  expect(await report.locator('script, img:not([src^="data:"])').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('trains a twin with one setting changed and holds both runs against each other', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin` });
  await train(driven);
  const { page, problems } = driven;
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Activation' });
  await page.getByRole('button', { name: 'Train the twin' }).click();
  const rows = page.getByRole('region', { name: 'The runs side by side' }).locator('tbody tr');
  await page.getByText('All runs at step 60').waitFor();
  await driven.reach('finished');
  await eventually(
    async () => (await page.getByText('All runs at step 60').count()) + (await rows.count()),
    (count) => count === 3,
  );
  const losses = await rows.locator('td:first-of-type').allTextContents();
  expect(losses).toHaveLength(2);
  expect(losses[0]).not.toBe(losses[1]);
  expect(await rows.nth(1).getByRole('rowheader').textContent()).toMatch(/^Run 1: /);
  expect(problems).toEqual([]);
});

it('leaves the run of now as it was when a twin has what can change during a run', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin` });
  await train(driven);
  const { page, problems } = driven;
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Learning rate' });
  await page.getByRole('button', { name: 'Train the twin' }).click();
  await page.getByText('All runs at step 60').waitFor();
  const rows = page.getByRole('region', { name: 'The runs side by side' }).locator('tbody tr');
  await eventually(
    () => rows.count(),
    (count) => count === 2,
  );
  expect(await rows.nth(1).getByRole('rowheader').textContent()).toBe('Run 1: Learning rate 0.001');
  expect(problems).toEqual([]);
});
