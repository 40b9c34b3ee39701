/** Tabs can be read: letter sizes of all of them, and the length of the longest on a phone. */
import { expect, it } from 'vitest';
import { eachTab } from '../browser/driver.ts';
import { lettersIn } from './letters.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();
const PANEL = '#closer [role=tabpanel]:not([hidden])';

it.each([
  [390, 844, 'en'],
  [390, 844, 'zh'],
  [360, 800, 'en'],
  [1366, 768, 'en'],
  [1366, 768, 'zh'],
])('has letters that can be read in every tab, at %i × %i, in %s', async (width, height, lang) => {
  const options = { viewport: { width, height }, unfold: false, step: 60, hash: `lang=${lang}` };
  const { page } = await mount('page', 'names', options);
  const short: unknown[] = [];
  let visited = 0;
  await eachTab(page, async () => {
    const { large, smallest } = await lettersIn(page, PANEL);
    const tab = await page.locator('#closer [role=tab][aria-selected=true]').innerText();
    visited += 1;
    // NaN in a tab without text.
    if (!(large >= 0.85) || smallest < 13) short.push({ tab, large, smallest });
  });
  expect(short).toEqual([]);
  expect(visited).toBeGreaterThan(10);
});

it.each([
  ['of the first run', { step: 60 }],
  ['of gpt2', { hash: 'preset=gpt2' }],
])('fits the model %s, piece by piece, into six screens of a phone', async (_, model) => {
  const viewport = { width: 390, height: 844 };
  const { page } = await mount(['model-parts'], 'names', { viewport, unfold: false, ...model });
  await page.locator('.parts .part-explanation figure').first().waitFor();
  const { height } = (await page.locator('.tab-model-parts').boundingBox())!;
  expect(height / viewport.height).toBeLessThan(6);
  expect(height / viewport.height).toBeGreaterThan(2);
});
