/** The tour: its stops follow the run, and its card hides neither target nor run bar. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();

/** Mounts the whole page at the first stop of the tour, without smooth scrolling. */
async function toured(options: MountOptions): Promise<Component> {
  const mounted = await mount('page', 'names', {
    reducedMotion: 'reduce',
    unfold: false,
    ...options,
  });
  await mounted.page.getByRole('button', { name: 'Take a tour' }).click();
  await mounted.page.getByRole('dialog').waitFor();
  return mounted;
}

const stop = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the stop with this number. */
async function goTo(page: Page, number: number): Promise<void> {
  const place = page.locator('.tour-turn .muted');
  for (let at = 1; at < 7; at++) {
    const now = await place.textContent();
    if (now === `${String(number)} of 7`) return;
    await button(page, 'Next').click();
    await expect.poll(() => place.textContent()).not.toBe(now);
  }
}

/** Elements that the card covers, and 'out of sight' if the window cuts off the target. */
const faults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const box = (name: string): DOMRect => document.querySelector(name)!.getBoundingClientRect();
    const note = box('.tour-note');
    const covered = ['#run', '.tour-target'].filter((name) => {
      const { left, right, top, bottom } = box(name);
      return left < note.right && right > note.left && top < note.bottom && bottom > note.top;
    });
    const { top, bottom } = box('.tour-target');
    return top >= 0 && bottom <= innerHeight ? covered : [...covered, 'out of sight'];
  });

it.each([
  [390, 844],
  [390, 800],
  [820, 1180],
  [1024, 768],
  [1440, 900],
])('shows each target and covers neither it nor the run bar at %i × %i', async (width, height) => {
  const { page, advance, start } = await toured({ viewport: { width, height }, stepwise: true });
  await expect.poll(() => faults(page)).toEqual([]);
  await start.click();
  await advance(60);
  for (let at = 2; at <= 7; at++) {
    await goTo(page, at);
    await expect.poll(async () => [at, ...(await faults(page))]).toEqual([at]);
  }
});

it('goes on by Enter and back by a button, and by itself when the run starts', async () => {
  const { page, advance, start } = await toured({ stepwise: true });
  await stop(page, 'Start here').waitFor();
  await page.keyboard.press('Enter');
  await stop(page, 'What it writes').waitFor();
  await button(page, 'Back').click();
  await stop(page, 'Start here').waitFor();
  await start.click();
  await advance(1);
  await stop(page, 'What it writes').waitFor();
});

it('tells the loss of the step that the run has reached', async () => {
  const { page, advance, start } = await toured({ stepwise: true });
  await start.click();
  await advance(10);
  await goTo(page, 3);
  await stop(page, 'The loss: how wrong it is').waitFor();
  await page
    .getByText(
      'The dotted line at 3.30 nats per token is the loss of random guessing among 27 tokens',
    )
    .waitFor();
  const told = page.locator('.tour-live');
  await expect.poll(() => told.textContent()).toContain('The loss has not fallen yet.');
  const down = /^The loss has fallen to 2\.\d\d nats per token/;
  await advance(50);
  await expect.poll(() => told.textContent()).toMatch(down);
  const early = await told.textContent();
  await advance(60);
  await expect.poll(() => told.textContent()).not.toBe(early);
  expect(await told.textContent()).toMatch(down);
});

it('keeps its card under the pointer while a button of it is held down', async () => {
  const { page } = await toured({ step: 60 });
  await goTo(page, 3);
  const card = page.locator('.tour-note');
  await button(page, 'Next').hover();
  await page.mouse.down();
  const before = await card.boundingBox();
  await page.evaluate(() => {
    scrollBy({ top: -90, behavior: 'instant' });
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await card.boundingBox()).toEqual(before);
  await page.mouse.up();
  await stop(page, 'Where it looks').waitFor();
});

it('says which weight was chosen in the map', async () => {
  const { page } = await toured({ step: 60 });
  await goTo(page, 4);
  const map = page.locator('#attention').getByRole('application', { name: /^Layer \d, head \d/ });
  await map.first().focus();
  await page.keyboard.press('ArrowUp');
  await page
    .locator('.tour-live')
    .getByText(/ looks at /)
    .waitFor();
});

it.each([1440, 390])('leaves the text free to be clicked at %i pixels', async (width) => {
  const { page } = await toured({ step: 60, viewport: { width, height: 800 } });
  await goTo(page, 7);
  const apart = await page.locator('#text textarea').evaluate(async (field) => {
    const found: boolean[] = [];
    for (const at of [0, 60, 120, 180]) {
      scrollTo({ top: at, behavior: 'instant' });
      // The card moves in the next frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      const text = field.getBoundingClientRect();
      const card = document.querySelector('.tour-note')!.getBoundingClientRect();
      const beside = card.left >= text.right || card.right <= text.left;
      found.push(beside || card.top >= text.bottom || card.bottom <= text.top);
    }
    return found;
  });
  expect(apart).toEqual([true, true, true, true]);
});

it('ends with its last stop, and a later visit knows that it was taken', async () => {
  const { page } = await toured({ keeps: true });
  await goTo(page, 7);
  await button(page, 'Done').click();
  await expect.poll(() => page.locator('.tour-note, .tour-target').count()).toBe(0);
  await page.reload();
  await mount('page', 'names', { keeps: true, unfold: false });
  const begin = button(page, 'Take a tour');
  await expect.poll(() => begin.getAttribute('class')).not.toContain('fresh');
  await begin.click();
  await stop(page, 'Start here').waitFor();
});

it('describes a finished run instead of asking to start one', async () => {
  const { page } = await toured({ step: 60 });
  await stop(page, 'The run').waitFor();
  const note = page.locator('.tour-note');
  await expect.poll(() => note.textContent()).toContain('It has finished its 60 steps; “Rewind”');
  expect(await note.textContent()).not.toContain('Start');
  await expect.poll(() => page.locator('.tour-target [data-control=rewind]').count()).toBe(1);
});

it('asks to start a run again after Rewind', async () => {
  const { page, rewind, start } = await toured({ step: 60 });
  await rewind.click();
  await stop(page, 'Start here').waitFor();
  await start.click();
  await stop(page, 'The run').waitFor();
});

it('holds out text and trains again at a press, and stays at its stop', async () => {
  const { page, reach } = await toured({ step: 60 });
  await goTo(page, 5);
  const press = button(page, 'Hold out a tenth and train again');
  await press.focus();
  await page.keyboard.press('Enter');
  await reach('finished');
  expect(await page.evaluate(() => location.hash)).toContain('validation=0.1');
  const card = stop(page, 'Learning, or learning by heart?');
  await card.getByText(/^The dashed amber curve/).waitFor();
  await press.waitFor({ state: 'detached' });
  expect(await card.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => faults(page)).toEqual([]);
});
