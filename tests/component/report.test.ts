/** The report of a recorded run as a separate page, which also says where to save the model. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { focused, saved } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();
const opened: Page[] = [];
afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

/** Saves the report and returns its HTML. */
async function saveReport(component: Component): Promise<string> {
  const button = component.page.getByRole('button', { name: 'Save the report' });
  const { path } = await saved(component, button);
  return readFile(path, 'utf8');
}

/** Saves the report and opens it. */
async function openReport(
  component: Component,
  viewport = { width: 1280, height: 800 },
): Promise<Page> {
  const html = await saveReport(component);
  const report = await component.page.context().newPage();
  opened.push(report);
  await report.setViewportSize(viewport);
  await report.setContent(html);
  return report;
}

const restart = (page: Page): Locator =>
  page.getByRole('button', { name: 'Restart with these changes' }).first();

it('tells where the model itself is saved, and leads there', async () => {
  const { page } = await mount(['take-away', 'model'], 'names', { step: 10 });
  await page.getByRole('heading', { name: 'The model itself' }).waitFor();
  await page.getByRole('button', { name: 'Go there' }).click();
  const checkpoint = page.getByRole('button', { name: 'Checkpoint' });
  await focused(checkpoint);
});

const EVIL = '<script>document.title="broken"</script><img src=x onerror=alert(1)>';
const PROBE = EVIL.slice(0, 20);

/** Mounts a paused run on a text that resembles a script, with attention maps of its heads. */
async function onScript(): Promise<Component> {
  const text = `${EVIL}\n`.repeat(30);
  const ids = ['take-away', 'attention', 'plan', 'text'];
  const component = await mount(ids, 'names', { text });
  // A new text selects its own prompt, which replaces a prompt typed earlier.
  await expect.poll(() => component.probe.inputValue()).toBe('<script>document.title="');
  await component.probe.fill(PROBE);
  await component.train(30);
  await component.page.locator('.attention-canvas').first().waitFor();
  return component;
}

it('makes a report without script or address, in which script-like text stays text', async () => {
  const component = await onScript();
  expect(await saveReport(component)).not.toContain('<script');
  const report = await openReport(component);
  expect(await report.title()).toMatch(/^A run on /);
  expect(await report.locator('script, img:not([src^="data:"])').count()).toBe(0);
  const said = report.getByText('The text in the maps');
  expect(await said.textContent()).toBe(`The text in the maps: “${PROBE}”`);
  expect(await report.getByText(/“<”, “s”, “c”/).count()).toBe(1);
  // The report names the text by its SHA-256 and the run by its receipt.
  expect(await report.locator('code').first().textContent()).toMatch(/^[0-9a-f]{64}$/);
  expect(await report.getByText(/^gh1-/).count()).toBe(1);
  // A character tokenizer has no vocabulary size to choose.
  expect(await report.getByText(/Context/).count()).toBe(1);
  expect(await report.getByText(/Vocabulary/).count()).toBe(0);
});

it('draws the loss of a report to the last step of a run that was stopped', async () => {
  const report = await openReport(await mount('take-away', 'names', { step: 30 }));
  await report.getByRole('heading', { name: 'Loss', exact: true }).waitFor();
  expect(await report.locator('svg path').count()).toBeGreaterThan(10);
  const numbers = await report
    .locator('svg.large g text')
    .evaluateAll((texts) => texts.map((text) => Number(text.textContent.replaceAll(',', ''))));
  expect(Math.max(...numbers.filter(Number.isFinite))).toBe(30);
});

it('has a map of each head in its report, with tokens at rows and columns and a scale', async () => {
  const report = await openReport(await onScript());
  const widths = await report.locator('.map img').evaluateAll((images) =>
    Promise.all(
      (images as HTMLImageElement[]).map(async (image) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ),
  );
  expect(widths).toHaveLength(8);
  expect(Math.min(...widths)).toBeGreaterThan(5);
  expect(await report.locator('figure use').count()).toBe(8);
  expect(await report.locator('#letters text').allTextContents()).toContain('s');
  expect(await report.locator('.scale').innerText()).toMatch(/^Weight\s+0\s+0\.05\s+0\.25/);
  // The report would note a difference between the step of the maps and that of the run.
  const [, step] = /([\d,]+) steps/.exec((await report.locator('header p').textContent()) ?? '')!;
  const caption = report.locator('.map + figcaption').first();
  expect(await caption.textContent()).toContain(` at step ${step!}`);
  expect(await report.getByText(/^The maps are of step/).count()).toBe(0);
});

it('draws the maps of a report on its paper in either theme', async () => {
  const report = await openReport(await onScript());
  const map = report.locator('.map img').first();
  /** Alpha of a future weight, green of the first token's weight on itself, and the background. */
  const corners = (): Promise<{ future: number; past: number; paper: string }> =>
    map.evaluate(async (image: HTMLImageElement) => {
      const shown = new Image();
      shown.src = image.currentSrc;
      await shown.decode();
      const canvas = new OffscreenCanvas(shown.width, shown.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(shown, 0, 0);
      const at = (x: number, y: number): Uint8ClampedArray => context.getImageData(x, y, 1, 1).data;
      const future = at(shown.width - 1, 0)[3] ?? 0;
      return { future, past: at(0, 0)[1] ?? 0, paper: getComputedStyle(image).backgroundColor };
    });
  const paper = 'rgba(0, 0, 0, 0)';
  await report.emulateMedia({ colorScheme: 'light' });
  const light = await corners();
  expect(light).toMatchObject({ future: 0, paper });
  await report.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await corners()).past).toBeGreaterThan(light.past + 100);
  expect(await corners()).toMatchObject({ future: 0, paper });
});

