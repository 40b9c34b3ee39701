/** The end of a run: what it learned, and one button for what helps most, with the reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();

/** Random coin flips, one a line: their loss soon reaches the entropy of the source. */
function coins(): string {
  let state = 1;
  const flip = (): string => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state > 2 ** 30 ? 'h' : 't';
  };
  return Array.from({ length: 80 }, () => `${Array.from({ length: 12 }, flip).join('')}\n`).join(
    '',
  );
}
const COINS = { hash: 'text=own', text: coins() };

const SMALL = 'preset=tinygpt&layers=1&channels=32&context=16&batch=8&steps=60';
const novel = readFileSync(
  join(import.meta.dirname, '../../public/texts/moby-dick-en.txt'),
  'utf8',
);

const ending = ({ page }: Pick<Component, 'page'>): Locator => page.locator('#after-run');

/** Presses "Why?" once it is there, and returns the reasons. */
async function why(mounted: Pick<Component, 'page'>): Promise<string> {
  await ending(mounted).getByRole('button', { name: 'Why?' }).click();
  return ending(mounted).locator('.note').innerText();
}

it('says what the run learned in one place while it trains and at its end, and announces the end', async () => {
  const mounted = await mount('page', 'names', { stepwise: true });
  const { page, advance, start } = mounted;
  const told = ending(mounted).locator('.learned');
  const said = ending(mounted).getByRole('status');
  await start.click();
  await advance(50);
  await expect.poll(() => told.innerText()).toMatch(/^It is as unsure as .* among \d\d letters\.$/);
  expect(await said.textContent()).toBe('');
  const top = (): Promise<number> =>
    page.locator('#ask').evaluate((one) => one.getBoundingClientRect().top + scrollY);
  const before = await top();
  await advance(60);
  await expect
    .poll(() => said.textContent())
    .toMatch(/^It learned names of this kind: .* More steps would help most\.$/);
  expect(await told.innerText()).toMatch(/^It learned names of this kind: /);
  expect(Math.abs((await top()) - before)).toBeLessThan(1);
  expect(await why(mounted)).toMatch(/^More steps would help most: the model has not yet read/);
});

it('advises to hold out text after a run that has none to tell by, and moves nothing for it', async () => {
  const mounted = await mount('page', 'lines', { ...COINS, stepwise: true });
  const { page, advance, start } = mounted;
  const top = (): Promise<number> =>
    page.locator('#plan').evaluate((plan) => plan.getBoundingClientRect().top + scrollY);
  await start.click();
  await advance(50);
  const before = await top();
  await advance(60);
  await page.getByRole('button', { name: 'Hold out a tenth and train again' }).waitFor();
  expect(Math.abs((await top()) - before)).toBeLessThan(1);
  expect(await why(mounted)).toMatch(/^Nothing is held out\./);
});

it('trains again with held-out text after one press, and has the focus in the run bar then', async () => {
  const mounted = await mount('page', 'lines', { ...COINS, step: 60 });
  const { page, reach } = mounted;
  await page.evaluate(() => {
    window.stage.trainers!.control.stepwise = true;
  });
  const press = page.getByRole('button', { name: 'Hold out a tenth and train again' });
  await press.focus();
  await page.keyboard.press('Enter');
  await reach('running');
  expect(await page.evaluate(() => location.hash)).toContain('validation=0.1');
  await press.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.closest('#run') !== null)).toBe(true);
});

it('advises a lower learning rate after a training loss that rose, and rewinds with it at a press', async () => {
  const mounted = await mount('page', 'untouched', {
    hash: `${SMALL}&validation=0&schedule=warmup_cosine&warmup=90&lr=0.8`,
    text: novel.slice(0, 600),
    step: 60,
  });
  expect(await why(mounted)).toMatch(
    /^A lower learning rate would help most: the training loss was 3\.\d+ around step 36,/,
  );
  await mounted.page
    .locator('#after-run')
    .getByRole('button', { name: 'Rewind, with a tenth of the learning rate' })
    .click();
  await expect.poll(mounted.step).toBe(0);
  expect(await mounted.page.evaluate(() => location.hash)).toMatch(/lr=0\.08\b/);
});

it('names the step of the lowest validation loss of a run that has memorised, and leads to the text', async () => {
  const mounted = await mount('page', 'untouched', {
    hash: `${SMALL}&lr=0.02&validation=0.2`,
    text: novel.slice(0, 600),
    step: 60,
  });
  expect(await why(mounted)).toMatch(
    /^More text would help most: the validation loss was lowest at step \d+ \(\d\.\d+, /,
  );
  await mounted.page.getByRole('button', { name: 'Add more text' }).click();
  await expect
    .poll(() => mounted.text.evaluate((one) => one === document.activeElement))
    .toBe(true);
});

it('advises nothing that a lesson has locked', async () => {
  const mounted = await mount('page', 'lines', {
    ...COINS,
    lesson: 'lock=settings',
    step: 60,
  });
  await mounted.rest();
  expect(await ending(mounted).locator('.ending-next').innerText()).toBe('');
  expect(await ending(mounted).getByRole('status').textContent()).toMatch(
    /^It (?:has )?learned [^.]*\. ?$/,
  );
  expect(await ending(mounted).getByRole('button').count()).toBe(0);
});
