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

const begun = '� is an unfinished character';

it('explains a character that was begun and not finished, where tokens are its bytes', async () => {
  const { page } = await mount('samples', 'moby', { step: 10 });
  await page.locator('#samples .written', { hasText: '�' }).first().waitFor();
  await page.getByText(begun).waitFor();
});

it('does not explain a � of the text itself, where tokens are characters', async () => {
  const { page } = await mount('samples', 'lines', { text: '�\n��\n'.repeat(20), step: 10 });
  await page.locator('#samples .written', { hasText: '�' }).first().waitFor();
  expect(await page.getByText(begun).isVisible()).toBe(false);
});
