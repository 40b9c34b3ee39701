/** What a model continues word for word: its figures, its curve below the losses, its table. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Driven } from './driver.ts';
import { openTab, train } from './driver.ts';
import { press, savedAt } from './kept-run-page.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** A rhyme that a small model soon knows by heart, and figures that it never sees. */
const TEXT = `${'one two three four five, once I caught a fish alive\n'.repeat(4)}48217 30569 18376\n`;
const SHORT = 'text=own&preset=tinygpt&channels=32&context=16&batch=8&steps=300&lr=0.003';

const said = ({ page }: Driven) => page.locator('[data-part=memorised-said]');
const below = ({ page }: Driven) => page.locator('.loss-beneath');

async function trained(options: string): Promise<Driven> {
  const driven = await site({ hash: `${SHORT}&${options}`, state: '' });
  await driven.text.fill(TEXT);
  await driven.reach('ready');
  await train(driven);
  await openTab(driven.page, 'Copied or new?');
  return driven;
}

it('is told of both parts of the text, and drawn below the losses where that is wanted', async () => {
  const driven = await trained('validation=0.08');
  const { page, problems } = driven;
  const text = 'At step 300 it continues 100% of 32 prompts from the training text word for word. Of 3 prompts from held-out text, which it never saw, it continues 0%.'; // prettier-ignore
  await expect.poll(() => said(driven).textContent()).toBe(text);
  await page.getByText(/^A prompt is 8 tokens of the text\./).waitFor();
  expect(await below(driven).isVisible()).toBe(false);
  const box = page.getByRole('checkbox', { name: 'Show this below the loss curve' });
  await box.scrollIntoViewIfNeeded();
  const at = await box.boundingBox();
  await box.check();
  await below(driven).getByText('Continued word for word: training text and, dashed, held-out text').waitFor(); // prettier-ignore
  expect(await below(driven).locator('canvas').count()).toBe(1);
  // The box stays under the pointer though the curve takes room above it.
  expect(Math.abs((await box.boundingBox())!.y - at!.y)).toBeLessThan(2);
  await box.uncheck();
  await expect.poll(() => below(driven).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'All steps as a table' }).click();
  const rows = page.getByRole('region', { name: 'All steps as a table' }).locator('tbody tr');
  expect(await rows.first().innerText()).toMatch(/^1\s+0%\s+0%$/);
  expect(await rows.last().innerText()).toMatch(/^300\s+100%\s+0%$/);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#loss').getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const csv = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(csv.at(-1)).toMatch(/^300,.*,1,0$/);
  expect(problems).toEqual([]);
});

it('is of the training text alone where nothing is held out, and comes back with the run', async () => {
  const driven = await trained('validation=0');
  const { page, problems } = driven;
  const text =
    /^At step 300 it continues \d+% of 32 prompts from the training text word for word\.$/;
  await said(driven).getByText(text).waitFor();
  const before = await said(driven).textContent();
  await savedAt(driven, 300);
  await page.reload();
  await press(page, 'Open it');
  await openTab(page, 'Copied or new?');
  await expect.poll(() => said(driven).textContent()).toBe(before);
  await page.getByRole('button', { name: 'All steps as a table' }).click();
  const rows = page.getByRole('region', { name: 'All steps as a table' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(7);
  expect(problems).toEqual([]);
});
