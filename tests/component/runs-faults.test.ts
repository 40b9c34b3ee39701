/** Stored runs in a browser without free space, and runs whose stored data is unreadable. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { notice, press, rows } from '../browser/kept-run-page.ts';
import { readRunFile } from '../../web/store/runs/run-file.ts';
import { useComponents } from './mount.ts';
import { allowStorage } from './storage.ts';
import type { Component } from './mount.ts';

const mount = useComponents();
const NAMES = 'English names (Steps 60)';

const list = (): Promise<Component> => mount(['runs', 'notice'], 'names', { keeps: true });

/** Ids of all runs in the store. */
const stored = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const opening = indexedDB.open('glasshouse');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const asking = opening.result.transaction('runs').objectStore('runs').getAllKeys();
    await new Promise((resolve) => asking.addEventListener('success', resolve));
    opening.result.close();
    return asking.result as string[];
  });

/** Adds `count` older copies of the stored run, and snapshots of one copy. */
const copyRun = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (copies) => {
    const open = async (name: string): Promise<IDBDatabase> => {
      const opening = indexedDB.open(name);
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      return opening.result;
    };
    const runs = await open('glasshouse');
    const tx = runs.transaction(['runs', 'saves'], 'readwrite');
    const [record] = await new Promise<{ id: string; updated: number; save: number }[]>(
      (resolve) => {
        const asking = tx.objectStore('runs').getAll();
        asking.onsuccess = () => resolve(asking.result as never);
      },
    );
    const save = await new Promise<object>((resolve) => {
      const asking = tx.objectStore('saves').get([record!.id, record!.save]);
      asking.onsuccess = () => resolve(asking.result as object);
    });
    for (let at = 1; at <= copies; at++) {
      const id = `copy ${String(at)}`;
      tx.objectStore('runs').put({ ...record, id, updated: record!.updated - at * 1000 });
      tx.objectStore('saves').put({ ...save, run: id });
    }
    await new Promise((resolve) => tx.addEventListener('complete', resolve));
    runs.close();
  }, count);

/** Makes the next `times` saves fail with QuotaExceededError. */
const refuse = (page: Page, times: number): Promise<void> =>
  page.evaluate((count) => {
    const { prototype } = IDBObjectStore;
    const put = Object.getOwnPropertyDescriptor(prototype, 'put')!;
    let left = count;
    prototype.put = function (this: IDBObjectStore, ...what: Parameters<IDBObjectStore['put']>) {
      if (this.name !== 'saves' || left-- <= 0) {
        return (put.value as IDBObjectStore['put']).apply(this, what);
      }
      throw new DOMException('no room', 'QuotaExceededError');
    };
    window.allowStorage = () => Object.defineProperty(prototype, 'put', put);
  }, times);

/** Stores a run and older copies, then trains while saves fail. */
async function trainWhileFull(times: number): Promise<Component> {
  const driven = await list();
  const { page, train } = driven;
  await train(10);
  await page.getByRole('rowheader', { name: NAMES }).waitFor();
  await copyRun(page, 6);
  await refuse(page, times);
  await train(20);
  await page.getByRole('cell', { name: '20 of 60' }).waitFor();
  return driven;
}

it('lose what looking back takes, and no run, where that makes room enough', async () => {
  const { page } = await trainWhileFull(1);
  expect(await stored(page)).toHaveLength(7);
  const databases = await page.evaluate(() => indexedDB.databases());
  expect(databases.map(({ name }) => name)).toContain('glasshouse');
  expect((await notice(page).innerText()).trim()).toBe('');
});

it('lose the oldest run without a name, and no more than it takes, which is said', async () => {
  const { page } = await trainWhileFull(4);
  await notice(page).getByText('were deleted to save this one: 2.').waitFor();
  const left = await stored(page);
  expect(left).toHaveLength(5);
  expect(left).not.toContain('copy 6');
  expect(left).not.toContain('copy 5');
});

