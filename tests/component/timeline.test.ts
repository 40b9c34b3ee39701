/** The first run in a browser is slow enough to watch; one slider shows its earlier steps. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

const FIRST_VISIT = { keeps: true, stepwise: true } as const;
const fullSpeed = (page: Page) => page.getByRole('button', { name: 'Full speed' });
const isSlowed = (page: Page) => () => fullSpeed(page).isVisible();
const isFocused = (one: Element): boolean => one === document.activeElement;

it('slows the first run of a browser down until full speed is asked for, and no later one', async () => {
  const driven = await mount([], 'untouched', FIRST_VISIT);
  const { page, run, start, advance } = driven;
  expect(await isSlowed(page)()).toBe(false);
  await start.click();
  await fullSpeed(page).waitFor();
  await advance(10);
  await fullSpeed(page).click();
  await expect.poll(isSlowed(page)).toBe(false);
  // The focus moves on when the button disappears.
  await expect.poll(() => run.locator('[data-control=main]').evaluate(isFocused)).toBe(true);
  await driven.rewind.click();
  await driven.reach('ready');
  await start.click();
  await driven.reach('running');
  await advance(10);
  expect(await isSlowed(page)()).toBe(false);
});

it('leaves a run that takes the place of a slowed one at full speed', async () => {
  const { page, start, advance } = await mount([], 'untouched', FIRST_VISIT);
  await start.click();
  await fullSpeed(page).waitFor();
  await page.getByRole('button', { name: 'New seed' }).click();
  await expect.poll(isSlowed(page)).toBe(false);
  await advance(1);
  expect(await isSlowed(page)()).toBe(false);
});

it.each([
  ['where the address says so', 'pace=full', 'no-preference'],
  ['where the address has settings', 'steps=20000', 'no-preference'],
  ['for a reader who wants no motion', '', 'reduce'],
] as const)('slows nothing down %s', async (_, hash, reducedMotion) => {
  const driven = await mount([], 'untouched', { ...FIRST_VISIT, hash, reducedMotion });
  await driven.start.click();
  await driven.reach('running');
  await driven.advance(1);
  expect(await isSlowed(driven.page)()).toBe(false);
});

it('moves texts, attention, step and loss with one slider, by keys and back to now', async () => {
  const { page, lookBack, step, train } = await mount(['samples', 'attention'], 'names');
  expect(await lookBack.isVisible()).toBe(false);
  await train(60);
  const large = page.locator('#samples li').first().locator('.stamp');
  const head = page.locator('#attention h3').first();
  const loss = page.locator('#run [data-part=loss]');
  const newest = await loss.textContent();
  await expect.poll(() => large.textContent()).toBe('step 60');
  await lookBack.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => large.textContent()).toBe('step 0');
  await expect.poll(() => head.textContent()).toContain('at step\u00a00');
  await page.keyboard.press('PageUp');
  await expect.poll(() => large.textContent()).toBe('step 3');
  await expect.poll(step).toBe(3);
  await expect.poll(() => loss.textContent()).not.toBe(newest);
  const now = page.getByRole('button', { name: 'Back to now' });
  await now.click();
  await expect.poll(() => large.textContent()).toBe('step 60');
  await expect.poll(step).toBe(60);
  await expect.poll(() => loss.textContent()).toBe(newest);
  await expect.poll(() => lookBack.evaluate(isFocused)).toBe(true);
  await expect.poll(() => now.isVisible()).toBe(false);
});

it('brings what a group of tabs opens at the end of a phone’s page above the run bar', async () => {
  const { page } = await mount('page', 'names', { viewport: { width: 390, height: 844 } });
  const closer = page.locator('#closer');
  await closer.getByRole('button', { name: 'Play', exact: true }).click();
  const first = closer.getByRole('tabpanel').getByRole('textbox').first();
  await first.waitFor();
  const room = async (): Promise<number> => {
    const [box, bar] = [await first.boundingBox(), await page.locator('#run').boundingBox()];
    return bar!.y - (box!.y + box!.height);
  };
  await expect.poll(room).toBeGreaterThan(0);
});

it('opens one group of tabs at a time, with the tab that was open last, and closes it again', async () => {
  const { page } = await mount('closer', 'names');
  const closer = page.locator('#closer');
  const group = (name: string) => closer.getByRole('button', { name, exact: true });
  const tabs = closer.getByRole('tab');
  expect(await tabs.count()).toBe(0);
  await group('Understand').click();
  await expect.poll(() => tabs.count()).toBe(8);
  await closer.getByRole('tab', { name: 'Twins' }).click();
  await group('Keep and share').click();
  await expect.poll(() => group('Understand').getAttribute('aria-expanded')).toBe('false');
  await group('Understand').click();
  await closer.getByRole('tab', { name: 'Twins', selected: true }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toContain('view=twin');
  await group('Understand').click();
  await expect.poll(() => tabs.count()).toBe(0);
  await expect.poll(() => closer.getByRole('tabpanel').count()).toBe(0);
  expect(new URL(page.url()).hash).not.toContain('view');
});
