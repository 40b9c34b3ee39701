/**
 * Text marks of an instrument unknown to the others (stage/instruments/toy) appear on every
 * generated text.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { ToyWindow } from './stage/instruments/toy/toy.tsx';

const mount = useComponents();

const write = (page: Page) => page.getByRole('button', { name: 'Write', exact: true });
const said = (page: Page) => page.locator('#toy p');
const toyOf =
  (page: Page) =>
  <Value>(look: (toy: ToyWindow) => Value): Promise<Value> =>
    page.evaluate(`(${String(look)})(window)`);

it('draws marks on the samples that are shown whole', async () => {
  const { page } = await mount(['samples', 'toy'], 'names', { step: 60 });
  const marks = page.locator('#samples .text-mark');
  await marks.first().waitFor();
  expect(await page.locator('#samples li:not(:first-child) .text-mark').count()).toBe(0);
  const few = await marks.count();
  await page.getByRole('button', { name: /^Show all/ }).click();
  await expect.poll(() => marks.count()).toBeGreaterThan(few);
});

it('draws a mark on an answer, which tells its note and is pressed by keys', async () => {
  const { page } = await mount(['ask', 'toy'], 'names', { step: 10 });
  await write(page).click();
  const answer = page.locator('[data-part=answer]');
  const mark = answer.getByRole('button');
  await mark.waitFor();
  expect(await mark.textContent()).toBe(await answer.textContent());
  expect(await mark.getAttribute('title')).toBe('all of it');
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => said(page).textContent()).toBe(`pressed ${(await mark.textContent())!}`);
});

it('draws marks on a text that is written token by token', async () => {
  const { page } = await mount(['write', 'toy'], 'names', { step: 10 });
  await page.getByRole('button', { name: 'Next token', exact: true }).click();
  const mark = page.locator('.write-text .text-mark');
  await mark.click();
  await expect.poll(() => said(page).textContent()).toBe(`pressed ${(await mark.textContent())!}`);
});

it('does not draw marks that come after their text is gone', async () => {
  const { page, prompt } = await mount(['ask', 'toy'], 'names', { step: 10 });
  const toy = toyOf(page);
  await toy((one) => {
    one.holds = true;
  });
  const answer = page.locator('[data-part=answer]');
  const written = async (beginning: string): Promise<string> => {
    const before = await toy(({ held }) => held.length);
    await prompt.fill(beginning);
    await write(page).click();
    await expect.poll(() => toy(({ held }) => held.length)).toBe(before + 1);
    return (await answer.textContent())!;
  };
  const first = await written('a');
  const text = await written('cl');
  expect(text).not.toBe(first);
  const gone = await toy(({ held }) => held.map((one) => one.isGone()));
  expect(gone.slice(-2)).toEqual([true, false]);
  await toy(({ held }) => {
    for (const one of held.reverse()) one.answer();
  });
  await answer.getByRole('button').waitFor();
  expect(await answer.textContent()).toBe(text);
});

it('takes no other instrument with it that comes after one that cannot be made', async () => {
  const setFails = (fails: boolean) => (page: Page) =>
    page.evaluate((does) => Object.assign(window, { fails: does }), fails);
  const { breaks, page } = await mount(['toy', 'attention'], 'names', { before: setFails(true) });
  breaks(/the toy is broken/);
  await page.locator('#attention canvas').first().waitFor();
  await setFails(false)(page);
});