it('lose their deleted neighbours, too, which can then no longer be restored', async () => {
  const driven = await list();
  const { page, train, rest } = driven;
  await train(10);
  await page.getByRole('rowheader', { name: NAMES }).waitFor();
  await copyRun(page, 1);
  await driven.reload();
  await press(page, 'Dismiss');
  const row = page.locator('.runs-table tbody tr').nth(1);
  await row.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await refuse(page, 2);
  await train(20);
  await page.getByRole('cell', { name: '20 of 60' }).waitFor();
  await rest();
  expect(await stored(page)).not.toContain('copy 1');
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

it('are deleted for one that can still not be saved: both are said', async () => {
  const driven = await list();
  const { page, train } = driven;
  await train(10);
  await page.getByRole('rowheader', { name: NAMES }).waitFor();
  await copyRun(page, 2);
  await refuse(page, Number.MAX_SAFE_INTEGER);
  await train(20);
  await notice(page).getByText('were deleted (2), but this one').waitFor();
  await expect.poll(async () => (await rows(driven)).length).toBe(1);
});

it('that cannot be saved are said when they are replaced, each with its file', async () => {
  const driven = await list();
  const { page, train, rewind } = driven;
  await refuse(page, Number.MAX_SAFE_INTEGER);
  await train(10);
  await notice(page).getByText('no more room for saved runs').waitFor();
  await press(page, 'OK');
  await rewind.click();
  await notice(page).getByText('was replaced at step 10 and could not').waitFor();
  await train(30);
  await notice(page).getByText('The current run is not saved either.').waitFor();
  // On a phone all buttons of the notice are within the screen.
  await page.setViewportSize({ width: 360, height: 800 });
  const ends = () =>
    notice(page)
      .getByRole('button')
      .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
  await expect.poll(ends).toBeLessThanOrEqual(360);
  await rewind.click();
  for (const step of [10, 30]) {
    await notice(page)
      .getByText(`was replaced at step ${String(step)} and could not`)
      .waitFor();
    const saving = page.waitForEvent('download');
    await press(page, 'Download the run');
    const saved = await saving;
    expect(saved.suggestedFilename()).toContain(`step-${String(step)}.glasshouse`);
    const file = new Blob([readFileSync(await saved.path())]);
    expect((await readRunFile(file, 'run')).facts).toMatchObject({
      step,
      text: { source: 'names' },
    });
  }
  await notice(page).getByText('was replaced').waitFor({ state: 'detached' });
});

it('that were refused are saved once another one is deleted', async () => {
  const driven = await list();
  const { page, train } = driven;
  await train(10);
  await page.getByRole('rowheader', { name: NAMES }).waitFor();
  await copyRun(page, 1);
  await driven.reload();
  await press(page, 'Dismiss');
  await page
    .locator('.runs-table tbody tr')
    .nth(1)
    .getByRole('button', { name: /^Rename/ })
    .click();
  await page.getByRole('textbox', { name: 'Name of the run' }).fill('kept');
  await press(page, 'Save name');
  await refuse(page, Number.MAX_SAFE_INTEGER);
  await train(20);
  await notice(page).getByText('no more room for saved runs').waitFor();
  await allowStorage(page);
  await page
    .getByRole('row', { name: /kept/ })
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('cell', { name: '20 of 60' }).waitFor();
  await expect.poll(async () => (await notice(page).innerText()).trim()).toBe('');
});

it('lose no more than seconds of training with a closed tab, or the browser asks', async () => {
  const driven = await list();
  const { page, train } = driven;
  /** Whether the browser would ask the reader `seconds` from now. */
  const asks = (seconds: number): Promise<boolean> =>
    page.evaluate((later) => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + later;
      const leaving = new Event('beforeunload', { cancelable: true });
      dispatchEvent(leaving);
      performance.now = now;
      return leaving.defaultPrevented;
    }, seconds * 1000);
  await train(10);
  await page.getByRole('rowheader', { name: NAMES }).waitFor();
  expect(await asks(3600)).toBe(false); // stored as it is
  await refuse(page, Number.MAX_SAFE_INTEGER);
  await train(20);
  await notice(page).getByText('no more room for saved runs').waitFor();
  expect(await asks(0)).toBe(false);
  expect(await asks(60)).toBe(true);
});

it('that cannot be read are no runs of another tab, and can be deleted', async () => {
  const driven = await list();
  const { page, train, reload } = driven;
  await train(10);
  await page.getByRole('rowheader', { name: NAMES }).waitFor();
  await copyRun(page, 1);
  await page.evaluate(async () => {
    const opening = indexedDB.open('glasshouse');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const tx = opening.result.transaction('saves', 'readwrite');
    const saves = tx.objectStore('saves');
    const asking = saves.getAll();
    asking.onsuccess = () => {
      for (const save of asking.result as { run: string; file: Blob }[]) {
        if (save.run === 'copy 1')
          saves.put({ ...save, file: save.file.slice(0, save.file.size / 2) });
      }
    };
    await new Promise((resolve) => tx.addEventListener('complete', resolve));
    opening.result.close();
  });
  await reload();
  await press(page, 'Dismiss');
  const row = page.locator('.runs-table tbody tr').nth(1);
  for (let times = 0; times < 2; times++) {
    await row.getByRole('button', { name: /^Open/ }).click();
    await notice(page).getByText('This saved run is damaged').waitFor();
    await press(page, 'OK');
    expect(await row.innerText()).not.toContain('open in another tab');
  }
  await row.getByRole('button', { name: /^Delete/ }).click();
  await expect.poll(async () => (await rows(driven)).length).toBe(1);
  expect(await stored(page)).toHaveLength(2); // soft-deleted until the next deletion
});

it('are not called deleted where the browser refuses that, which is said', async () => {
  const driven = await list();
  const { page, train } = driven;
  await train(10);
  await page.getByRole('rowheader', { name: NAMES }).waitFor();
  await copyRun(page, 1);
  await driven.reload();
  await press(page, 'Dismiss');
  await page.evaluate(() => {
    const { prototype } = IDBObjectStore;
    const put = Object.getOwnPropertyDescriptor(prototype, 'put')!;
    prototype.put = () => {
      throw new DOMException('the disk is broken', 'UnknownError');
    };
    window.allowStorage = () => Object.defineProperty(prototype, 'put', put);
  });
  const row = page.locator('.runs-table tbody tr').nth(1);
  await row.getByRole('button', { name: /^Delete/ }).click();
  await notice(page).getByText('could not change the list').waitFor();
  expect(await page.getByText(/^Deleted:/).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(await rows(driven)).toHaveLength(2);
});

it.each(['New seed', 'Rewind'])('are saved as they are when “%s” ends them', async (name) => {
  const driven = await mount(['runs', 'notice'], 'names', { keeps: true, stepwise: true });
  const { page, start, advance } = driven;
  await start.click();
  await advance(37);
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('cell', { name: '37 of 60' }).waitFor();
});
