/** The first run can be watched, one slider leads back through it, and three doors lead further. */
import { expect, it } from 'vitest';
import { eventually, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('slows the first run of a browser down, until full speed is asked for; later ones are not', async () => {
  const driven = await site();
  const { page } = driven;
  const full = page.getByRole('button', { name: 'Full speed' });
  await expect.poll(() => full.isVisible()).toBe(false);
  await driven.start.click();
  await full.waitFor();
  await eventually(driven.step, (step) => step > 5);
  await full.click();
  await full.waitFor({ state: 'hidden' });
  // The keyboard is not lost with the button.
  const main = driven.run.locator('[data-control=main]');
  await expect.poll(() => main.evaluate((one) => one === document.activeElement)).toBe(true);
  await driven.reach('finished');
  await driven.rewind.click();
  await driven.reach('ready');
  await driven.start.click();
  await driven.reach('running');
  await expect.poll(() => full.isVisible()).toBe(false);
});

it('leaves a run that takes another’s place at full speed', async () => {
  const driven = await site();
  const full = driven.page.getByRole('button', { name: 'Full speed' });
  await driven.start.click();
  await full.waitFor();
  await driven.page.getByRole('button', { name: 'New seed' }).click();
  await full.waitFor({ state: 'hidden' });
});

it.each([
  ['where the address says so', 'pace=full', 'no-preference'],
  ['where the address has settings', 'steps=20000', 'no-preference'],
  ['where somebody wants no motion', '', 'reduce'],
] as const)('slows nothing down %s', async (_, hash, reducedMotion) => {
  const driven = await site({ hash, options: { reducedMotion } });
  await driven.start.click();
  await eventually(driven.step, (step) => step > 0);
  await expect.poll(() => driven.page.getByRole('button', { name: 'Full speed' }).isVisible()).toBe(false); // prettier-ignore
});

it('moves texts and attention with one slider, by keys and back to now', async () => {
  const driven = await site({ hash: 'pace=full&steps=300' });
  const { page, lookBack } = driven;
  await expect.poll(() => lookBack.isVisible()).toBe(false);
  await train(driven);
  const large = page.locator('#samples li').first().locator('.stamp');
  const head = page.locator('#attention h3').first();
  await expect.poll(() => large.textContent()).toBe('step 300');
  await lookBack.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => large.textContent()).toBe('step 0');
  await expect.poll(() => head.textContent()).toContain('at step\u00a00');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => large.textContent()).not.toBe('step 0');
  const shownStep = async (): Promise<number> => Number((await large.textContent())!.slice(5));
  await expect.poll(async () => (await driven.step()) - (await shownStep())).toBe(0);
  const loss = page.locator('#run [data-part=loss]');
  const lossThere = await loss.textContent();
  const now = page.getByRole('button', { name: 'Now', exact: true });
  await now.click();
  await expect.poll(() => large.textContent()).toBe('step 300');
  await expect.poll(() => driven.step()).toBe(300);
  await expect.poll(() => loss.textContent()).not.toBe(lossThere);
  await expect.poll(() => lookBack.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => now.isVisible()).toBe(false);
});

it('brings into sight what a door at the end of a phone’s page opens', async () => {
  const { page } = await site({ options: { viewport: { width: 390, height: 844 } } });
  const closer = page.locator('#closer');
  await closer.getByRole('button', { name: 'Play', exact: true }).click();
  // The first control of the panel, clear of the strip at the foot of the window.
  const first = closer.getByRole('tabpanel').getByRole('textbox').first();
  const room = async (): Promise<number> => {
    const [box, strip] = [await first.boundingBox(), await page.locator('#run').boundingBox()];
    return strip!.y - (box!.y + box!.height);
  };
  await first.waitFor();
  await expect.poll(room).toBeGreaterThan(0);
});

it('opens one door at a time, with the tab that was open last, and closes it again', async () => {
  const { page } = await site();
  const closer = page.locator('#closer');
  const door = (name: string) => closer.getByRole('button', { name, exact: true });
  const tabs = closer.getByRole('tab');
  await door('Play').waitFor();
  expect(await tabs.count()).toBe(0);
  await door('Understand').click();
  await expect.poll(() => tabs.count()).toBe(7);
  await closer.getByRole('tab', { name: 'Twins' }).click();
  await door('Keep and share').click();
  await expect.poll(() => door('Understand').getAttribute('aria-expanded')).toBe('false');
  await door('Understand').click();
  await closer.getByRole('tab', { name: 'Twins', selected: true }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toContain('view=twin');
  await door('Understand').click();
  await expect.poll(() => tabs.count()).toBe(0);
  await expect.poll(() => closer.getByRole('tabpanel').count()).toBe(0);
  expect(new URL(page.url()).hash).not.toContain('view');
});
