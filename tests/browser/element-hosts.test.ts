/**
 * Tests `<glasshouse-gpt>` in host pages with keyboard shortcuts, unusual layouts and CSS scaling.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { coveredShare, eventually } from './driver.ts';
import { siteUrl } from './harness.ts';
import { useVisits } from './hosts.ts';

const visits = useVisits();
const head = '<script type="module" src="/site/embed/element.mjs"></script>';
const place = async (body: string): Promise<Page> => (await visits.place(body, { head })).page;

const ready = (page: Page): Promise<unknown> =>
  page.locator('glasshouse-gpt #run[data-state=ready]').waitFor({ state: 'attached' });

/** Places an element and trains its run to the end. */
async function trained(body: string): Promise<Page> {
  const page = await place(body);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('glasshouse-gpt #run[data-state=finished]').waitFor({ state: 'attached' });
  return page;
}

/** Moves the pointer to a fraction of an element's visible width and height. */
async function pointAt(one: Locator, x: number, y: number): Promise<void> {
  await one.scrollIntoViewIfNeeded();
  const box = (await one.boundingBox())!;
  // Two moves, because the page takes a single one for scrolling under a resting pointer.
  await one.page().mouse.move(box.x + box.width * x - 3, box.y + box.height * y);
  await one.page().mouse.move(box.x + box.width * x, box.y + box.height * y);
}

/** Listens to keys as slide programs do. Returns a function that reads the events heard since. */
async function listenOutside(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    // Slide programs treat every key outside their own fields as a command.
    const heard: string[] = [];
    for (const type of ['keydown', 'keypress', 'keyup'] as const) {
      document.addEventListener(type, (event) => {
        heard.push(`${type} ${event.key}`);
        event.preventDefault();
      });
    }
    Object.assign(window, { heard });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0));
}

it('keeps keys to itself that are meant for its fields and buttons, and leaves the page the others', async () => {
  const page = await place('<glasshouse-gpt show="ask,loss"></glasshouse-gpt>');
  await ready(page);
  const heard = await listenOutside(page);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.click();
  await page.keyboard.type('anb.o f');
  await page.keyboard.press('Home');
  expect(await prompt.inputValue()).toBe('anb.o f');
  expect(await heard()).toEqual([]);
  const fold = page.getByRole('button', { name: 'Zoom, units, table, files' });
  await fold.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('true');
  expect(await heard()).toEqual([]);
  // Presentation remotes send PageDown, which must reach the slides from any focused element.
  await page.keyboard.press('PageDown');
  expect(await heard()).toEqual(['keydown PageDown', 'keyup PageDown']);
});