it('shows control characters by their signs, in the report as on the page', async () => {
  const text = 'a\u0001b\u0002\n'.repeat(60);
  const component = await mount(['take-away', 'samples'], 'small', { text, step: 30 });
  const report = await saveReport(component);
  expect(report).toMatch(/[␁␂]/);
  expect(report).not.toMatch(/(?![\n\t])\p{Cc}/u);
  const written = component.page.locator('.samples');
  await expect.poll(() => written.textContent()).toMatch(/[␁␂]/);
});

it('names the run and all that was changed in its report, and folds its tables', async () => {
  const component = await mount('take-away', 'names', { step: 60, hash: 'layers=1&seed=7' });
  const report = await openReport(component);
  expect(await report.title()).toBe('A run on English names (Seed 7, Layers 1, Steps 60)');
  await report.getByText('with these changes: Seed 7, Layers 1, Steps 60.').waitFor();
  expect(await report.locator('h2').allTextContents()).toEqual(
    ['Loss', 'What it wrote', 'Attention', 'How it took shape', 'Copied or new?', 'The losses in numbers', 'Settings', 'Where it comes from'], // prettier-ignore
  );
  // Tables omit the validation column for a run without held-out text.
  const tables = report.locator('details table');
  expect(await report.locator('table').count()).toBe(await tables.count());
  expect(await report.locator('table:visible').count()).toBe(0);
  expect(await tables.first().locator('thead th').allTextContents()).toEqual(['Steps', 'Mean']);
  await report.getByText(/^At step 60 it continues \d+% of 32 prompts from the training text word for word\.$/).waitFor(); // prettier-ignore
  // Printing unfolds all tables.
  await report.emulateMedia({ media: 'print' });
  await expect.poll(() => tables.first().isVisible()).toBe(true);
  expect((await tables.last().boundingBox())!.height).toBeGreaterThan(100);
  await report.emulateMedia({ media: 'screen' });
  await expect.poll(() => tables.first().isVisible()).toBe(false);
});

it('draws the loss of a report for a phone and for a wide page', async () => {
  const component = await mount('take-away', 'names', { step: 60 });
  const report = await openReport(component, { width: 360, height: 740 });
  const drawing = report.locator('svg.curve:visible');
  await expect.poll(() => drawing.count()).toBe(1);
  const heights = await drawing
    .locator('text')
    .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeGreaterThan(12);
  expect(await report.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await report.setViewportSize({ width: 1200, height: 800 });
  await expect.poll(() => drawing.count()).toBe(1);
  await expect.poll(async () => (await drawing.boundingBox())!.width).toBeGreaterThan(800);
});

it('says in a report when it was saved, and the loss as nats and as the perplexity of these', async () => {
  const report = await openReport(await mount('take-away', 'names', { step: 60 }));
  expect(await report.getByText(/^Saved on \w+ \d+, \d{4}/).count()).toBe(1);
  expect(await report.getByText('All runs at step').count()).toBe(0);
  const told = await report.getByText(/^After 60 steps the smoothed loss was/).textContent();
  const [, nats] = /loss was ([\d.]+) nats per token/.exec(told ?? '') ?? [];
  const [, perplexity] = /perplexity, e to the nats per token, is ([\d.]+):/.exec(told ?? '') ?? [];
  expect(Math.log(Number(perplexity))).toBeCloseTo(Number(nats), 2);
});

it('compares in a report the runs that are drawn together', async () => {
  const component = await mount(['take-away', 'loss', 'settings'], 'names', { step: 60 });
  const { page, reach } = component;
  await page.locator('#settings [data-option=layers] input').fill('1');
  await restart(page).click();
  await expect.poll(() => page.locator('#loss .earlier li').count()).toBe(1);
  await reach('finished');
  const report = await openReport(component);
  const rows = report.getByRole('table', { name: 'All runs at step 60' }).locator('tbody tr');
  const told = await rows.allTextContents();
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(/^This run: Layers 1[\d.]+$/);
  expect(told[1]).toMatch(/^Run 1: Layers 2[\d.]+$/);
  await report
    .getByText(/^(Best on its training text at step 60|On their training text)/)
    .waitFor();
});

it('says in a report which setting was changed in the midst of the run', async () => {
  const component = await mount('take-away', 'names', { step: 60 });
  const { page, run } = component;
  await page.getByRole('button', { name: 'Train 60 more' }).click();
  await expect.poll(() => run.locator('[data-part=step]').textContent()).toBe('120 / 120');
  const said = 'Changed during the run: Steps from 60 to 120 after step 60.';
  expect(await saveReport(component)).toContain(said);
});

it('keeps the title of a report short, however much was changed, and lists all changes below', async () => {
  const hash = 'layers=1&channels=32&seed=7&batch=2&context=24&lr=0.00123';
  const component = await mount('take-away', 'names', { step: 10, hash });
  const report = await openReport(component, { width: 390, height: 844 });
  const title = report.getByRole('heading', { level: 1 });
  expect(await title.textContent()).toMatch(/^A run on English names \([^,]+, [^,]+ and 5 more\)$/);
  const lines = await title.evaluate(
    (heading) =>
      heading.getBoundingClientRect().height / parseFloat(getComputedStyle(heading).lineHeight),
  );
  expect(lines).toBeLessThan(3.5);
  await report.getByText(/with these changes: .*Learning rate 0\.00123/).waitFor();
});
