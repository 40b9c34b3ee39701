/** Runs are saved during training, listed and restored. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readRunFile } from '../../web/store/runs/run-file.ts';
import { focused, saved } from '../browser/driver.ts';
import { notice, press, rows } from '../browser/kept-run-page.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';
import {
  allowStorage,
  closeDatabases,
  denyOpening,
  denyReading,
  watchDatabases,
} from './storage.ts';

const mount = useComponents();

/** The list's name for the recording's run. */
const NAMES = 'English names (Steps 60)';

/** Mounts the list of stored runs with other panels. */
const list = (beside: readonly string[] = [], options: MountOptions = {}): Promise<Component> =>
  mount(['runs', 'notice', ...beside], 'names', {
    keeps: true,
    ...options,
    before: async (page) => {
      await allowStorage(page);
      await options.before?.(page);
    },
  });

const header = (page: Page, name: string) => page.getByRole('rowheader', { name }).waitFor();
const count = (driven: Component) => async () => (await rows(driven)).length;

async function rename(page: Page, from: string, to: string): Promise<void> {
  await press(page, `Rename: ${from}`);
  const field = page.getByRole('textbox', { name: 'Name of the run' });
  await field.fill(to);
  await page.keyboard.press('Enter');
  // The name of the row header contains the field's value, before it is saved.
  await field.waitFor({ state: 'detached' });
  await header(page, to);
}

/** The run and save number of each save in the store. */
const storedKeys = (page: Page): Promise<[run: string, save: number][]> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('glasshouse');
        opening.onsuccess = () => {
          const asking = opening.result.transaction('saves').objectStore('saves').getAllKeys();
          asking.onsuccess = () => {
            opening.result.close();
            resolve(asking.result as [string, number][]);
          };
        };
      }),
  );

