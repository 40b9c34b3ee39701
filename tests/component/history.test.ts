/** Back and Forward restore texts, presets and languages. */
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

it('leads back and forward between texts and presets, but not through what was typed', async () => {
  const { page, rest } = await mount('page', 'untouched', { hash: 'preset=microgpt' });
  const chosen = async (...names: string[]): Promise<void> => {
    for (const name of names) {
      await expect.poll(() => page.getByRole('radio', { name }).isChecked()).toBe(true);
    }
  };
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await chosen('gpt2');
  const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
  for (const count of ['48', '32']) {
    await channels.fill(count);
    await page.waitForURL(new RegExp(`channels=${count}`));
    await rest();
  }
  await page.getByRole('radio', { name: 'tinygpt' }).check();
  await page.waitForURL(/preset=tinygpt/);
  await rest();

  await page.goBack();
  await chosen('gpt2', 'Moby-Dick');
  await expect.poll(() => channels.inputValue()).toBe('32');
  await rest();
  await page.goBack();
  await chosen('English names', 'microgpt');
  await rest();
  await page.goForward();
  await chosen('Moby-Dick');
  await rest();
  await page.goForward();
  await chosen('tinygpt');
});

it('leads back to the language before', async () => {
  const { page } = await mount('page', 'names');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.getByRole('button', { name: '开始', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
});
