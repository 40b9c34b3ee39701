/** What is taken away of a run: the report as a page of its own, and where the model is saved. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually, saved, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const SHORT = 'steps=60&validation=0.1';

it('tells where the model itself is saved, and leads there', async () => {
  const driven = await site({ hash: `${SHORT}&view=take-away` });
  await train(driven);
  const { page, problems } = driven;
  await page.getByRole('heading', { name: 'The model itself' }).waitFor();
  await page.getByRole('button', { name: 'Go there' }).click();
  const checkpoint = page.getByRole('button', { name: 'Checkpoint' });
  await checkpoint.waitFor();
  await expect
    .poll(() => checkpoint.evaluate((button) => button === document.activeElement))
    .toBe(true);
  expect(problems).toEqual([]);
});

it('makes a report that stands alone, in which script-like text stays text', async () => {
  const driven = await site({ hash: 'steps=5000&pace=300&view=take-away' });
  const { page, problems } = driven;
  const evil = '<script>document.title="broken"</script><img src=x onerror=alert(1)>';
  await driven.text.fill(`${evil}\n`.repeat(30));
  // The text brings its own words to look at: in the middle of filling the field, they would be
  // added to.
  await expect.poll(() => driven.probe.inputValue()).toBe('<script>document.title="');
  await driven.probe.fill(evil.slice(0, 20));
  await eventually(
    () => page.locator('[data-part=plan-vocab]').textContent(),
    (text) => text !== '27' && text !== '–',
  );
  // A run that is stopped long before its planned end.
  await driven.start.click();
  await eventually(driven.step, (step) => step >= 40);
  await driven.pause.click();
  await driven.reach('paused');
  await page.locator('.attention-canvas').first().waitFor();
  const { path } = await saved(driven, page.getByRole('button', { name: 'Save the report' }));
  const html = await readFile(path, 'utf8');
  expect(html).not.toContain('<script');
  const report = await page.context().newPage();
  await report.setContent(html);
  await expect.poll(() => report.title()).toMatch(/^A run on /);
  await report.getByRole('heading', { name: 'Loss', exact: true }).waitFor();
  await expect.poll(() => report.locator('svg path').count()).toBeGreaterThan(10);
  // The axis of steps ends where the run ended.
  const ends = await report
    .locator('svg.large g text')
    .evaluateAll((texts) => texts.map((text) => Number(text.textContent.replaceAll(',', ''))));
  expect(Math.max(...ends.filter(Number.isFinite))).toBeLessThanOrEqual(await driven.step());
  // Two layers of four heads, each a picture that can be decoded.
  const sizes = await report.locator('.map img').evaluateAll((images) =>
    Promise.all(
      (images as HTMLImageElement[]).map(async (image) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ),
  );
  expect(sizes).toHaveLength(8);
  expect(Math.min(...sizes)).toBeGreaterThan(5);
  // Each has its tokens at rows and columns, and stands on the paper in either theme.
  await expect.poll(() => report.locator('figure use').count()).toBe(8);
  await expect.poll(() => report.locator('#letters text').allTextContents()).toContain('s');
  // Of another step than all else, the maps say so.
  const step = /([\d,]+) steps/.exec((await report.locator('header p').textContent()) ?? '')?.[1];
  const mapsOf = / at step ([\d,]+)/.exec((await report.locator('.map + figcaption').first().textContent()) ?? '')?.[1]; // prettier-ignore
  expect([step, mapsOf, await report.getByText(/^The maps are of step/).count()]).toEqual(
    [step, mapsOf, step === mapsOf ? 0 : 1], // prettier-ignore
  );
  await expect
    .poll(() => report.getByText('The text that is looked at').textContent())
    .toBe(`The text that is looked at: “${evil.slice(0, 20)}”`);
  await expect
    .poll(() => report.locator('.scale').innerText())
    .toMatch(/^Weight\s+0\s+0\.05\s+0\.25/);
  const map = report.locator('.map img').first();
  const corners = async (): Promise<{ future: number; past: number; paper: string }> =>
    map.evaluate(async (image: HTMLImageElement) => {
      const shown = new Image();
      shown.src = image.currentSrc;
      await shown.decode();
      const canvas = new OffscreenCanvas(shown.width, shown.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(shown, 0, 0);
      const at = (x: number, y: number): Uint8ClampedArray => context.getImageData(x, y, 1, 1).data;
      const future = at(shown.width - 1, 0)[3] ?? 0;
      // The first token looks at nothing but itself: the strongest colour there is.
      return { future, past: at(0, 0)[1] ?? 0, paper: getComputedStyle(image).backgroundColor };
    });
  const paper = 'rgba(0, 0, 0, 0)';
  await report.emulateMedia({ colorScheme: 'light' });
  const light = await corners();
  expect(light).toMatchObject({ future: 0, paper });
  await report.emulateMedia({ colorScheme: 'dark' });
  const dark = await eventually(corners, ({ past }) => past > light.past + 100);
  expect(dark).toMatchObject({ future: 0, paper });
  await expect.poll(() => report.getByText(/“<”, “s”, “c”/).count()).toBe(1);
  await expect.poll(() => report.locator('code').first().textContent()).toMatch(/^[0-9a-f]{64}$/);
  await expect.poll(() => report.getByText(/^gh1-/).count()).toBe(1);
  // A model of characters has no size of vocabulary to choose.
  await expect.poll(() => report.getByText(/Context/).count()).toBe(1);
  await expect.poll(() => report.getByText(/Vocabulary/).count()).toBe(0);
  await expect.poll(() => report.locator('script, img:not([src^="data:"])').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('shows control characters by their signs, and none as it is', async () => {
  const driven = await site({ hash: 'layers=1&steps=30&context=8&view=take-away' });
  await driven.text.fill('a\u0001b\u0002\n'.repeat(60));
  await driven.reach('ready');
  await train(driven);
  const save = driven.page.getByRole('button', { name: 'Save the report' });
  const { path } = await saved(driven, save);
  const report = await readFile(path, 'utf8');
  expect(report).toMatch(/[␁␂]/);
  expect(report).not.toMatch(/(?![\n\t])\p{Cc}/u);
  const written = driven.page.locator('.samples');
  await expect.poll(() => written.textContent()).toMatch(/[␁␂]/);
});

it('makes a report that reads on a phone, with nothing in it that is empty', async () => {
  const driven = await site({ hash: 'steps=300&layers=1&seed=7&view=take-away' });
  await train(driven);
  const { page, problems } = driven;
  const { path } = await saved(driven, page.getByRole('button', { name: 'Save the report' }));
  const report = await page.context().newPage();
  await report.setViewportSize({ width: 360, height: 740 });
  await report.setContent(await readFile(path, 'utf8'));
  await expect
    .poll(() => report.title())
    .toBe('A run on English names (Seed 7, Layers 1, Steps 300)');
  const drawing = report.locator('svg.curve:visible');
  await expect.poll(() => drawing.count()).toBe(1);
  // Letters as large as they are written, or nearly.
  const heights = await drawing
    .locator('text')
    .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeGreaterThan(12);
  const wide = await report.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBe(360);
  // Samples and maps come before tables, which are folded and have no column of dashes.
  const tables = report.locator('details table');
  await expect.poll(() => report.locator('table').count()).toBe(await tables.count());
  await expect.poll(() => report.locator('table:visible').count()).toBe(0);
  await expect
    .poll(() => report.locator('h2').allTextContents())
    .toEqual(
      ['Loss', 'What it wrote', 'Attention', 'How it took shape', 'Copied or new?', 'The losses in numbers', 'Settings', 'Where it comes from'], // prettier-ignore
    );
  await expect
    .poll(() => tables.first().locator('thead th').allTextContents())
    .toEqual(['Steps', 'Mean']);
  await report.getByText('with these changes: Seed 7, Layers 1, Steps 300.').waitFor();
  await report.getByText(/^At step 300 it continues \d+% of 32 prompts from the training text word for word\.$/).waitFor(); // prettier-ignore
  // On paper nothing can be pressed: what is folded is printed whole.
  await report.emulateMedia({ media: 'print' });
  await eventually(
    async () => (await tables.last().boundingBox())?.height ?? 0,
    (height) => height > 100,
  );
  await expect.poll(() => tables.first().isVisible()).toBe(true);
  await report.emulateMedia({ media: 'screen' });
  await expect.poll(() => tables.first().isVisible()).toBe(false);
  await report.setViewportSize({ width: 1200, height: 800 });
  await expect.poll(() => drawing.count()).toBe(1);
  expect((await drawing.boundingBox())!.width).toBeGreaterThan(800);
  expect(problems).toEqual([]);
});

it('holds runs that are drawn together against each other, and says when it was saved', async () => {
  const driven = await site({ hash: 'steps=40&view=take-away' });
  const { page, problems } = driven;
  const make = async () => {
    const { path } = await saved(driven, page.getByRole('button', { name: 'Save the report' }));
    const report = await page.context().newPage();
    await report.setContent(await readFile(path, 'utf8'));
    return report;
  };
  await driven.start.click();
  await driven.reach('finished');
  const alone = await make();
  await expect.poll(() => alone.getByText(/^Saved on \w+ \d+, \d{4}/).count()).toBe(1);
  await expect.poll(() => alone.getByText('All runs at step').count()).toBe(0);
  const told = (await alone.getByText(/^After 40 steps the smoothed loss was/).textContent()) ?? '';
  const [, nats] = /loss was ([\d.]+) nats per token/.exec(told) ?? [];
  const [, perplexity] = /perplexity, e to the nats per token, is ([\d.]+):/.exec(told) ?? [];
  expect(Math.log(Number(perplexity))).toBeCloseTo(Number(nats), 2);
  await page.locator('#settings [data-option=layers] input').fill('1');
  await page.getByRole('button', { name: 'Restart with these changes' }).first().click();
  await eventually(
    () => page.locator('#loss .earlier li').count(),
    (count) => count === 1,
  );
  await driven.reach('finished');
  const both = await make();
  const table = both.getByRole('table', { name: 'All runs at step 40' });
  const rows = await table.locator('tbody tr').allTextContents();
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^This run: Layers 1[\d.]+$/);
  expect(rows[1]).toMatch(/^Run 1: Layers 2[\d.]+$/);
  await both
    .getByText(/^(Best at what it learns from, at step 40|At what they learn from)/)
    .waitFor();
  expect(problems).toEqual([]);
});

it('keeps the title of a report short, however much was changed: below stand all changes', async () => {
  const changes = 'steps=20&layers=1&channels=32&seed=7&batch=2&context=24&lr=0.00123';
  const driven = await site({ hash: `${changes}&view=take-away` });
  await train(driven);
  const { page } = driven;
  const { path } = await saved(driven, page.getByRole('button', { name: 'Save the report' }));
  const report = await page.context().newPage();
  await report.setViewportSize({ width: 390, height: 844 });
  await report.setContent(await readFile(path, 'utf8'));
  const title = report.getByRole('heading', { level: 1 });
  await expect
    .poll(() => title.textContent())
    .toMatch(/^A run on English names \([^,]+, [^,]+ and 5 more\)$/);
  const lines = await title.evaluate(
    (heading) =>
      heading.getBoundingClientRect().height / parseFloat(getComputedStyle(heading).lineHeight),
  );
  expect(lines).toBeLessThan(3.5);
  await report.getByText(/with these changes: .*Learning rate 0\.00123/).waitFor();
});

it('offers the head that is shown large, and shows the one that is chosen there', async () => {
  const driven = await site({ hash: 'steps=40&view=take-away' });
  await train(driven);
  const { page, problems } = driven;
  const attention = page.locator('#attention');
  await attention.scrollIntoViewIfNeeded();
  await attention.getByRole('radio', { name: /^Layer 2, head 3/ }).click();
  const head = page.getByRole('combobox', { name: 'Head', exact: true });
  await eventually(
    () => head.inputValue(),
    (value) => value === '6',
  );
  await head.selectOption({ label: 'Layer 1, head 2' });
  await attention.getByRole('heading', { name: 'Layer 1, head 2' }).waitFor();
  expect(problems).toEqual([]);
});
