/** Zooming and reading the loss curve of a recorded run by keyboard, buttons, mouse and touch. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();

const curveOf = (page: Page): Locator => page.getByRole('application', { name: /^The loss curve/ });
const told = (page: Page): Promise<string | null> =>
  page.locator('[data-part=loss-summary]').textContent();
const zoomIn = (page: Page): Locator => page.getByRole('button', { name: 'Zoom in' });
const showAll = (page: Page): Locator => page.getByRole('button', { name: 'Show all steps' });
const isWhole = (page: Page, whole: boolean): Promise<void> =>
  expect.poll(() => showAll(page).isDisabled()).toBe(whole);
const check = (page: Page, name: string | RegExp): Promise<void> =>
  page.locator('#loss').getByLabel(name).check();
/** The step in the readout; NaN if the readout is empty. */
const stepRead = async (page: Page): Promise<number> =>
  Number(/^Step (\d+):/.exec((await told(page)) ?? '')?.[1]);
const reads = (page: Page, step: number): Promise<void> =>
  expect.poll(() => stepRead(page)).toBe(step);

/** The first and last visible step. */
async function ends(page: Page): Promise<number[]> {
  const found: number[] = [];
  for (const key of ['ArrowRight', 'ArrowLeft']) {
    await curveOf(page).blur();
    await curveOf(page).press(key);
    await expect.poll(() => stepRead(page)).toBeGreaterThan(0);
    found.push(await stepRead(page));
  }
  await page.keyboard.press('Escape');
  return found;
}

it('zooms by buttons and by keys, and shows all steps again', async () => {
  const { page } = await mount('loss', 'held', { step: 60 });
  await isWhole(page, true);
  await zoomIn(page).click();
  await isWhole(page, false);
  await showAll(page).click();
  await isWhole(page, true);
  await curveOf(page).press('+');
  await isWhole(page, false);
  await page.keyboard.press('0');
  await isWhole(page, true);
});

it('reads a step out with all that was measured at it, and the summary again after Escape', async () => {
  const { page } = await mount('loss', 'held', { step: 60 });
  await curveOf(page).press('ArrowLeft');
  await reads(page, 60);
  expect(await told(page)).toMatch(
    /nats per token \(perplexity of the smoothed: [\d.]+\)\. Validation .* Learning rate .*norm/,
  );
  await page.keyboard.press('Escape');
  await expect.poll(() => told(page)).toMatch(/^After 60 steps/);
});

it('names the step of the nearest validation loss, below the curve and on it', async () => {
  const { page } = await mount('loss', 'held', { step: 60 });
  await curveOf(page).press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await reads(page, 59);
  const near = / Validation [\d.]+, at step (\d+)\./.exec((await told(page)) ?? '')?.[1];
  expect(['58', '60']).toContain(near);
  await expect
    .poll(() => page.locator('.loss-tip').textContent())
    .toContain(`Validation, at step ${near!}`);
});

it('reads losses out in bits per character, which are nats over ln 2 where tokens are characters', async () => {
  const { page } = await mount('loss', 'held', { step: 60 });
  const loss = async (): Promise<number> => Number(/loss ([\d.]+)/.exec((await told(page)) ?? '')?.[1]); // prettier-ignore
  await curveOf(page).press('End');
  await reads(page, 60);
  const nats = await loss();
  await check(page, 'bits per character');
  await curveOf(page).press('End');
  await expect.poll(() => told(page)).toMatch(/^Step 60:.*bits per character/);
  expect(await loss()).toBeCloseTo(nats / Math.LN2, 2);
});

it('walks to both ends of the curve, and keeps the line at its step when another part is shown', async () => {
  const { page } = await mount('loss', 'names', { step: 60 });
  const chart = curveOf(page);
  await chart.press('End');
  await reads(page, 60);
  await page.keyboard.press('Home');
  await reads(page, 1);
  for (let press = 0; press < 24; press++) await page.keyboard.press('ArrowRight');
  await reads(page, 25);
  // The cursor line's position as a share of the plot width.
  const stands = (): Promise<number> =>
    chart.evaluate((plot) => {
      const over = plot.querySelector('.u-over')!.getBoundingClientRect();
      const line = plot.querySelector('.u-cursor-x')!.getBoundingClientRect();
      return (line.left - over.left) / over.width;
    });
  await expect.poll(stands).toBeCloseTo(25 / 60, 1);
  // Zooming keeps the cursor's position on screen; panning moves the cursor with the curve.
  await page.keyboard.press('+');
  await isWhole(page, false);
  const zoomed = await stands();
  expect(zoomed).toBeCloseTo(25 / 60, 1);
  await page.keyboard.press('+');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(stands).toBeGreaterThan(zoomed + 0.05);
  await reads(page, 25);
});

