/** Nothing is lost: runs are saved as they go, stand in a list, and come back from it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRunFile } from '../../web/store/runs/run-file.ts';
import { eventually, saved, train } from './driver.ts';
import { siteUrl } from './harness.ts';
import {
  fullSpeed,
  names,
  notice,
  press,
  rows,
  savedAt,
  small,
  SMALL,
  tabOf,
  trainTo,
} from './kept-run-page.ts';
import { digest, storedSaves, UnbrokenRun } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();
const tab = tabOf(site);

describe('the list of runs', () => {
  it('names, downloads, deletes and brings back', async () => {
    const driven = await site({ hash: `${SMALL}&view=runs` });
    const { page } = driven;
    await page.getByText('No run is kept yet').waitFor();
    const at = await trainTo(driven, 20);
    await page
      .getByRole('rowheader', { name: 'English names (Layers 1, Channels 16, Steps 900)' })
      .waitFor();
    const field = page.getByRole('textbox', { name: 'Name of the run' });
    const rename = 'Rename: English names (Layers 1, Channels 16, Steps 900)';
    await press(page, rename);
    const given = () =>
      field.evaluate((one: HTMLInputElement) => [
        one.value,
        one.value.slice(one.selectionStart ?? 0, one.selectionEnd ?? 0),
      ]);
    expect(await given()).toEqual(Array(2).fill(rename.slice('Rename: '.length)));
    // Saved as it is, it is no name of the reader's: it has no other beside it.
    await page.keyboard.press('Enter');
    expect(await page.locator('.runs-about').innerText()).toBe('microgpt');
    await press(page, rename);
    await field.fill('My <b>first</b> run');
    // Pressed twice, it saves and no more.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'My <b>first</b> run' }).waitFor();
    expect(await field.isVisible()).toBe(false);
    await expect.poll(() => page.locator('.runs-table b').count()).toBe(0);

    const coming = page.waitForEvent('download');
    await press(page, 'Download: My <b>first</b> run');
    await press(page, 'Download the run');
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^glasshouse-run-My-b-first-b-run-[0-9a-f]{4}-step-${String(at)}\\.glasshouse$`),
    );
    const unbroken = await UnbrokenRun.begin(names, small);
    const file = new Blob([readFileSync(await download.path())]);
    const { facts, save } = await readRunFile(file, 'a');
    expect(facts.name).toBe('My <b>first</b> run');
    const checkpoint = new Uint8Array(await save.file.arrayBuffer());
    expect(digest(checkpoint)).toBe(await unbroken.digestAt(at, 'names'));
    unbroken.close();

    await press(page, 'Delete: My <b>first</b> run');
    await page.getByText('Deleted: My <b>first</b> run.').waitFor();
    await eventually(
      () => rows(driven),
      (all) => all.length === 0,
    );
    // The run goes on, but is not saved behind the reader's back.
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === at + 1);
    await press(page, 'Undo');
    await page.getByRole('rowheader', { name: 'My <b>first</b> run' }).waitFor();
    await page.getByText('that the browser allows').waitFor();
    expect(driven.problems).toEqual([]);
  });

  // Proves that deleting and bringing back by keys never sends the reader back to the beginning of
  // the page.
  it('keeps the focus of who deletes a run and brings it back', async () => {
    const driven = await site({ hash: `${SMALL}&view=runs` });
    const { page } = driven;
    await trainTo(driven, 20);
    await driven.rewind.click();
    await page.getByRole('textbox', { name: 'Channels', exact: true }).fill('32');
    await driven.reach('ready');
    await trainTo(driven, 20);
    const first = 'English names (Layers 1, Channels 32, Steps 900)';
    const second = 'English names (Layers 1, Channels 16, Steps 900)';
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const hasFocus = (name: string) =>
      expect.poll(() => button(name).evaluate((one) => one === document.activeElement)).toBe(true);
    for (const name of [second, first]) {
      await button(`Delete: ${name}`).focus();
      await page.keyboard.press('Enter');
      await page.getByText(`Deleted: ${name}.`).waitFor();
      await hasFocus('Undo');
      await page.keyboard.press('Enter');
      await hasFocus(`Delete: ${name}`);
    }
    // In another tab: what is there no more hands the focus to the run beside it.
    const other = await tab(driven, `${SMALL}&view=runs`);
    await button(`Rename: ${second}`).focus();
    await other.page.getByRole('button', { name: `Delete: ${second}` }).click();
    await hasFocus(`Open: ${first}`);
    // But not what is open in this one, for as long as it is.
    const remove = other.page.getByRole('button', { name: `Delete: ${first}` });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await expect
      .poll(() => remove.evaluate((one) => one.getAttribute('aria-describedby')))
      .toBe(await other.page.locator('.runs-place', { hasText: 'open in another tab' }).getAttribute('id')); // prettier-ignore
    await remove.press('Enter');
    await other.page.getByText('It is open in another tab, and can be deleted there').waitFor();
    expect((await rows(driven)).length).toBe(1);
    await page.close();
    const held = () =>
      other.page.evaluate(async () => (await navigator.locks.query()).held?.length);
    await expect.poll(held).toBe(0);
    await remove.press('Enter');
    await other.page.getByText(`Deleted: ${first}.`).waitFor();
  });

  it('is offered by the name that it was given', async () => {
    const driven = await site({ hash: `${SMALL}&view=runs` });
    const { page } = driven;
    await trainTo(driven, 20);
    await press(page, 'Rename: English names (Layers 1, Channels 16, Steps 900)');
    await page.getByRole('textbox', { name: 'Name of the run' }).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Mine' }).waitFor();
    await page.reload();
    await notice(page)
      .getByText(/^The run “Mine” stopped at step \d+ of 900 /)
      .waitFor();
  });

  it('has the name that it was given in its pictures, its files, and beside other runs', async () => {
    const driven = await site({ hash: 'layers=1&steps=40&view=runs' });
    const { page } = driven;
    await train(driven);
    await press(page, 'Rename: English names (Layers 1, Steps 40)');
    await page.getByRole('textbox', { name: 'Name of the run' }).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Mine' }).waitFor();
    const drawing = page.locator('#loss').getByRole('button', { name: 'Save as SVG' });
    const first = await saved(driven, drawing);
    expect(first.name).toBe('glasshouse-loss-Mine-step-40.svg');
    expect(first.text).toContain('>Mine: Smoothed<');
    await page.evaluate(() => {
      location.hash = 'layers=1&steps=40&seed=2&view=twin';
    });
    await press(page, 'Restart with these changes');
    const earlier = page.getByRole('list', { name: 'Earlier runs' });
    await earlier.getByRole('checkbox', { name: 'Run 1: Mine' }).waitFor();
    await page.getByRole('rowheader', { name: 'Run 1: Mine (Seed 42)' }).waitFor();
    await driven.reach('finished');
    const second = await saved(driven, drawing);
    expect(second.name).toBe('glasshouse-loss-names-microgpt-seed2-layers1-steps40-step-40.svg');
    expect(second.text).toContain('>English names (Seed 2, Layers 1, Steps 40): Smoothed<');
    expect(second.text).toContain('>Run 1: Mine<');
    expect(driven.problems).toEqual([]);
  });

  it('is in sight with all that can be done with it, however long its name', async () => {
    const size = { width: 1440, height: 900 };
    const driven = await site({ hash: `${SMALL}&view=runs`, options: { viewport: size } });
    const { page } = driven;
    await trainTo(driven, 20);
    await press(page, 'Rename: English names (Layers 1, Channels 16, Steps 900)');
    const name = 'a long name of a run '.repeat(9).slice(0, 80).trim();
    await page.getByRole('textbox', { name: 'Name of the run' }).fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name }).waitFor();
    const list = (await page.locator('.runs-list').boundingBox())!;
    const last = (await page.getByRole('button', { name: `Delete: ${name}` }).boundingBox())!;
    expect(last.x + last.width).toBeLessThanOrEqual(list.x + list.width);
  });

  it('opens another run in place of the one under way, which stays in the list', async () => {
    const driven = await site({ hash: `${SMALL}&view=runs` });
    const { page } = driven;
    const first = await trainTo(driven, 40);
    await page.getByRole('radio', { name: 'Tang poems (Chinese)' }).check();
    await press(page, 'Restart with these changes');
    await eventually(driven.step, (step) => step > 0);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await eventually(
      () => rows(driven),
      (all) => all.length === 2,
    );
    const name = 'Open: English names (Layers 1, Channels 16, Steps 900)';
    const open = page.getByRole('button', { name });
    await open.press('Enter');
    await eventually(driven.step, (step) => step === first);
    // It rests now, and the keyboard is still there.
    await expect.poll(() => open.getAttribute('aria-disabled')).toBe('true');
    expect(await open.evaluate((one) => one === document.activeElement)).toBe(true);
    // Said where it was pressed, too: what else changes is out of sight from there.
    const row = page.getByRole('row').filter({ hasText: 'English names' });
    await row
      .getByRole('status')
      .filter({ hasText: `Opened, at step ${first}.` })
      .waitFor();
    await expect
      .poll(() => page.getByRole('radio', { name: 'English names' }).isChecked())
      .toBe(true);
    expect((await rows(driven)).length).toBe(2);
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === first + 1);
    await savedAt(driven, first + 1);
    expect((await rows(driven)).length).toBe(2);
    await press(page, 'New seed');
    await eventually(
      () => page.getByText('Opened, at step').count(),
      (count) => count === 0,
    );
  });

  it('numbers runs that are equal in all that their names say', async () => {
    const driven = await site({ hash: 'channels=16&layers=1&steps=40&view=runs' });
    const { page } = driven;
    const name = 'English names (Layers 1, Channels 16, Steps 40)';
    for (const count of [1, 2]) {
      await driven.start.click();
      await driven.reach('finished');
      await eventually(
        () => rows(driven),
        (all) => all.length === count,
      );
      await driven.rewind.click();
      await eventually(driven.step, (step) => step === 0);
    }
    await page.getByRole('rowheader', { name: `${name}, no. 2` }).waitFor();
    await press(page, `Rename: ${name}, no. 2`);
    await page.getByRole('textbox', { name: 'Name of the run' }).fill('Again');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Again' }).waitFor();
    await press(page, `Delete: ${name}`);
    await page.getByText(`Deleted: ${name}.`).waitFor();
    expect((await rows(driven)).length).toBe(1);
  });

  it('opens a finished run as such, as old as it was, with a probe that gives way to another text’s', async () => {
    const driven = await site({ hash: 'channels=16&layers=1&steps=60&view=runs' });
    const { page } = driven;
    await driven.text.fill('Zebra 7\nOkapi 8\nYak 9\n'.repeat(40));
    await driven.reach('ready');
    await driven.start.click();
    await driven.reach('finished');
    await savedAt(driven, 60);
    const saved = await storedSaves(page);
    await page.reload();
    await driven.reach('ready');
    await notice(page).getByText('finished its 60 steps').waitFor();
    await press(page, 'Open it');
    await driven.reach('finished');
    // What is no longer taken up by a run that is over is for a new one, and said so.
    const rate = page.getByRole('textbox', { name: /^Learning rate/ }).first();
    const usual = await rate.inputValue();
    await rate.fill('0.0123');
    await page
      .locator('#run')
      .getByText(/^Changed: Learning rate/)
      .waitFor();
    await rate.fill(usual);
    const probe = page.getByRole('textbox', { name: 'Look at this text' }).first();
    await expect.poll(() => probe.inputValue()).toBe('Zebra 7');
    await page.getByRole('radio', { name: 'English names' }).check();
    await press(page, 'Restart with these changes');
    await driven.reach('finished');
    await eventually(
      () => probe.inputValue(),
      (text) => text !== 'Zebra 7',
    );
    await expect.poll(() => page.locator('#attention .error:visible').count()).toBe(0);
    // Looking at it made it no newer: the same saves, and those of the new run.
    const after = await storedSaves(page);
    const old = new Set(saved.map(({ run }) => run));
    expect(after.filter(({ run }) => old.has(run))).toEqual(saved);
    expect(driven.problems).toEqual([]);
  });

  it('lets several tabs save at once, and never two under one name', async () => {
    const first = await site({ hash: `${SMALL}&steps=100000&view=runs` });
    await first.start.click();
    await eventually(
      () => rows(first),
      (all) => all.length === 1,
    );
    // What another tab is working on is not offered, and opened there it is a run of its own.
    const second = await tab(first, 'view=runs');
    await second.page.getByText('open in another tab').waitFor();
    expect((await notice(second.page).innerText()).trim()).toBe('');
    await press(second.page, 'Open: English names (Layers 1, Channels 16, Steps 100,000)');
    await second.reach('running');
    const both = await eventually(
      () => storedSaves(second.page),
      (saves) => new Set(saves.map(({ run }) => run)).size === 2,
    );
    const unbroken = await UnbrokenRun.begin(names, {
      preset: 'microgpt',
      changes: { channels: 16, layers: 1, steps: 100_000 },
    });
    for (const save of [...both].sort((a, b) => a.step - b.step)) {
      expect(save.digest).toBe(await unbroken.digestAt(save.step, 'names'));
    }
    unbroken.close();
  });
});

it('goes on saving after the browser has closed its database, as Safari does to tabs behind', async () => {
  const driven = await site({
    hash: SMALL,
    before: (page) =>
      page.addInitScript(() => {
        const databases: IDBDatabase[] = [];
        const open = indexedDB.open.bind(indexedDB);
        IDBFactory.prototype.open = (...how) => {
          const request = open(...how);
          request.addEventListener('success', () => databases.push(request.result));
          return request;
        };
        Object.assign(globalThis, {
          closeAll: () => {
            for (const one of databases) one.close();
          },
        });
      }),
  });
  await driven.start.click();
  await eventually(
    () => storedSaves(driven.page),
    (saves) => saves.length > 0,
  );
  await driven.page.evaluate(() => {
    (globalThis as unknown as { closeAll: () => void }).closeAll();
  });
  await driven.pause.click();
  await driven.reach('paused');
  await savedAt(driven, await driven.step());
  expect((await driven.page.locator('#notice').innerText()).trim()).toBe('');
});

describe('where nothing can be kept', () => {
  const denials: Record<string, () => void> = {
    'reading the property throws': () => {
      Object.defineProperty(globalThis, 'indexedDB', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    },
    'opening is refused': () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('denied', 'InvalidStateError');
      };
    },
  };

  it.each(Object.entries(denials))('because %s: says so once, and trains', async (_, deny) => {
    const driven = await site({
      hash: `${SMALL}&view=runs`,
      before: (page) => page.addInitScript(deny),
    });
    const { page } = driven;
    await page.getByText('This browser keeps nothing for this page, as in').waitFor();
    await driven.start.click();
    await notice(page).getByText('so the run ends with the tab').waitFor();
    await press(page, 'OK');
    await fullSpeed(driven);
    await driven.reach('finished');
    await driven.rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    expect((await notice(page).innerText()).trim()).toBe('');
    expect(driven.problems).toEqual([]);
  });

  it('because the frame is sandboxed: trains all the same', async () => {
    const page = await (await site()).page.context().newPage();
    await page.setContent(
      `<iframe sandbox="allow-scripts" width="900" height="700" src="${siteUrl(`#${SMALL}`)}"></iframe>`,
    );
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Start', exact: true }).click();
    await frame.getByText('so the run ends with the tab').waitFor();
    await frame.getByRole('combobox', { name: 'Speed' }).selectOption('Full');
    await frame.locator('#run[data-state="finished"]').waitFor({ state: 'attached' });
  });

  it('because there is no more room: says so, trains, and saves again when there is', async () => {
    const driven = await site({ hash: 'steps=900&pace=100&view=runs' });
    const { page } = driven;
    const session = await page.context().newCDPSession(page);
    const { origin } = new URL(siteUrl());
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 });
    await driven.start.click();
    await notice(page).getByText('no more room for saved runs').waitFor();
    await expect.poll(() => storedSaves(page)).toEqual([]);
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    await eventually(
      () => rows(driven),
      (all) => all.length === 1,
    );
    await fullSpeed(driven);
    await driven.reach('finished');
    expect(driven.problems).toEqual([]);
  });
});

describe('a run that diverges', () => {
  it('says when and why, and goes back to its last good state with a gentler rate', async () => {
    const driven = await site({ hash: `${SMALL}&schedule=constant&weight_decay=10` });
    const { page } = driven;
    const at = await trainTo(driven, 60);
    const rate = page.getByRole('textbox', { name: /^Learning rate/ }).first();
    await rate.fill('10');
    await press(page, 'Continue');
    await driven.reach('diverged');
    await notice(page).getByText(`At step ${at} the run was still fine.`).waitFor();
    await notice(page).getByText('The learning rate, 10, is probably too large').waitFor();
    await press(page, `Back to step ${at}, learning rate 0.001`);
    await driven.reach('paused');
    await expect.poll(() => driven.step()).toBe(at);
    await expect.poll(() => rate.inputValue()).toBe('0.001');
    // Every step before is still there to be looked at.
    const stamp = page.locator('#samples li .stamp').first();
    await driven.lookBack.fill('37');
    await expect.poll(() => stamp.textContent()).toBe('step 37');
    await driven.lookBack.press('End');
    await press(page, 'Continue');
    await eventually(driven.step, (step) => step > at + 50);
    await driven.pause.click();
    await driven.reach('paused');
    const end = await driven.step();
    await savedAt(driven, end);
    // As if the large rate had never been.
    const unbroken = await UnbrokenRun.begin(names, {
      preset: 'microgpt',
      changes: { ...small.changes, schedule: 0, weight_decay: 10 },
    });
    const [newest] = (await storedSaves(page)).filter((save) => save.newest);
    expect(newest?.digest).toBe(await unbroken.digestAt(end, 'names'));
    unbroken.close();
  });
});
