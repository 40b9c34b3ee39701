/** The verdict below the newest text: what is new, what is from the text, and where. */
import { expect, it } from 'vitest';
import { focused } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();
const PANELS = ['samples', 'verdict', 'past'];
const HEART = 'one two three four five\nonce I caught a fish alive\n'.repeat(6);

const noteOf = ({ page }: Component) => page.locator('#samples .newest-note');

it('says at the end of a run how many texts are new, and announces it', async () => {
  const mounted = await mount(PANELS, 'held', { step: Infinity });
  const note = noteOf(mounted);
  await expect.poll(() => note.textContent()).toBe('All 6 are new.');
  const status = mounted.page.locator('#verdict [role=status]');
  await expect.poll(() => status.textContent()).toBe('All 6 are new.');
});

it('leads to the line that was copied, and back', async () => {
  const mounted = await mount(PANELS, 'heart', { text: HEART, step: Infinity });
  const { page } = mounted;
  const line = noteOf(mounted).getByRole('button', { name: /^line \d+$/ });
  const name = await line.textContent();
  await line.press('Enter');
  await page
    .getByRole('dialog', { name: `${name!.replace('l', 'L')} of your text` })
    .locator('mark')
    .waitFor();
  await page.keyboard.press('Escape');
  await focused(line);
});

it('judges the texts of the step that is looked at', async () => {
  const mounted = await mount(PANELS, 'heart', { text: HEART, step: Infinity });
  const note = noteOf(mounted);
  await expect.poll(() => note.textContent()).toContain('from your text');
  await mounted.lookBack.focus();
  await mounted.page.keyboard.press('Home');
  await expect.poll(() => note.textContent()).toContain('All of it is new');
});

it('is in Chinese, within one phone screen', async () => {
  const mounted = await mount(PANELS, 'heart', {
    ...{ text: HEART, step: Infinity, hash: 'lang=zh', viewport: { width: 360, height: 800 } },
  });
  await expect.poll(() => noteOf(mounted).textContent()).toMatch(/出自你的文本/);
  const box = await noteOf(mounted).boundingBox();
  expect(box!.x + box!.width).toBeLessThanOrEqual(360);
});
