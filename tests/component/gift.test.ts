/** The greeting of a link that carries lines of a card. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

const linkOf = (lines: readonly string[]): string =>
  `text=names&preset=microgpt&steps=60&${new URLSearchParams({ card: lines.join('\n') }).toString()}`;

/** The last names of the recorded run. */
async function written(): Promise<readonly string[]> {
  const { page } = await mount('page', 'names', { step: 60 });
  return page.locator('#samples li').first().locator('.written').allInnerTexts();
}

const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash);

it('shows the lines first, and says at the end of the run that they came again', async () => {
  const lines = (await written()).filter((text) => !text.startsWith('(')).slice(0, 3);
  const { page, start, advance } = await mount('page', 'names', {
    hash: linkOf(lines),
    stepwise: true,
  });
  const gift = page.locator('#gift');
  await expect.poll(() => gift.locator('.written').allInnerTexts()).toEqual(lines);
  const said = gift.getByRole('status');
  expect(await said.innerText()).toBe(
    'Press Start: a new model learns the text from nothing, and after 60 steps it writes these very lines.',
  );
  await start.click();
  await advance(60);
  await expect.poll(() => said.innerText()).toMatch(/^There they are, to the letter/);
});

it('is honest about lines that do not come, and shows markup as text', async () => {
  const { page } = await mount('page', 'names', { hash: linkOf(['<b>zzz</b>']), step: 60 });
  const gift = page.locator('#gift');
  await expect.poll(() => gift.locator('.written').innerText()).toBe('<b>zzz</b>');
  await expect.poll(() => gift.getByRole('status').innerText()).toMatch(/^This run wrote other/);
});

it('goes with the text and settings of the link: other settings take it away', async () => {
  const { page } = await mount('page', 'names', { hash: linkOf(['anna']) });
  await page.locator('#gift .written').waitFor();
  expect(await hash(page)).toContain('card=anna');
  await page.getByRole('textbox', { name: 'Channels', exact: true }).fill('32');
  await expect.poll(() => page.locator('#gift .written').count()).toBe(0);
  await expect.poll(() => hash(page)).not.toContain('card=');
});
