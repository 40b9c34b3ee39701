/**
 * Takes the README's screenshots (`make pictures`): the page after a first run, and on a phone
 * during one. Also renders the installed app's icons from the SVG. Contains no assertions; skipped
 * in ordinary runs.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { launchChromium, openPage, siteUrl } from './harness.ts';

const folder = join(import.meta.dirname, '../../public/pictures');

describe.runIf(process.env['TAKE_PICTURES'] === '1')('the pictures of the README', () => {
  it('shows the names of a first run', { timeout: 120_000 }, async () => {
    mkdirSync(folder, { recursive: true });
    const browser = await launchChromium();
    const { page } = await openPage(browser, {
      viewport: { width: 1440, height: 1010 },
      locale: 'en-US',
      colorScheme: 'light',
    });
    await page.goto(siteUrl());
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('After 3,000 steps the loss').waitFor({ timeout: 90_000 });
    await page.getByRole('textbox', { name: 'Prompt' }).fill('gla');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 3,000').first().waitFor();
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
    await page.screenshot({ path: join(folder, 'page.png') });
    await browser.close();
  });

  it('shows the first run on a phone, half-way', { timeout: 120_000 }, async () => {
    const browser = await launchChromium();
    const { page } = await openPage(browser, {
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
      locale: 'en-US',
      colorScheme: 'dark',
    });
    await page.goto(siteUrl());
    await page.getByRole('button', { name: 'Start', exact: true }).tap();
    await page.locator('#samples').getByText('step 750').waitFor({ timeout: 60_000 });
    await page.screenshot({ path: join(folder, 'phone.png') });
    await browser.close();
  });
});

/**
 * Share of a maskable icon that the drawing fills. Systems crop such icons to a circle of 80 % of
 * the width; the drawing's corners lie 0.54 of its own width from the centre.
 */
const MASKABLE_SHARE = 0.7;

const icons = join(import.meta.dirname, '../../public/favicon');

describe.runIf(process.env['TAKE_PICTURES'] === '1')('the icons of the installed app', () => {
  it.each([
    { name: 'icon-192.png', size: 192, share: 1 },
    { name: 'icon-512.png', size: 512, share: 1 },
    { name: 'icon-maskable-512.png', size: 512, share: MASKABLE_SHARE },
  ])('$name', async ({ name, size, share }) => {
    const browser = await launchChromium();
    const { page } = await openPage(browser, { viewport: { width: size, height: size } });
    const icon = readFileSync(join(icons, 'icon.svg'), 'utf8');
    const { background_color: paper } = JSON.parse(
      readFileSync(join(icons, '../manifest.webmanifest'), 'utf8'),
    ) as { readonly background_color: string };
    const ground = share < 1 ? paper : 'transparent';
    const side = `${String(share * 100)}vw`;
    await page.setContent(
      `<style>body { margin: 0; height: 100vh; display: grid; place-content: center; background: ${ground} } svg { display: block; width: ${side}; height: ${side} }</style>${icon}`,
    );
    await page.screenshot({ path: join(icons, name), omitBackground: true });
    await browser.close();
  });
});
