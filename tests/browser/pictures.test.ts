/**
 * Takes the README's pictures (`make pictures`): the page as a visitor sees it after a first run.
 * Not a test of anything; it stays out of ordinary runs.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { launchChromium, openPage, siteUrl } from './harness.ts';

const folder = join(import.meta.dirname, '../../public/pictures');

describe.runIf(process.env['TAKE_PICTURES'] === '1')('the pictures of the README', () => {
  it('shows the names learned with the first preset', { timeout: 120_000 }, async () => {
    mkdirSync(folder, { recursive: true });
    const browser = await launchChromium();
    const { page } = await openPage(browser, {
      viewport: { width: 1440, height: 1010 },
      locale: 'en-US',
      colorScheme: 'light',
    });
    await page.goto(siteUrl());
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('After 5,000 steps the loss').waitFor({ timeout: 90_000 });
    await page.getByRole('textbox', { name: 'Begin with' }).fill('gla');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 5,000').first().waitFor();
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
    await page.screenshot({ path: join(folder, 'page.png') });
    await browser.close();
  });
});
