/** Attention on a recorded run: every head, one head as map and arcs, its habit. */
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

it('names what a head does, beside the untrained model and even attention', async () => {
  const { page, probe } = await mount('attention', 'names', { step: 60 });
  const column = page.locator('#attention');
  await column.getByRole('radio', { name: /^Layer 1, head 1/ }).click();
  const row = column.getByRole('row', { name: /the token before/ });
  const [now, before, even] = (await row.getByRole('cell').allTextContents()).map(Number);
  expect(even).toBe(0.2);
  expect(now).toBeGreaterThan(0);
  expect(before).toBeGreaterThan(0);
  await probe.fill('gloria');
  await expect.poll(() => row.getByRole('cell').nth(2).textContent()).toBe('0.27');
});

it('shows a second one', async () => {
  const { page } = await mount('attention', 'names', { step: 60 });
  await page.locator('#attention .attention-canvas').waitFor();
});