describe('the list of runs', () => {
  it('names, downloads, deletes and brings back', async () => {
    const driven = await list();
    const { page, train } = driven;
    await page.getByText('No run is saved yet').waitFor();
    await train(10);
    await header(page, NAMES);
    const field = page.getByRole('textbox', { name: 'Name of the run' });
    await press(page, `Rename: ${NAMES}`);
    const given = await field.evaluate((one: HTMLInputElement) => [
      one.value,
      one.value.slice(one.selectionStart ?? 0, one.selectionEnd ?? 0),
    ]);
    expect(given).toEqual([NAMES, NAMES]);
    // Saving the suggested name stores no custom name, so the row shows no second one.
    await page.keyboard.press('Enter');
    expect(await page.locator('.runs-about').innerText()).toBe('microgpt');
    await press(page, `Rename: ${NAMES}`);
    await field.fill('My <b>first</b> run');
    // An input method cancels its composition by Escape; Safari tells that only by the code.
    for (const composed of [{ isComposing: true }, { keyCode: 229 }]) {
      await field.dispatchEvent('keydown', { key: 'Escape', bubbles: true, ...composed });
    }
    // The second press of Enter only repeats the save.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await header(page, 'My <b>first</b> run');
    await expect.poll(() => field.isVisible()).toBe(false);
    expect(await page.locator('.runs-table b').count()).toBe(0);

    const coming = page.waitForEvent('download');
    await press(page, 'Download: My <b>first</b> run');
    await press(page, 'Download the run');
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(
      /^glasshouse-run-My-b-first-b-run-[0-9a-f]{4}-step-10\.glasshouse$/,
    );
    const { facts } = await readRunFile(new Blob([readFileSync(await download.path())]), 'a');
    expect(facts.name).toBe('My <b>first</b> run');

    await press(page, 'Delete: My <b>first</b> run');
    await page.getByText('Deleted: My <b>first</b> run.').waitFor();
    await expect.poll(count(driven)).toBe(0);
    // The run continues, but the page does not save a deleted run again.
    await driven.oneStep.click();
    await expect.poll(driven.step).toBe(11);
    await driven.rest();
    expect(await count(driven)()).toBe(0);
    await press(page, 'Undo');
    await header(page, 'My <b>first</b> run');
    await page.getByText('that the browser allows').waitFor();
  });

  it('keeps the focus of who deletes a run and brings it back', async () => {
    const { page, train, rewind, reach } = await list(['settings']);
    await train(10);
    await header(page, NAMES);
    await rewind.click();
    await page.getByRole('textbox', { name: 'Channels', exact: true }).fill('32');
    await reach('ready');
    await train(10);
    const second = 'English names (Channels 32, Steps 60)';
    await header(page, second);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    for (const name of [NAMES, second]) {
      await button(`Delete: ${name}`).focus();
      await page.keyboard.press('Enter');
      await page.getByText(`Deleted: ${name}.`).waitFor();
      await focused(button('Undo'));
      await page.keyboard.press('Enter');
      await focused(button(`Delete: ${name}`));
    }
  });

  it('gives a run the name under which it is offered after a reload', async () => {
    const { page, train, reload } = await list();
    await train(10);
    await rename(page, NAMES, 'Mine');
    await reload();
    await notice(page)
      .getByText(/^The run “Mine” stopped at step 10 of 60 /)
      .waitFor();
  });

  it('gives a run its name in pictures, in files, and beside other runs', async () => {
    const driven = await list(['loss']);
    const { page, train, reach } = driven;
    await train();
    await rename(page, NAMES, 'Mine');
    const drawing = page.locator('#loss').getByRole('button', { name: 'Save as SVG' });
    const first = await saved(driven, drawing);
    expect(first.name).toBe('glasshouse-loss-Mine-step-60.svg');
    expect(first.text).toContain('>Mine: Smoothed<');
    await page.evaluate(() => {
      location.hash = 'steps=60&seed=2&view=runs';
    });
    await press(page, 'Restart with these changes');
    const earlier = page.getByRole('list', { name: 'Earlier runs' });
    await earlier.getByRole('checkbox', { name: 'Run 1: Mine' }).waitFor();
    await reach('finished');
    const second = await saved(driven, drawing);
    expect(second.name).toBe('glasshouse-loss-names-microgpt-seed2-steps60-step-60.svg');
    expect(second.text).toContain('>English names (Seed 2, Steps 60): Smoothed<');
    expect(second.text).toContain('>Run 1: Mine<');
    await page.locator('#closer').getByRole('button', { name: 'Understand', exact: true }).click();
    await page.getByRole('tab', { name: 'Twins' }).click();
    await header(page, 'Run 1: Mine (Seed 42)');
  });

  it('is in sight with all that can be done with a run, however long its name', async () => {
    const { page, train } = await list(['page'], { viewport: { width: 1440, height: 900 } });
    await train(10);
    const name = 'a long name of a run '.repeat(9).slice(0, 80).trim();
    await rename(page, NAMES, name);
    const box = (await page.locator('.runs-list').boundingBox())!;
    const last = (await page.getByRole('button', { name: `Delete: ${name}` }).boundingBox())!;
    expect(last.x + last.width).toBeLessThanOrEqual(box.x + box.width);
  });

  it('opens another run in place of the one under way, which stays in the list', async () => {
    const driven = await list(['text']);
    const { page, train, step } = driven;
    await train(30);
    await header(page, NAMES);
    await page.getByRole('radio', { name: 'Tang poems (Chinese)' }).check();
    await press(page, 'Restart with these changes');
    await driven.reach('finished');
    await expect.poll(count(driven)).toBe(2);
    const open = page.getByRole('button', { name: `Open: ${NAMES}` });
    await open.press('Enter');
    await expect.poll(step).toBe(30);
    // The button is disabled and keeps the focus.
    await expect.poll(() => open.getAttribute('aria-disabled')).toBe('true');
    await focused(open);
    // The message also appears in the row: other changes may be outside the window.
    const row = page.getByRole('row').filter({ hasText: 'English names' });
    await row.getByRole('status').filter({ hasText: 'Opened at step 30.' }).waitFor();
    const source = page.getByRole('radio', { name: 'English names' });
    await expect.poll(() => source.isChecked()).toBe(true);
    await driven.oneStep.click();
    await row.getByText('31 of 60').waitFor();
    expect(await count(driven)()).toBe(2);
    await press(page, 'New seed');
    await expect.poll(() => page.getByText('Opened at step').count()).toBe(0);
  });

  it('numbers runs that are equal in all that their names say', async () => {
    const driven = await list();
    const { page, train, rewind, reach } = driven;
    for (const kept of [1, 2]) {
      await train();
      await expect.poll(count(driven)).toBe(kept);
      await rewind.click();
      await reach('ready');
    }
    await rename(page, `${NAMES}, no. 2`, 'Again');
    await press(page, `Delete: ${NAMES}`);
    await page.getByText(`Deleted: ${NAMES}.`).waitFor();
    await expect.poll(count(driven)).toBe(1);
  });

  it('opens a finished run as such, as old as it was, with a probe that gives way to another text’s', async () => {
    const driven = await list(['text', 'settings', 'attention']);
    const { page, text, probe, train, reach } = driven;
    await text.fill('Zebra 7\nOkapi 8\nYak 9\n'.repeat(40));
    await reach('ready');
    await train();
    await expect.poll(count(driven)).toBe(1);
    const before = await storedKeys(page);
    await driven.reload();
    await notice(page).getByText('finished its 60 steps').waitFor();
    await press(page, 'Open it');
    await reach('finished');
    await driven.rest();
    // A finished run accepts no new learning rate: the run bar says that a new run will use it.
    const rate = page.getByRole('textbox', { name: /^Learning rate/ }).first();
    const usual = await rate.inputValue();
    await rate.fill('0.0123');
    await driven.run.getByText(/^Changed: Learning rate/).waitFor();
    await rate.fill(usual);
    await expect.poll(() => probe.inputValue()).toBe('Zebra 7');
    await page.getByRole('radio', { name: 'English names' }).check();
    await press(page, 'Restart with these changes');
    await reach('finished');
    await expect.poll(() => probe.inputValue()).not.toBe('Zebra 7');
    expect(await page.locator('#attention .error:visible').count()).toBe(0);
    // Opening the run added no save.
    await expect.poll(count(driven)).toBe(2);
    const ofRun = (await storedKeys(page)).filter(([run]) => run === before[0]![0]);
    expect(ofRun).toEqual(before);
  });
});

