/** The loss curve under the hand: zoomed and read out by keys, buttons, mouse and fingers. */
import { expect, it } from 'vitest';
import { eventually, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const SHORT = 'steps=60&validation=0.1';

it('zooms by keys and buttons, reads out steps, and measures in bits per character', async () => {
  const driven = await site({ hash: SHORT });
  await train(driven);
  const { page, problems } = driven;
  const loss = page.locator('#loss');
  const all = loss.getByRole('button', { name: 'Show all steps' });
  const told = loss.locator('[data-part=loss-summary]');
  const curve = loss.getByRole('img', { name: /^The loss curve/ });
  await expect.poll(() => all.isDisabled()).toBe(true);
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
  expect(nats).toMatch(
    /nats per token \(perplexity of the smoothed: [\d.]+\)\. Validation .* Learning rate .*norm/,
  );
  // On the curve as below it, a validation loss is of the step at which it was measured.
  await page.keyboard.press('ArrowLeft');
  const near = await eventually(
    async () => /^Step 59:.* Validation [\d.]+, at step (\d+)/.exec((await told.textContent()) ?? '')?.[1] ?? '', // prettier-ignore
    (step) => step !== '',
  );
  await expect
    .poll(() => loss.locator('.loss-tip').textContent())
    .toContain(`Validation, at step ${near}`);
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

it('keeps the line at its step when another part of the curve is shown, and walks to both ends', async () => {
  const driven = await site({ hash: 'steps=400' });
  await train(driven);
  const { page } = driven;
  const loss = page.locator('#loss');
  const chart = loss.getByRole('img', { name: /^The loss curve/ });
  const told = loss.locator('[data-part=loss-summary]');
  const shows = (step: number) =>
    eventually(
      () => told.textContent(),
      (text) => text?.startsWith(`Step ${String(step)}:`) === true,
    );
  await chart.focus();
  await page.keyboard.press('End');
  await shows(400);
  await page.keyboard.press('Home');
  await shows(1);
  for (let press = 0; press < 12; press++) await page.keyboard.press('ArrowRight');
  const step = Number(/Step (\d+)/.exec((await told.textContent()) ?? '')?.[1]);
  expect(step).toBeGreaterThan(20);
  // Where the line stands, as a share of the plot.
  const stands = () =>
    chart.evaluate((plot) => {
      const over = plot.querySelector('.u-over')!.getBoundingClientRect();
      const line = plot.querySelector('.u-cursor-x')!.getBoundingClientRect();
      return (line.left - over.left) / over.width;
    });
  await expect.poll(() => stands()).toBeCloseTo(step / 400, 1);
  // Zooming keeps the step where it is; moving along takes the line with it.
  await page.keyboard.press('+');
  await loss.getByRole('button', { name: 'Show all steps', disabled: false }).waitFor();
  const zoomed = await stands();
  expect(zoomed).toBeCloseTo(step / 400, 1);
  await page.keyboard.press('+');
  await page.keyboard.press('Shift+ArrowLeft');
  await eventually(stands, (at) => at > zoomed + 0.05);
  await shows(step);
  expect(driven.problems).toEqual([]);
});

it('zooms by button around the middle of what is in view, on a logarithmic axis too', async () => {
  const driven = await site({ hash: 'steps=400' });
  await train(driven);
  const { page, problems } = driven;
  const loss = page.locator('#loss');
  const told = loss.locator('[data-part=loss-summary]');
  const curve = loss.getByRole('img', { name: /^The loss curve/ });
  const zoomIn = loss.getByRole('button', { name: 'Zoom in' });
  /** The steps at both ends of what is in view. */
  const ends = async (): Promise<number[]> => {
    const found: number[] = [];
    for (const key of ['ArrowRight', 'ArrowLeft']) {
      await curve.blur();
      await curve.focus();
      await page.keyboard.press(key);
      const text = await eventually(
        async () => (await told.textContent()) ?? '',
        (words) => words.startsWith('Step '),
      );
      found.push(Number(/\d+/.exec(text)?.[0]));
    }
    await page.keyboard.press('Escape');
    return found;
  };
  await zoomIn.click();
  await expect.poll(() => ends()).toEqual([100, 300]);
  // Moved along, it stays where it was moved to.
  await curve.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => ends()).toEqual([200, 400]);
  await zoomIn.click();
  await expect.poll(() => ends()).toEqual([250, 350]);
  await loss.getByRole('button', { name: 'Show all steps' }).click();
  // The charts beneath come in above their box, which stays under the pointer.
  const beneath = loss.getByRole('checkbox', { name: /beneath/ });
  await beneath.scrollIntoViewIfNeeded();
  const stood = (await beneath.boundingBox())!.y;
  await beneath.click();
  await loss.locator('.loss-small canvas').first().waitFor();
  await page.waitForTimeout(100);
  expect(Math.abs((await beneath.boundingBox())!.y - stood)).toBeLessThan(2);
  await loss.getByRole('checkbox', { name: 'Steps logarithmic' }).check();
  await zoomIn.click();
  await zoomIn.click();
  // Between 1 and 400, half of half of the powers of ten: around 20.
  const [from, to] = (await ends()) as [number, number];
  expect(from).toBeGreaterThanOrEqual(9);
  expect(from * to).toBeGreaterThan(300);
  expect(from * to).toBeLessThan(500);
  expect(problems).toEqual([]);
});

it('shows a new run from its first step, whatever part of the one before was in view', async () => {
  const driven = await site({ hash: 'steps=200' });
  const { page } = driven;
  await train(driven);
  const loss = page.locator('#loss');
  const all = loss.getByRole('button', { name: 'Show all steps' });
  await loss.getByRole('button', { name: 'Zoom in' }).click();
  await loss.getByRole('img', { name: /^The loss curve/ }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('+');
  await expect.poll(() => all.isDisabled()).toBe(false);
  await page.getByRole('button', { name: 'New seed' }).click();
  await driven.oneStep.click();
  await eventually(driven.step, (step) => step === 1);
  await expect.poll(() => all.isDisabled()).toBe(true);
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

it('reads a step out where a finger taps the curve, and moves along a part by dragging', async () => {
  const driven = await site({
    hash: 'steps=400',
    options: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
  });
  await train(driven);
  const { page, problems } = driven;
  const loss = page.locator('#loss');
  const told = loss.locator('[data-part=loss-summary]');
  const curve = loss.getByRole('img', { name: /^The loss curve/ });
  await curve.evaluate((plot) => {
    plot.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  // What the end of the run changes above the curve has come by then.
  await page.waitForTimeout(600);
  const box = (await loss.locator('.u-over').first().boundingBox())!;
  const [x, y] = [(share: number) => box.x + box.width * share, box.y + box.height / 2];
  /** The step that is read out. */
  const read = async (good: (step: number) => boolean): Promise<number> =>
    eventually(
      async () => Number(/^Step (\d+):/.exec((await told.textContent()) ?? '')?.[1]),
      good,
    );
  await page.touchscreen.tap(x(0.5), y);
  await read((step) => Math.abs(step - 200) < 6);
  await page.waitForTimeout(300);
  const tapped = await read((step) => Math.abs(step - 200) < 6);
  // The figures stand on the curve too, beside the line of the step: what is below may be out of
  // sight.
  const tip = loss.locator('.loss-tip');
  await expect.poll(() => tip.textContent()).toContain(`Step ${String(tapped)}, nats per token`);
  const figures = (await tip.boundingBox())!;
  expect(figures.y).toBeGreaterThanOrEqual(box.y - 24);
  expect(figures.y + figures.height).toBeLessThan(box.y + box.height);
  expect(figures.x + figures.width).toBeLessThanOrEqual(390);
  // The line stands where the next tap is, too, though the browser tells of a mouse that has left.
  await page.touchscreen.tap(x(0.8), y);
  await read((step) => Math.abs(step - 320) < 6);
  await page.waitForTimeout(300);
  const line = loss.locator('.loss-plot .u-cursor-x').first();
  await expect.poll(() => line.isVisible()).toBe(true);
  const lineAt = (await line.boundingBox())!.x + 0.5;
  expect(Math.abs(lineAt - x(0.8))).toBeLessThan(4);
  // What the focus comes to stops above the strip, however high that is.
  const kept = await loss.locator('.data .fold').evaluate((one) => getComputedStyle(one).scrollMarginBottom); // prettier-ignore
  const strip = await driven.run.evaluate((one: HTMLElement) => one.offsetHeight);
  expect(parseFloat(kept)).toBe(strip + 16);
  const touch = await page.context().newCDPSession(page);
  const finger = async (from: number, to: number): Promise<void> => {
    const point = (at: number) => [{ x: x(at), y }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(from) });
    for (let part = 1; part <= 5; part++) {
      const touchPoints = point(from + ((to - from) * part) / 5);
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  // With all steps in view a finger goes along the curve.
  await finger(0.2, 0.75);
  await read((step) => Math.abs(step - 300) < 6);
  // In a part of it, the finger moves the curve: as far as the end.
  await loss.getByRole('button', { name: 'Zoom in' }).click();
  await eventually(
    () => loss.getByRole('button', { name: 'Show all steps' }).isDisabled(),
    (disabled) => !disabled,
  );
  for (let times = 0; times < 3; times++) await finger(0.95, 0.05);
  await page.touchscreen.tap(x(0.98), y);
  await read((step) => step > 390);
  // Two fingers keep what they hold: steps 160 and 240, drawn apart to a tenth from either end.
  await loss.getByRole('button', { name: 'Show all steps' }).click();
  // Fingers take hold of what is drawn, which follows the press.
  await eventually(
    async () => {
      await page.touchscreen.tap(x(0.5), y);
      return read((step) => step > 0);
    },
    (step) => Math.abs(step - 200) < 6,
  );
  const two = (a: number, b: number) => [{ x: x(a), y, id: 0 }, { x: x(b), y, id: 1 }]; // prettier-ignore
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: two(0.4, 0.6) });
  for (let part = 1; part <= 6; part++) {
    const touchPoints = two(0.4 - 0.05 * part, 0.6 + 0.05 * part);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.touchscreen.tap(x(0.1), y);
  await read((step) => Math.abs(step - 160) < 6);
  await page.touchscreen.tap(x(0.9), y);
  await read((step) => Math.abs(step - 240) < 6);
  expect(problems).toEqual([]);
});

it('has its words in the empty chart, goes on by keys from a click, and has line and dot on one step', async () => {
  const driven = await site({ hash: 'steps=400&validation=0.1' });
  const { page, problems } = driven;
  const loss = page.locator('#loss');
  const told = loss.locator('[data-part=loss-summary]');
  const curve = loss.getByRole('img', { name: /^The loss curve/ });
  await loss.getByRole('checkbox', { name: /beneath/ }).check();
  // An axis with nothing on it would say that there is something at 0.
  await loss.getByText('drawn from the first step on').waitFor();
  await expect.poll(() => loss.locator('.loss-small canvas:visible').count()).toBe(0);
  const words = (await loss.getByText('The curve begins at the dotted line').boundingBox())!;
  const chart = (await curve.boundingBox())!;
  expect(words.y).toBeGreaterThan(chart.y);
  expect(words.y + words.height).toBeLessThan(chart.y + chart.height);
  await train(driven);
  await loss.locator('.loss-small canvas').first().waitFor();
  await curve.scrollIntoViewIfNeeded();
  const plot = (await curve.locator('.u-over').boundingBox())!;
  await page.mouse.click(plot.x + plot.width * 0.6, plot.y + plot.height / 2);
  await page.mouse.move(plot.x + plot.width / 2, plot.y - 300);
  await page.keyboard.press('ArrowRight');
  const said = await eventually(
    async () => (await told.textContent()) ?? '',
    (text) => text.startsWith('Step 2'),
  );
  expect(Number(/Step (\d+)/.exec(said)?.[1])).toBeGreaterThan(240);
  // A step between two validations tells the nearest one.
  expect(said).toMatch(/Validation \d\.\d+, at step \d+\./);
  await loss.getByRole('checkbox', { name: 'Steps logarithmic' }).check();
  await curve.scrollIntoViewIfNeeded();
  const log = (await curve.locator('.u-over').boundingBox())!;
  // Between the second step and the third.
  await page.mouse.move(log.x + (log.width * Math.log(2.4)) / Math.log(400), log.y + 40);
  const places = () =>
    curve.evaluate((one) => {
      const middle = (element: Element): number => {
        const { left, right } = element.getBoundingClientRect();
        return (left + right) / 2;
      };
      const dots = [...one.querySelectorAll('.u-cursor-pt')].filter(
        (dot) => getComputedStyle(dot).display !== 'none' && dot.getBoundingClientRect().left > 0,
      );
      return { line: middle(one.querySelector('.u-cursor-x')!), dot: middle(dots.at(-1)!) };
    });
  const { line, dot } = await eventually(places, (both) => both.line > log.x);
  expect(Math.abs(line - dot)).toBeLessThan(2);
  expect(problems).toEqual([]);
});