it('zooms by button around the middle of what is in view', async () => {
  const { page } = await mount('loss', 'names', { step: 60 });
  await zoomIn(page).click();
  await expect.poll(() => ends(page)).toEqual([15, 45]);
  // After panning, the visible range stays fixed.
  await curveOf(page).press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => ends(page)).toEqual([30, 60]);
  await zoomIn(page).click();
  await expect.poll(() => ends(page)).toEqual([38, 52]);
});

it('zooms around the middle of a logarithmic axis too', async () => {
  const { page } = await mount('loss', 'names', { step: 60 });
  await check(page, 'Steps logarithmic');
  await zoomIn(page).click();
  await zoomIn(page).click();
  // Zoomed twice by 2 on a log axis from 1 to 60: the ends are 60^(3/8) and 60^(5/8).
  await expect.poll(() => ends(page)).toEqual([5, 12]);
});

it('keeps the box for the charts beneath where it was when they come in above it', async () => {
  const { page, rest } = await mount('loss', 'names', { step: 60 });
  const beneath = page.getByRole('checkbox', { name: /learning rate and gradient/ });
  await beneath.scrollIntoViewIfNeeded();
  const stood = (await beneath.boundingBox())!.y;
  await beneath.click();
  await expect.poll(() => page.locator('.loss-small canvas').count()).toBe(2);
  await rest();
  expect(Math.abs((await beneath.boundingBox())!.y - stood)).toBeLessThan(2);
});

it('shows a new run from its first step, whatever part of the previous one was in view', async () => {
  const { oneStep, page, step } = await mount('loss', 'names', { step: 60 });
  await zoomIn(page).click();
  await curveOf(page).press('End');
  await page.keyboard.press('+');
  await isWhole(page, false);
  await page.getByRole('button', { name: 'New seed' }).click();
  await oneStep.click();
  await expect.poll(step).toBe(1);
  await isWhole(page, true);
});

it('goes on from all steps when keys follow “Show all steps” within one frame', async () => {
  const { page } = await mount('loss', 'names', { step: 60 });
  await zoomIn(page).click();
  await isWhole(page, false);
  await showAll(page).evaluate((button: HTMLElement) => {
    const curve = document.querySelector<HTMLElement>('.loss-plot')!;
    curve.focus();
    button.click();
    curve.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  });
  await reads(page, 60);
});

it('has its words in the empty chart, and no empty charts beneath', async () => {
  const { page, train } = await mount('loss', 'names');
  await check(page, /learning rate and gradient/);
  // An empty chart would draw an axis that suggests a value at 0.
  await page.getByText('drawn from the first step on').waitFor();
  expect(await page.locator('.loss-small canvas:visible').count()).toBe(0);
  const words = (await page.getByText('The curve begins at the dotted line').boundingBox())!;
  const chart = (await curveOf(page).boundingBox())!;
  expect(words.y).toBeGreaterThan(chart.y);
  expect(words.y + words.height).toBeLessThan(chart.y + chart.height);
  await train(60);
  await page.locator('.loss-small canvas').first().waitFor();
});

it('goes on by keys from a clicked step', async () => {
  const { page } = await mount('loss', 'names', { step: 60 });
  await curveOf(page).scrollIntoViewIfNeeded();
  const plot = (await curveOf(page).locator('.u-over').boundingBox())!;
  await page.mouse.click(plot.x + plot.width * 0.6, plot.y + plot.height / 2);
  await reads(page, 36);
  await page.mouse.move(plot.x + plot.width / 2, plot.y - 300);
  await page.keyboard.press('ArrowRight');
  await reads(page, 37);
});

