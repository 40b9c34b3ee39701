/** The tab on copied text at its edges: parts that overlap, short lines, texts without a rate. */
import { expect, it } from 'vitest';
import { train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

const STREAM = 'text=own&preset=tinygpt&channels=16&context=8&batch=2&steps=4&validation=0';
const RHYME =
  'one two three four five\nonce I caught a fish alive\nsix seven eight nine ten\nthen I let it go again\n';

it('marks the rest of a copied part that begins within another, as many as it counts', async () => {
  const driven = await site({ hash: `${STREAM}&view=copied`, state: '' });
  const { page, problems } = driven;
  await driven.text.fill(RHYME.repeat(4));
  await driven.reach('ready');
  await train(driven);
  const tab = page.locator('.tab-copied');
  const [first, last] = ['once I caught a fish alive\nsix seven eight nine ten\nthen I ', 'caught a fish alive\nsix seven']; // prettier-ignore
  await tab.getByRole('textbox', { name: 'Check a text' }).fill(`${first}${last}`);
  await tab.getByText(/^2 parts of it stand in your text/).waitFor();
  const marks = tab.locator('[data-part=copied-found] .text-mark');
  await expect.poll(() => marks.allTextContents()).toEqual([first, last]);
  // Its note speaks of the whole part, with the letters before it that are marked already.
  await marks.last().click();
  const note = page.getByRole('dialog', { name: /^Line \d+ of your text/ });
  expect(await note.locator('mark').textContent()).toBe(` I ${last}`);
  expect(problems).toEqual([]);
});

it('marks nothing in the text of one line without held-out text, and says why', async () => {
  const driven = await site({ hash: `${STREAM}&view=copied`, state: '' });
  const { page, problems } = driven;
  await driven.text.fill(RHYME.replaceAll('\n', ' ').repeat(4));
  await driven.reach('ready');
  await train(driven);
  const tab = page.locator('.tab-copied');
  await tab.getByText(/^Your text is a single line, and nothing of it is held out/).waitFor();
  expect(await tab.textContent()).not.toContain('95%');
  expect(await tab.locator('[data-part=copied-said]').textContent()).toBe('');
  expect(await page.locator('#samples .text-mark').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('says nothing of reading while there is no run to read a text of', async () => {
  const driven = await site({ hash: `${STREAM}&view=copied`, state: '' });
  const { page, problems } = driven;
  await driven.text.fill('a');
  const status = page.locator('[data-part=copied-status]');
  await page
    .getByText(/a context of 8 needs at least/)
    .first()
    .waitFor();
  await status.getByText(/^Once the model has written something/).waitFor();
  expect(problems).toEqual([]);
});

it('explains each yardstick by a press, by keyboard too', async () => {
  const driven = await site({ hash: 'steps=20&validation=0.1&view=copied' });
  const { page, problems } = driven;
  await train(driven);
  const rows = page.locator('[data-part=yardsticks] li');
  await expect.poll(() => rows.count()).toBe(8);
  for (const [name, explained] of [
    ['Guessing', /^Guessing/],
    ['2 tokens before', /^Table of the last tokens/],
  ] as const) {
    const row = rows.getByRole('button', { name, exact: true });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: explained }).waitFor();
    // What is shown anew in the meantime takes the focus from nobody.
    await page.getByRole('checkbox', { name: 'Mark copied parts in all that it writes' }).dispatchEvent('change'); // prettier-ignore
    await page.keyboard.press('Escape');
    await expect.poll(() => row.evaluate((one) => one === document.activeElement)).toBe(true);
  }
  expect(problems).toEqual([]);
});
