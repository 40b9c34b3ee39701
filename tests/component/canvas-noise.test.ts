/** Saved pictures in browsers that alter canvas pixels against fingerprinting. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { openTab, saved } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();
const SAID = 'This browser gives noise instead of pictures. Allow canvas data for this page';

let mounted: Page | null = null;
afterEach(async () => {
  await mounted?.evaluate(() => {
    (window as unknown as { restore?: () => void }).restore?.();
  });
});

/** Adds noise of at most `most` to each channel that the page reads from a canvas. */
const noise = (most: number) => (page: Page) => {
  mounted = page;
  return page.evaluate((range) => {
    const context = CanvasRenderingContext2D.prototype;
    const canvas = HTMLCanvasElement.prototype;
    const kept = [
      [context, 'getImageData'],
      [canvas, 'toBlob'],
      [canvas, 'toDataURL'],
    ] as const;
    const own = kept.map(([of, name]) => Object.getOwnPropertyDescriptor(of, name)!);
    const [read, toBlob, toDataURL] = own.map((one) => one.value as () => unknown);
    const disturbed = (one: HTMLCanvasElement): HTMLCanvasElement => {
      const copy = Object.assign(document.createElement('canvas'), {
        ...{ width: one.width, height: one.height },
      });
      const drawn = copy.getContext('2d')!;
      drawn.drawImage(one, 0, 0);
      const image = drawn.getImageData(0, 0, one.width, one.height);
      drawn.putImageData(image, 0, 0);
      return copy;
    };
    context.getImageData = function (...place) {
      const image = Reflect.apply(read!, this, place) as ImageData;
      for (const [at, value] of image.data.entries()) {
        image.data[at] = value + (((at * 37) % (2 * range + 1)) - range);
      }
      return image;
    };
    canvas.toBlob = function (...how) {
      Reflect.apply(toBlob!, disturbed(this), how);
    };
    canvas.toDataURL = function (...how) {
      return Reflect.apply(toDataURL!, disturbed(this), how) as string;
    };
    const restore = (): void => {
      for (const [at, [of, name]] of kept.entries()) Object.defineProperty(of, name, own[at]!);
    };
    Object.assign(window, { restore });
  }, most);
};

const STRONG: MountOptions = { step: 60, before: noise(200) };

it('says why in place of saving the card', async () => {
  const { page } = await mount(['samples', 'card'], 'names', STRONG);
  await page.locator('#samples').getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share what it wrote' });
  await dialog.getByRole('button', { name: 'Save the picture' }).click();
  await dialog.getByText(SAID).waitFor();
  // The same button saves once the reader allows canvas access.
  await page.evaluate(() => {
    (window as unknown as { restore: () => void }).restore();
  });
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the picture' }).click();
  await dialog.getByText(`Saved: ${(await coming).suggestedFilename()}`).waitFor();
});

it.each([
  ['', SAID, 'Save as PNG'],
  ['lang=zh', '这个浏览器给出的图片只有噪点。请允许本页读取画布数据', '保存为 PNG'],
])('says why in place of saving a picture (%s)', async (hash, said, name) => {
  const { page } = await mount('loss', 'names', { ...STRONG, hash });
  const loss = page.locator('#loss');
  await loss.getByRole('button', { name }).first().click();
  await loss.getByText(said).waitFor();
});

it('says why before it makes a film', async () => {
  const { page, lookBack } = await mount(['past', 'samples'], 'held', STRONG);
  await lookBack.fill('5');
  const past = page.locator('#past');
  await page.getByRole('button', { name: 'Save as film' }).click();
  await past.getByText(SAID).waitFor();
});

/** The report of a run with an attention map. */
async function reportOf(options: MountOptions): Promise<string> {
  const component: Component = await mount(['take-away', 'attention'], 'names', options);
  await openTab(component.page, 'Export');
  const button = component.page.getByRole('button', { name: 'Save the report' });
  return readFile((await saved(component, button)).path, 'utf8');
}

it('says why in the report in place of its maps', async () => {
  const report = await reportOf(STRONG);
  expect(report).toContain(SAID);
  expect(report).not.toContain('data:image/png');
});

it('saves pictures of which only the lowest bits are others', async () => {
  const report = await reportOf({ ...STRONG, before: noise(2) });
  expect(report).toContain('data:image/png');
});