it('has line and dot on one step between two steps of a logarithmic axis', async () => {
  const { page } = await mount('loss', 'names', { step: 60 });
  await check(page, 'Steps logarithmic');
  const curve = curveOf(page);
  await curve.scrollIntoViewIfNeeded();
  const plot = (await curve.locator('.u-over').boundingBox())!;
  // Points between steps 2 and 3.
  await page.mouse.move(plot.x + (plot.width * Math.log(2.4)) / Math.log(60), plot.y + 40);
  await reads(page, 2);
  const apart = (): Promise<number> =>
    curve.evaluate((one) => {
      const middle = (element: Element): number => {
        const { left, right } = element.getBoundingClientRect();
        return (left + right) / 2;
      };
      const dots = [...one.querySelectorAll('.u-cursor-pt')].filter(
        (dot) => getComputedStyle(dot).display !== 'none' && dot.getBoundingClientRect().left > 0,
      );
      return Math.abs(middle(one.querySelector('.u-cursor-x')!) - middle(dots.at(-1)!));
    });
  await expect.poll(apart).toBeLessThan(2);
});

interface Fingers extends Component {
  readonly tap: (share: number) => Promise<void>;
  /** Moves a finger from one share of the plot's width to another. */
  readonly drag: (from: number, to: number) => Promise<void>;
  readonly plot: { x: number; y: number; width: number; height: number };
}

/** Mounts the curve on a phone with simulated fingers. */
async function onPhone(): Promise<Fingers> {
  const viewport = { width: 390, height: 780 };
  const context = { viewport, hasTouch: true, isMobile: true };
  const component = await mount('loss', 'names', { step: 60, context });
  const { page } = component;
  await curveOf(page).evaluate((plot) => {
    plot.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  const plot = (await page.locator('#loss .u-over').first().boundingBox())!;
  const [x, y] = [(share: number) => plot.x + plot.width * share, plot.y + plot.height / 2];
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: readonly number[]) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at.map((share) => ({ x: x(share), y })),
    });
  const drag: Fingers['drag'] = async (from, to) => {
    await send('touchStart', from);
    for (let part = 1; part <= 6; part++) {
      await send('touchMove', from + ((to - from) * part) / 6);
    }
    await send('touchEnd');
  };
  return Object.assign(component, { tap: (share: number) => page.touchscreen.tap(x(share), y), drag, plot }); // prettier-ignore
}

it('reads a step out where a finger taps, with figures on the curve and within the screen', async () => {
  const { page, plot, tap } = await onPhone();
  await tap(0.5);
  await reads(page, 30);
  const tip = page.locator('.loss-tip');
  await expect.poll(() => tip.textContent()).toContain('Step 30, nats per token');
  const figures = (await tip.boundingBox())!;
  expect(figures.y).toBeGreaterThanOrEqual(plot.y - 24);
  expect(figures.y + figures.height).toBeLessThan(plot.y + plot.height);
  expect(figures.x + figures.width).toBeLessThanOrEqual(390);
});

it('draws the line of the step at the second tap too, although the mouse has left by then', async () => {
  const { page, plot, rest, tap } = await onPhone();
  await tap(0.5);
  await reads(page, 30);
  await tap(0.8);
  await reads(page, 48);
  await rest();
  const line = page.locator('.loss-plot .u-cursor-x').first();
  expect(await line.isVisible()).toBe(true);
  const at = (await line.boundingBox())!.x + 0.5;
  expect(Math.abs(at - plot.x - plot.width * 0.8)).toBeLessThan(4);
});

it('stops what comes into focus above the run bar, however high that is', async () => {
  const { page, run } = await onPhone();
  const kept = await page.locator('#loss .data .fold').evaluate((one) => getComputedStyle(one).scrollMarginBottom); // prettier-ignore
  const bar = await run.evaluate((one: HTMLElement) => one.offsetHeight);
  expect(parseFloat(kept)).toBe(bar + 16);
});

it('moves a finger along the whole curve, but moves a part of the curve under it', async () => {
  const { drag, page, rest, tap } = await onPhone();
  await drag(0.2, 0.75);
  await reads(page, 45);
  await zoomIn(page).click();
  await isWhole(page, false);
  for (let times = 0; times < 3; times++) {
    // Waits until the plot is drawn: the drag starts on the visible curve.
    await rest();
    await drag(0.95, 0.05);
  }
  await tap(0.98);
  await expect.poll(() => stepRead(page)).toBeGreaterThan(58);
});
