/** Touch behaviour: hints, sliders that ignore scrolling, and the writing buttons. */
import { expect, it } from 'vitest';
import { openTab } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();
/** The window with a promise that resolves when scrolling has ended. */
type Scrolled = Window & { ended?: Promise<void> };
const FINGER = { hasTouch: true, isMobile: true };

it.each([
  ['a finger', FINGER, 'Tap a cell to read it.', /^Tap a token/, /arrow keys|[Pp]oint at/],
  ['a mouse', {}, 'Point at a cell or press it, or use', /Arrow keys go from token/, /Tap /],
])('gives hints for %s alone', async (_, pointer, cell, token, other) => {
  const viewport = { width: 800, height: 900 };
  const { page } = await mount('page', 'names', { viewport, context: pointer });
  await page.locator('#attention').scrollIntoViewIfNeeded();
  await page.getByText(cell).first().waitFor();
  await openTab(page, 'Token by token');
  await page.locator('#closer').getByText(token).waitFor();
  for (const id of ['#loss', '#attention', '#closer']) {
    expect(await page.locator(id).innerText()).not.toMatch(other);
  }
});

it('leaves a slider as it is that a finger only passes on its way down the page', async () => {
  const { page, rest } = await mount('page', 'names', {
    viewport: { width: 390, height: 700 },
    context: FINGER,
  });
  const slider = page.getByRole('slider', { name: 'Smoothing' });
  await slider.evaluate(async (element) => {
    const ended = new Promise((resolve) => {
      document.addEventListener('scrollend', resolve, { once: true });
    });
    scrollBy(0, element.getBoundingClientRect().top - 400);
    await ended;
  });
  const before = await slider.inputValue();
  const { x, y, width, height } = (await slider.boundingBox())!;
  const finger = await page.context().newCDPSession(page);
  const at = (up: number) => [{ x: x + width * 0.95, y: y + height / 2 - up }];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: ReturnType<typeof at>) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const from = await page.evaluate(() => scrollY);
  await page.evaluate(() => {
    (window as Scrolled).ended = new Promise((resolve) => {
      document.addEventListener('scrollend', () => resolve(), { once: true });
    });
  });
  await touch('touchStart', at(0));
  for (let up = 20; up <= 200; up += 20) await touch('touchMove', at(up));
  await touch('touchEnd', []);
  await expect.poll(() => page.evaluate((start) => scrollY > start + 100, from)).toBe(true);
  expect(await slider.inputValue()).toBe(before);

  // A tap moves the slider once scrolling has stopped: until then it only stops the scrolling.
  await page.evaluate(() => (window as Scrolled).ended);
  await rest();
  await slider.evaluate((element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  const there = (await slider.boundingBox())!;
  await page.touchscreen.tap(there.x + there.width * 0.95, there.y + there.height / 2);
  await expect.poll(() => slider.inputValue()).not.toBe(before);
});

/** Mounts the Write with dice tab on a small phone. */
async function writer(): Promise<Component> {
  const mounted = await mount('page', 'names', {
    hash: 'view=write',
    viewport: { width: 360, height: 640 },
    context: FINGER,
  });
  await mounted.page.locator('#closer').evaluate((section) => {
    section.scrollIntoView();
  });
  await mounted.page
    .locator('#closer')
    .getByRole('button', { name: /^Choose / })
    .first()
    .waitFor();
  return mounted;
}

it('moves nothing above the buttons for writing when one is tapped', async () => {
  const { page } = await writer();
  const panel = page.getByRole('tabpanel', { name: 'Write with dice' });
  const dice = panel.locator('.dice-line');
  await dice.evaluate((line) => {
    line.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  const place = async (): Promise<number> => (await dice.boundingBox())!.y;
  const before = await place();
  const next = (await panel.getByRole('button', { name: 'Next token' }).boundingBox())!;
  await page.touchscreen.tap(next.x + next.width / 2, next.y + next.height / 2);
  await panel.getByText('The dice showed').waitFor();
  // A shift below one pixel is invisible.
  expect(Math.abs((await place()) - before)).toBeLessThan(1);
});

it('has the buttons for writing in one line, and covers no control with them', async () => {
  const { page } = await writer();
  const panel = page.getByRole('tabpanel', { name: 'Write with dice' });
  const row = panel.locator('.write-line .buttons');
  expect((await row.boundingBox())!.height).toBeLessThan(60);
  const lines = await row.getByRole('button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const words = document.createRange();
      words.selectNodeContents(button.lastElementChild ?? button);
      return new Set(Array.from(words.getClientRects(), ({ top }) => Math.round(top))).size;
    }),
  );
  expect(lines).toEqual([1, 1, 1]);
  await panel.getByRole('button', { name: /^The KV cache/ }).focus();
  const [seen, covered] = [new Set<string>(), new Set<string>()];
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Shift+Tab');
    const { name, isCovered } = await row.evaluate((buttons) => {
      const one = document.activeElement ?? document.body;
      const [at, over] = [one.getBoundingClientRect(), buttons.getBoundingClientRect()];
      const apart = !buttons.contains(one) && !one.contains(buttons);
      return {
        name: `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`,
        isCovered: at.top < over.bottom && at.bottom > over.top && apart,
      };
    });
    seen.add(name);
    if (isCovered) covered.add(name);
  }
  // Shift+Tab moves back past the candidates, the fields and the row of buttons.
  const passed = [...seen].filter((name) => /Choose |Temperature|Next token/.test(name));
  expect(passed.length).toBeGreaterThan(5);
  expect([...covered]).toEqual([]);
});

it('keeps the keyboard of a phone from changing what is typed where every character counts', async () => {
  const { page } = await writer();
  await openTab(page, 'Runs');
  const receipt = 'Check another receipt: paste its short line or the full JSON';
  for (const name of ['The text to learn', 'Prompt', 'Look at this text', receipt]) {
    const field = page.getByRole('textbox', { name, exact: true }).first();
    const kept = ['autocapitalize', 'autocorrect', 'spellcheck'] as const;
    const set = await Promise.all(kept.map((attribute) => field.getAttribute(attribute)));
    expect([name, ...set]).toEqual([name, 'off', 'off', 'false']);
  }
});