it('goes on saving after the browser has closed its database, as Safari does to tabs behind', async () => {
  const { page, train } = await list([], { before: watchDatabases });
  await train(10);
  await page.getByRole('cell', { name: '10 of 60' }).waitFor();
  await closeDatabases(page);
  await train(30);
  await page.getByRole('cell', { name: '30 of 60' }).waitFor();
  expect((await notice(page).innerText()).trim()).toBe('');
});

describe('where nothing can be kept', () => {
  it.each([
    ['reading the property throws', denyReading],
    ['opening is refused', denyOpening],
  ])('because %s: says so once, and trains', async (_, before) => {
    const driven = await list([], { before });
    const { page, train, rewind, rest } = driven;
    await page.getByText('This browser saves nothing for this page, as in').waitFor();
    await train(10);
    await notice(page).getByText('so the run ends with the tab, or when another').waitFor();
    await press(page, 'OK');
    await train();
    await rewind.click();
    await driven.reach('ready');
    await driven.oneStep.click();
    await expect.poll(driven.step).toBe(1);
    await rest();
    expect((await notice(page).innerText()).trim()).toBe('');
  });

  it('because there is no more room: says so, trains, and saves again when there is', async () => {
    const driven = await list();
    const { page, train } = driven;
    const devtools = await page.context().newCDPSession(page);
    const { origin } = new URL(page.url());
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 });
    await train(10);
    await notice(page).getByText('no more room for saved runs').waitFor();
    expect(await storedKeys(page)).toEqual([]);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin });
    await train();
    await expect.poll(count(driven)).toBe(1);
    await page.getByRole('cell', { name: '60 of 60' }).waitFor();
  });
});
