/** Page controls by keyboard, through the address, and with their responses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually, firstLoss, focused } from '../browser/driver.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();

const names = readFileSync(
  join(import.meta.dirname, '../../public/texts/first-names-en.txt'),
  'utf8',
);
const mainButton = (page: Page) => page.locator('#run [data-control=main]');

it('shows the beginning of the names in the field until one enters it, and a plan that suits them', async () => {
  const { page, text, start } = await mount('page', 'untouched');
  await expect.poll(() => start.isEnabled()).toBe(true);
  const beginning = await text.inputValue();
  expect(beginning.length).toBeGreaterThan(1000);
  expect(names.startsWith(beginning)).toBe(true);
  await text.focus();
  await expect.poll(() => text.inputValue()).toBe(names);
  expect(await page.getByRole('radio', { name: 'microgpt' }).isChecked()).toBe(true);
  expect(await page.locator('[data-part=plan-vocab]').textContent()).toBe('27');
  expect(await page.locator('[data-part=plan-random]').textContent()).toBe('3.30');
});

it('gives other losses for a new seed, and the old ones again for the old seed', async () => {
  const driven = await mount(['settings', 'loss'], 'untouched');
  const { page, oneStep, rewind, step, rest } = driven;
  const lossOfOneStep = async (): Promise<string> => {
    await expect.poll(step).toBe(0);
    await rest();
    await oneStep.click();
    await expect.poll(step).toBe(1);
    await rest();
    return firstLoss(driven);
  };
  const first = await lossOfOneStep();
  await page.getByRole('button', { name: 'New seed' }).click();
  expect(await lossOfOneStep()).not.toBe(first);
  await rewind.click();
  await expect.poll(step).toBe(0);
  await page.getByRole('textbox', { name: 'Seed', exact: true }).fill('42');
  expect(await lossOfOneStep()).toBe(first);
});

it('trains, pauses and rewinds by keys, and leads on to settings and heads', async () => {
  const driven = await mount('page', 'untouched', { stepwise: true });
  const { page, start, probe, advance, reach, step } = driven;
  await start.focus();
  await page.keyboard.press('Space');
  await reach('running');
  await advance(10);
  await expect.poll(step).toBe(10);
  await page.keyboard.press('Enter');
  await reach('paused');
  // At step 0 the Rewind button is disabled.
  await page.getByRole('button', { name: 'Rewind' }).press('Enter');
  await reach('ready');
  await focused(mainButton(page));

  // Tab order puts a field before its help button.
  await page.getByRole('textbox', { name: 'Steps', exact: true }).press('Tab');
  await focused(page.getByRole('button', { name: 'What is “Steps”?' }));

  // Tab moves past both view choices of a head to its map, then to the other heads.
  await probe.focus();
  const map = page.locator('#attention .attention-canvas');
  const isFocused = (): Promise<boolean> => map.evaluate((one) => one === document.activeElement);
  for (let press = 0; press < 5 && !(await isFocused()); press++) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  await page
    .getByText(/looks at .* with weight 0\.\d{3}/)
    .first()
    .waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'Layer 1, head 2' }).waitFor();
});

it('ignores a press meant for Pause in the moment in which the run ends', async () => {
  const { page, run, start, advance, reach, rest } = await mount([], 'names', { stepwise: true });
  await start.click();
  await advance(10);
  await run.evaluate((bar) => {
    new MutationObserver(() => {
      if (bar.dataset['state'] !== 'finished') return;
      bar.querySelector<HTMLElement>('[data-control=main]')!.click();
    }).observe(bar, { attributeFilter: ['data-state'] });
  });
  await advance(60);
  await reach('finished');
  await rest();
  expect(await run.locator('[data-part=step]').textContent()).toBe('60 / 60');
  await expect.poll(() => mainButton(page).getAttribute('aria-disabled')).toBe('false');
});

it('names words of the address that nobody knows, and leads on to the run bar', async () => {
  const options = { hash: 'layers=abc&layes=3', state: 'blocked' };
  const { page } = await mount('page', 'untouched', options);
  const notice = page.locator('#notice');
  // An error names each invalid value at its field and in the run bar.
  await notice.getByText('Unknown parameters: layes=3.').waitFor();
  await page.getByText('Layers must be a number').first().waitFor();
  await notice.getByRole('button').press('Enter');
  await focused(mainButton(page));
});

it('keeps settings in the address, so that a reload brings them back', async () => {
  const { page, reload } = await mount(['settings', 'plan'], 'untouched');
  const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
  await channels.fill('32');
  await page.getByRole('combobox', { name: 'Tokens', exact: true }).selectOption('Bytes');
  await page.waitForURL(/channels=32/);
  await reload();
  await expect.poll(() => channels.inputValue()).toBe('32');
  await expect.poll(() => page.locator('[data-part=plan-vocab]').textContent()).toBe('257');
});

it('stops a text that is being written', async () => {
  const { page, hold } = await mount('ask', 'names');
  await hold('sample');
  await page.getByRole('button', { name: 'Write' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
});

it('writes anew while the temperature moves, and another text with a way back to the last', async () => {
  const { page } = await mount('ask', 'moby', { hash: 'maxTokens=30', step: 20 });
  const ask = page.locator('#ask');
  const answer = (): Promise<string | null> => ask.locator('[data-part=answer]').textContent();
  const said = (dice: string): Promise<void> =>
    ask.getByText(`Written at step 20, ${dice}:`).waitFor();
  const heat = ask.getByRole('slider', { name: 'Temperature' });
  // The slider asks without a button press, and the page answers for its last position.
  for (const value of ['0', '2', '0.8']) await heat.fill(value);
  await said('temperature 0.8, seed 1');
  const first = await answer();
  await ask.getByRole('button', { name: 'Another', exact: true }).click();
  await said('temperature 0.8, seed 2');
  expect(await answer()).not.toBe(first);
  const back = ask.getByRole('button', { name: 'Back to the last one' });
  await back.click();
  await said('temperature 0.8, seed 1');
  expect(await answer()).toBe(first);
  await expect.poll(() => back.count()).toBe(0);
  await ask.getByRole('button', { name: 'Write', exact: true }).click();
  await ask.getByText('The same text again').waitFor();
});

it('prints dark ink on paper and nothing to press, whatever the colours of the screen', async () => {
  const { page } = await mount('page', 'untouched', { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  const [red = 255] = ink.match(/\d+/g)!.map(Number);
  // Excludes headings that fold a section.
  const pressed = page.locator('button:is(.primary, .secondary, .link), .zooms');
  const count = await eventually(
    () => pressed.count(),
    (found) => found > 3,
  );
  const seen = (all: readonly Element[]): number =>
    all.filter((one) => one.getClientRects().length > 0).length;
  const printed = await pressed.evaluateAll(seen);
  await page.emulateMedia({ media: 'screen' });
  expect(red).toBeLessThan(64);
  expect([count > 3, printed]).toEqual([true, 0]);
});
