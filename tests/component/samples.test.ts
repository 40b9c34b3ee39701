/** Samples as plain text, in their own language, and with incomplete characters. */
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

it('shows pasted and generated markup as text', async () => {
  const nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>\n';
  const { page, text, reach, train } = await mount(['text', 'samples', 'ask'], 'lines');
  await text.fill(nasty.repeat(30));
  await reach('ready');
  await train(60);
  const written = page.locator('#samples .written');
  await expect.poll(async () => (await written.allTextContents()).join()).toMatch(/<\w/);
  expect(await page.locator('img, main script').count()).toBe(0);
  expect(await page.title()).toContain('Glasshouse');
});

it('keeps what the model writes and reads from the browser’s translation', async () => {
  const { page } = await mount(['samples', 'attention'], 'names', { step: 30 });
  const translated = (css: string): Promise<boolean[]> =>
    page.locator(css).evaluateAll((all) => all.map((one) => (one as HTMLElement).translate));
  await expect.poll(() => translated('.samples .written:not(.muted)')).toContain(false);
  expect(await translated('.samples .written:not(.muted)')).not.toContain(true);
  await expect.poll(() => translated('.map-above')).toEqual([false]);
});

const begun = 'stands for bytes that the model wrote';

it('explains a character that was begun and not finished, where tokens are its bytes', async () => {
  const { page } = await mount('samples', 'moby', { step: 10 });
  const placeholder = page.locator('#samples .written').getByRole('img', { name: 'unreadable' });
  await placeholder.first().waitFor();
  await page.getByText(begun).waitFor();
});

it('draws at most three boxes for unreadable characters in a row, and keeps them for copying', async () => {
  const { page } = await mount('samples', 'moby', { step: 10 });
  const placeholders = page.locator('#samples .written .unreadable');
  await placeholders.first().waitFor();
  const found = await placeholders.evaluateAll((all) =>
    all.map((one) => {
      const boxes =
        one.getBoundingClientRect().width / (0.6 * parseFloat(getComputedStyle(one).fontSize));
      return { text: one.textContent, boxes };
    }),
  );
  for (const { text, boxes } of found) expect(boxes).toBeCloseTo(Math.min(text.length, 3), 1);
});

it('does not explain a � of the text itself, where tokens are characters', async () => {
  const { page } = await mount('samples', 'lines', { text: '�\n��\n'.repeat(20), step: 10 });
  await page.locator('#samples .written', { hasText: '�' }).first().waitFor();
  expect(await page.getByText(begun).isVisible()).toBe(false);
});
