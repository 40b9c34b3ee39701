/**
 * Compatibility tests: data that version ca373f4f stored in a browser, and its messages to host
 * pages, against the current page. See fixtures/frozen/README.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { elementTranscript, frameTranscript } from '../frozen/frames.ts';
import { folder } from '../frozen/runs.ts';
import { writeStore } from '../frozen/store.ts';
import type { Kept } from '../frozen/store.ts';
import { normalised, openTab, saved, writtenTexts } from './driver.ts';
import { siteUrl } from './harness.ts';
import { startHost } from './hosts.ts';
import type { Host } from './hosts.ts';
import { usePages } from './sites.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const pages = usePages();
let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

it('opens the store of saved runs: list, text, snapshots; and trains on to the same receipt', async () => {
  const kept = read('store.json') as Kept & {
    readonly text: string;
    readonly hash: string;
    readonly samples: string;
    readonly losses: string;
    readonly receipts: Readonly<Record<string, string>>;
    readonly lookedAt: { readonly step: number; readonly text: string };
  };
  const before = async (page: Page): Promise<void> => {
    // The manifest belongs to the site's origin but opens no database.
    await page.goto(`${siteUrl()}manifest.webmanifest`);
    await writeStore(page, kept);
  };
  const driven = await pages.site({ hash: kept.hash.slice(1), before });
  const { page, text, reach, step, lookBack } = driven;
  expect(await text.inputValue()).toBe(kept.text);
  await page.locator('#notice').getByText('stopped at step 20 of 60').waitFor();
  const rows = page.locator('.runs-table tbody tr');
  await expect.poll(() => rows.count()).toBe(3);
  expect(await rows.filter({ hasText: 'Mine 〇' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Open it', exact: true }).click();
  await reach('paused');
  await expect.poll(step).toBe(20);
  const receipt = page.locator('[data-part=receipt]').first();
  await expect.poll(() => receipt.textContent()).toBe(kept.receipts['paused']);
  expect(await writtenTexts(page)).toBe(normalised(kept.samples));

  const { step: past, text: written } = kept.lookedAt;
  const sample = page.locator('#samples li').first();
  // Before stored snapshots are loaded, the slider reaches only steps with saved texts.
  const stampAt = async (): Promise<string | null> => {
    await lookBack.fill(String(past));
    return sample.locator('.stamp').textContent();
  };
  await expect.poll(stampAt).toBe(`step ${String(past)}`);
  await expect.poll(() => sample.locator('div').textContent()).toBe(written);
  await lookBack.press('End');
  const csv = page.locator('#loss').getByRole('button', { name: 'Save as CSV' });
  expect(cellsOf((await saved(driven, csv)).text)).toEqual(cellsOf(kept.losses));

  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await reach('finished');
  await openTab(page, 'Runs');
  await expect.poll(() => receipt.textContent()).toBe(kept.receipts['end']);
});

describe('the page around', () => {
  const frozen = read('messages.json') as Awaited<ReturnType<typeof frameTranscript>> & {
    readonly frame: unknown;
    readonly element: Awaited<ReturnType<typeof elementTranscript>>;
  };

  it('hears the same answers from a frame', async () => {
    const { page } = await pages.page();
    const { calls, forms } = await frameTranscript(page, siteUrl(), host);
    expect(calls).toMatchObject(frozen.frame as object);
    // Each frozen message form must still occur; new forms are allowed.
    for (const form of frozen.forms) expect(forms.map(parsed)).toContainEqual(parsed(form));
  });

  it('finds the same element: attributes, methods, events, parts, colours', async () => {
    const { page } = await pages.page();
    const { members, parts, events, ...rest } = await elementTranscript(page, host);
    const { members: had, parts: hadParts, events: heard, ...before } = frozen.element;
    expect(members).toEqual(expect.arrayContaining(had));
    expect(parts).toEqual(expect.arrayContaining(hadParts));
    expect(rest).toMatchObject(before);
    const kinds = (all: readonly string[]) => [...new Set(all.map((one) => one.split(' ')[0]))];
    expect(kinds(events)).toEqual(expect.arrayContaining(kinds(heard)));
  });
});

/** Parses CSV cells; numbers are rounded to 32 bits, the precision of stored learning rates. */
function cellsOf(csv: string): readonly (string | number)[][] {
  const cell = (text: string) => (/^-?\d/.test(text) ? Math.fround(Number(text)) : text);
  return csv.split('\r\n').map((row) => row.split(',').map(cell));
}

/** Parses a form, because comparisons must ignore the order of members. */
function parsed(form: string): unknown {
  return form.startsWith('JSON ') ? form : (JSON.parse(form) as unknown);
}
