/** Word-for-word continuations of the training text: figures, curve below the losses, table. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();

/** A rhyme that a small model starts to memorise, and digits that are held out. */
const TEXT = `${'one two three four five, once I caught a fish alive\n'.repeat(4)}48217 30569 18376\n`;

const said = (page: Page) => page.locator('[data-part=memorised-said]');
const below = (page: Page) => page.locator('.loss-beneath');
const rows = (page: Page) =>
  page.getByRole('region', { name: 'All steps as a table' }).locator('tbody tr');

const trained = (validation: string): Promise<Component> =>
  mount(['loss', 'copied'], 'rhyme', { hash: `validation=${validation}`, text: TEXT, step: 60 });

it('says how much of the text learned and of the held-out text is continued word for word', async () => {
  const { page } = await trained('0.08');
  await expect
    .poll(() => said(page).textContent())
    .toBe(
      'At step 60 it continues 50% of 32 prompts from the training text word for word. Of 3 prompts from held-out text, which it never saw, it continues 0%.',
    );
  await page.getByText(/^A prompt is 8 tokens of the text\./).waitFor();
  await page.getByRole('button', { name: 'All steps as a table' }).click();
  expect(await rows(page).first().innerText()).toMatch(/^1\s+0%\s+0%$/);
  expect(await rows(page).last().innerText()).toMatch(/^60\s+50%\s+0%$/);
});

it('is drawn below the losses where that is wanted, with its box staying under the pointer', async () => {
  const { page } = await trained('0.08');
  expect(await below(page).isVisible()).toBe(false);
  const box = page.getByRole('checkbox', { name: 'Show this below the loss curve' });
  await box.scrollIntoViewIfNeeded();
  const at = (await box.boundingBox())!;
  await box.check();
  await below(page)
    .getByText('Continued word for word: training text and, dashed, held-out text')
    .waitFor();
  await expect.poll(() => below(page).locator('canvas').count()).toBe(1);
  expect(Math.abs((await box.boundingBox())!.y - at.y)).toBeLessThan(2);
  await box.uncheck();
  await expect.poll(() => below(page).isVisible()).toBe(false);
});

it('goes into the CSV of the losses', async () => {
  const { page } = await trained('0.08');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#loss').getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines.at(-1)).toMatch(/^60,.*,0.5,0$/);
});

it('is of the training text alone where nothing is held out', async () => {
  const { page } = await trained('0');
  const text = 'At step 60 it continues 16% of 32 prompts from the training text word for word.';
  await expect.poll(() => said(page).textContent()).toBe(text);
  await page.getByRole('button', { name: 'All steps as a table' }).click();
  expect(await rows(page).last().innerText()).toMatch(/^60\s+16%$/);
});