it('keeps a key as long as it means something where the focus is, from its press to its release', async () => {
  const page = await trained(
    '<glasshouse-gpt show="loss,attention,samples" settings="steps=60&amp;layers=1&amp;channels=16&amp;heads=2"></glasshouse-gpt>',
  );
  const heard = await listenOutside(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const term = page.locator('glasshouse-gpt [data-term]').first();
  await button('Zoom, units, table, files').click();
  await button('The losses as a table').click();
  const table = page.getByRole('region', { name: 'The losses as a table' });
  await table.evaluate((one: HTMLElement) => (one.style.maxHeight = '4rem'));
  const rows: readonly (readonly [part: Locator, used: string, passed: string])[] = [
    [page.locator('#attention .attention-canvas'), 'ArrowUp Escape', 'Escape Home'],
    [page.locator('.loss-plot'), 'ArrowLeft Home End Enter Escape', 'Escape Enter b'],
    [page.getByRole('slider', { name: 'Look back' }), 'Home End ArrowLeft', 'Escape'],
    [term, 'Escape', 'Escape Home'],
    [button('One step'), '', 'ArrowRight Escape End'],
    [page.locator('#attention .head-cell').first(), 'Enter ArrowRight', 'Escape Home'],
    // A key that scrolls the box further is used: of one that is at its top, not ArrowUp.
    [table, '', 'ArrowUp Home ArrowLeft'],
    [table, 'ArrowDown PageDown End', 'ArrowRight Escape'],
  ];
  const keysOf = (keys: string): string[] => keys.split(' ').filter(Boolean);
  const speed = page.getByRole('combobox', { name: 'Speed' });
  for (const [part, used, passed] of [...rows, [speed, 'End Home', '']] as typeof rows) {
    // A run that is over has no speed.
    if (part === speed) await button('Rewind').click();
    await part.focus();
    await heard();
    if (part === term) {
      await page.keyboard.press('Enter');
      await page.locator('glasshouse-gpt .term-note').waitFor();
    }
    for (const key of keysOf(used)) await page.keyboard.press(key);
    expect(await heard(), part.toString()).toEqual([]);
    for (const key of keysOf(passed)) {
      await page.keyboard.press(key);
      expect(await heard()).toEqual(expect.arrayContaining([`keydown ${key}`, `keyup ${key}`]));
    }
  }
});

it.each([
  ['a row', 'display: flex'],
  ['a column', 'display: flex; flex-direction: column; align-items: center'],
  ['a grid', 'display: grid; justify-items: center'],
  ['a float', 'float: left'],
  ['a line', 'display: inline-block'],
  ['a cell', 'display: table-cell'],
  ['a box as wide as what is in it', 'width: fit-content'],
  ['a box of no place', 'position: absolute'],
])('has a width in %s, which is never more than there is', async (_, style) => {
  const page = await place(
    `<div style="${style}"><glasshouse-gpt show="loss"></glasshouse-gpt></div>`,
  );
  const width = () =>
    page.locator('glasshouse-gpt').evaluate((one: HTMLElement) => one.offsetWidth);
  expect(await width()).toBeGreaterThanOrEqual(640);
  await page.setViewportSize({ width: 360, height: 640 });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(wide).toBeLessThanOrEqual(360);
  expect(await width()).toBeGreaterThan(300);
});

const TASK = 'Train+it,+then+look.+'.repeat(20);
const WIDGET = `<script type="module">
  import widget from '/site/embed/widget.mjs';
  widget.render({ model: { get: () => undefined }, el: document.body });
</script>`;

it.each([
  ['embed.html', () => visits.goto(siteUrl('embed.html'))],
  ['embed.html with a task', () => visits.goto(siteUrl(`embed.html#task=${TASK}`))],
  ['the element', () => visits.visit('<glasshouse-gpt></glasshouse-gpt>', { head })],
  ['the widget', () => visits.visit('', { head: WIDGET })],
])('covers no more than a third of a low window in %s', async (_, open) => {
  const { page } = await open();
  await page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
  for (const [width, height] of [
    [320, 256],
    [426, 341],
    [1280, 240],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await coveredShare(page), `${width} × ${height}`).toBeLessThan(1 / 3);
  }
});

it('reads the step and the weight under the pointer, however the page scales and zooms', async () => {
  const read = async (style: string): Promise<string> => {
    const page = await trained(
      `<div style="${style}; transform-origin: 0 0; width: 800px"><glasshouse-gpt show="loss,attention" probe="annabel" settings="steps=60&amp;layers=1&amp;channels=16&amp;heads=1"></glasshouse-gpt></div>`,
    );
    await pointAt(page.locator('#loss .u-over').first(), 0.5, 0.5);
    const tip = page.locator('#loss .loss-tip');
    const step = await eventually(
      async () => Number(/\d+/.exec((await tip.textContent()) ?? '')?.[0] ?? NaN),
      (at) => at > 0,
    );
    expect(Math.abs(step - 30), style).toBeLessThanOrEqual(2);
    await pointAt(page.locator('#attention .attention-canvas'), 0.6, 0.7);
    return eventually(
      async () => (await page.locator('[data-part=attention-readout]').textContent()) ?? '',
      (said) => said.includes('looks at'),
    );
  };
  const plain = await read('color: inherit');
  for (const style of ['transform: scale(.5)', 'transform: scale(1.5)', 'zoom: 1.5']) {
    expect(await read(style), style).toBe(plain);
  }
});

it('shows what stands inside, and throws nothing, in a document without layout', async () => {
  const { page, problems } = await visits.visit(
    '<script>delete window.ResizeObserver</script><glasshouse-gpt><p>Instead</p></glasshouse-gpt>',
    { head },
  );
  await page.getByText('Instead').waitFor();
  expect(problems).toEqual([]);
});
