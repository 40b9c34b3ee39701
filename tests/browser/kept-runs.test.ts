/**
 * Compatibility tests: data and files written by the page of 26 November 2026 (commit 6b20f01) must
 * open with the same meaning. tests/generate/kept-runs.mjs made the fixtures.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Recipe } from '../../web/engine/options.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { eventually, normalised, writtenTexts } from './driver.ts';
import { siteUrl } from './harness.ts';
import { storedSaves, UnbrokenRun } from './saved-runs.ts';
import { useSites } from './sites.ts';

const kept = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/kept-runs.json'), 'utf8'),
) as {
  readonly text: string;
  readonly hash: string;
  readonly written: string;
  readonly receipt: unknown;
  readonly tab: Readonly<Record<string, string>>;
  readonly stores: Readonly<Record<string, unknown>> & {
    readonly runs: readonly { readonly recipe: Recipe; readonly name: string }[];
  };
  readonly links: Readonly<Record<string, string>>;
};
const site = useSites();

/** Writes the fixture into the browser's storage, from a URL that does not run the app. */
async function bringBack(page: Page): Promise<void> {
  await page.goto(`${siteUrl()}manifest.webmanifest`);
  await page.evaluate(async ({ stores, tab }) => {
    const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
      Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const alive = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(alive);
      if (value === null || typeof value !== 'object') return value;
      const { blob, type, array, bytes } = value as Record<string, string | undefined>;
      if (blob !== undefined) return new Blob([bytesOf(blob)], { type: type ?? '' });
      if (array === 'Float32Array') return new Float32Array(bytesOf(bytes ?? '').buffer);
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, alive(one)]));
    };
    for (const [key, value] of Object.entries(tab)) sessionStorage.setItem(key, value);
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open('glasshouse', 1);
      opening.onupgradeneeded = () => {
        const database = opening.result;
        database.createObjectStore('runs', { keyPath: 'id' });
        database.createObjectStore('saves', { keyPath: ['run', 'number'] });
        database.createObjectStore('texts', { keyPath: 'key' });
      };
      opening.onerror = () => reject(new Error(String(opening.error)));
      opening.onsuccess = () => {
        const tx = opening.result.transaction(['runs', 'saves', 'texts'], 'readwrite');
        for (const [store, records] of Object.entries(stores)) {
          for (const record of records as unknown[]) tx.objectStore(store).put(alive(record));
        }
        tx.oncomplete = () => {
          opening.result.close();
          resolve();
        };
      };
    });
  }, kept);
}

it('comes back into its tab: text, offer, the line beside it; and goes on to equal bits', async () => {
  const driven = await site({ hash: kept.hash.slice(1), before: bringBack });
  const { page, text, run, reach, step } = driven;
  expect(await text.inputValue()).toBe(kept.text);
  await page.locator('#notice').getByText('stopped at step 29 of 60').waitFor();
  const list = page.locator('.runs-table tbody tr');
  await expect.poll(() => list.count()).toBe(2);
  expect((await list.allInnerTexts()).some((row) => row.includes('Mine'))).toBe(true);
  const line = page.locator('#loss .earlier input');
  await expect.poll(() => line.count()).toBe(1);
  expect(await line.isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Open it', exact: true }).click();
  await reach('paused');
  await expect.poll(step).toBe(29);
  await expect.poll(() => writtenTexts(page)).toBe(normalised(kept.written));
  // Text, run and samples belong together, so the page offers no new run.
  expect(await page.locator('[data-part=earlier-texts]').isVisible()).toBe(false);
  expect(await run.locator('.offer').isVisible()).toBe(false);
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('Full');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await reach('finished');
  const saves = await eventually(
    () => storedSaves(page),
    (all) => all.filter((one) => one.newest && one.step === 60).length === 2,
  );
  const recipe = kept.stores.runs.find(({ name }) => name === '')!.recipe;
  const unbroken = await UnbrokenRun.begin(kept.text, recipe);
  const digest = await unbroken.digestAt(60, 'own');
  unbroken.close();
  expect(saves.some((one) => one.newest && one.digest === digest)).toBe(true);
});

it('verifies its receipt', async () => {
  const engine = readFileSync(join(import.meta.dirname, '../../build/wasm/glasshouse.wasm'));
  const trainer = new DirectTrainer(new Uint8Array(engine));
  const bytes = new TextEncoder().encode(kept.text);
  const finding = await trainer.verify(JSON.stringify(kept.receipt), bytes);
  trainer.close();
  expect(finding).toMatchObject({ same: true, done: 29, steps: 29 });
});

it('opens a lesson’s link with the text, settings and task that it had', async () => {
  const [, hash = ''] = kept.links['link']!.split('#');
  const { page, text } = await site({ url: `${siteUrl()}embed.html`, hash });
  expect(await text.inputValue()).toBe(kept.text);
  await page.getByText('Find the head that looks back.').waitFor();
  const values = { Channels: '8', Layers: '1', Heads: '2', Steps: '60' };
  for (const [name, value] of Object.entries(values)) {
    const field = page.getByRole('textbox', { name, exact: true });
    expect(await field.inputValue(), name).toBe(value);
  }
  expect(await page.getByRole('combobox', { name: 'Speed' }).inputValue()).toBe('30');
});
