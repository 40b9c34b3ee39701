/** Tests that runs survive any interruption and resume to identical bits. */
import { describe, expect, it } from 'vitest';
import { eventually, firstLoss, meanLoss, openTab, writtenTexts } from './driver.ts';
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
import { storedSaves, UnbrokenRun } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();
const tab = tabOf(site);

describe('a run that was interrupted', () => {
  it('comes back after a reload as it was, and ends with the bits of one that never stopped', async () => {
    const text = 'anna\nhanna\nnina\nannika\nhanne\n'.repeat(30);
    const driven = await site({ hash: SMALL });
    const { page } = driven;
    await driven.text.fill(text);
    await page.getByRole('radio', { name: 'microgpt' }).check();
    for (const [name, value] of [
      ['Channels', '16'],
      ['Layers', '1'],
      ['Steps', '900'],
    ] as const) {
      await page.getByRole('textbox', { name, exact: true }).fill(value);
    }
    await driven.reach('ready');
    const at = await trainTo(driven, 250);
    const before = {
      first: await firstLoss(driven),
      mean: await meanLoss(driven, '101–200'),
      samples: await writtenTexts(page),
    };
    await page.reload();
    await driven.reach('ready');
    await notice(page).getByText(`stopped at step ${at} of 900`).waitFor();
    await press(page, 'Open it');
    await driven.reach('paused');
    await expect.poll(() => driven.step()).toBe(at);
    await expect.poll(() => driven.text.inputValue()).toBe(text);
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue())
      .toBe('16');
    await expect.poll(() => firstLoss(driven)).toBe(before.first);
    await expect.poll(() => meanLoss(driven, '101–200')).toBe(before.mean);
    await expect.poll(() => writtenTexts(page)).toBe(before.samples);
    await fullSpeed(driven);
    await press(page, 'Continue');
    await driven.reach('finished');
    await savedAt(driven, 900);
    const [newest] = (await storedSaves(page)).filter((save) => save.newest);
    const unbroken = await UnbrokenRun.begin(text, small);
    expect(newest?.digest).toBe(await unbroken.digestAt(900, 'own'));
    unbroken.close();
    expect(driven.problems).toEqual([]);
  });

  it('is offered after its tab crashed, and trains on at once', async () => {
    // A crash ends the process that pages of a context share, so this page needs its own context.
    const first = await site({ hash: `${SMALL}&steps=100000`, options: {} });
    await first.start.click();
    const saved = await eventually(
      () => storedSaves(first.page),
      (saves) => saves.length > 0,
    );
    const session = await first.page.context().newCDPSession(first.page);
    const crashed = first.page.waitForEvent('crash');
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    const second = await tab(first);
    await notice(second.page)
      .getByText(/^A run on English names \(.+\) stopped/)
      .waitFor();
    await press(second.page, 'Continue the run');
    await second.reach('running');
    await eventually(second.step, (step) => step > (saved[0]?.step ?? 0));
    await expect
      .poll(() => second.page.getByRole('textbox', { name: 'Layers', exact: true }).inputValue())
      .toBe('1');
  });

  it('goes on from its last save, or from a later one, whenever the page is reloaded', async () => {
    const driven = await site({ hash: `${SMALL}&steps=100000` });
    const { page, start } = driven;
    await start.click();
    let kept = 0;
    for (let reloads = 0; reloads < 2; reloads++) {
      const saves = await eventually(
        () => storedSaves(page),
        (all) => all.some(({ newest, step }) => newest && step > kept),
      );
      await page.reload();
      const said = await notice(page)
        .getByText(/stopped at step/)
        .innerText();
      kept = Number(/stopped at step ([\d,]+)/.exec(said)?.[1]?.replaceAll(',', ''));
      expect(kept).toBeGreaterThanOrEqual(Math.max(...saves.map(({ step }) => step)));
      await press(page, 'Continue the run');
      await driven.reach('running');
      await eventually(driven.step, (now) => now > kept);
    }
    expect(driven.problems).toEqual([]);
  });

  it('trains on to the same bits when its reader stays on the page after all', async () => {
    const driven = await site({
      hash: SMALL,
      before: (page) =>
        page.addInitScript(() => {
          addEventListener('beforeunload', (event) => event.preventDefault());
        }),
    });
    const { page, start } = driven;
    await start.click();
    await eventually(driven.step, (now) => now >= 20);
    const asked = page.waitForEvent('dialog');
    const reload = page.evaluate(() => location.reload());
    const prompt = await asked;
    await prompt.dismiss();
    await reload;
    const stayed = await driven.step();
    await eventually(driven.step, (now) => now > stayed + 20);
    await fullSpeed(driven);
    await driven.reach('finished');
    await savedAt(driven, 900);
    const saves = await storedSaves(page);
    expect(new Set(saves.map(({ run }) => run)).size).toBe(1);
    const unbroken = await UnbrokenRun.begin(names, small);
    expect(saves.find((save) => save.newest)?.digest).toBe(await unbroken.digestAt(900, 'names'));
    unbroken.close();
    expect(driven.problems).toEqual([]);
  });

  it.each(['in a worker', 'on the page itself'])(
    'is saved once more %s when the page is left, as soon as the next one is asked for',
    async (place) => {
      const driven = await site({
        hash: `${SMALL}&steps=100000`,
        options: { serviceWorkers: 'block' },
        before: (page) =>
          page.addInitScript((worker: boolean) => {
            if (!worker) Reflect.deleteProperty(globalThis, 'Worker');
            // Slows the page's clock twentyfold, so that no periodic save is due.
            const now = performance.now.bind(performance);
            performance.now = () => now() / 20;
          }, place === 'in a worker'),
      });
      const { page, start } = driven;
      // Reads the store from a second page, because a page that waits for navigation does not
      // respond.
      const beside = await page.context().newPage();
      await beside.goto(siteUrl());
      await start.click();
      const before = await eventually(driven.step, (step) => step > 20);
      expect(await storedSaves(beside)).toEqual([]);
      await page.route(siteUrl(), async (route) => {
        // Delays the response: the old page lives until the response arrives.
        await eventually(
          () => storedSaves(beside),
          (saves) => saves.length > 0,
          15_000,
        );
        await route.continue();
      });
      await page.reload();
      const [saved] = await storedSaves(page);
      expect(saved?.step).toBeGreaterThanOrEqual(before);
      await page.getByRole('button', { name: 'Continue the run' }).waitFor();
    },
  );

  it('is offered after its tab was closed, until that is dismissed', async () => {
    const first = await site({ hash: SMALL });
    const at = await trainTo(first, 30);
    const next = await tab(first);
    await first.page.close();
    const third = await tab(next);
    await notice(third.page).getByText(`stopped at step ${at}`).waitFor();
    await press(third.page, 'Dismiss');
    await eventually(
      () => notice(third.page).innerText(),
      (text) => text.trim() === '',
    );
    await third.page.reload();
    await third.reach('ready');
    await openTab(third.page, 'Runs');
    await eventually(
      () => rows(third),
      (all) => all.length === 1,
    );
    expect((await notice(third.page).innerText()).trim()).toBe('');
  });

  it('gives the text back whose place that of the opened run takes', async () => {
    const driven = await site({ hash: SMALL });
    const learned = 'anna\nhanna\nnina\n'.repeat(20);
    await driven.text.fill(learned);
    await trainTo(driven, 20);
    await driven.text.fill('mended\n'.repeat(20));
    await driven.page.reload();
    await driven.reach('ready');
    await press(driven.page, 'Open it');
    await driven.reach('paused');
    await expect.poll(() => driven.text.inputValue()).toBe(learned);
    // The notice applies to that text only and disappears with another selection.
    const said = driven.page.getByText('This is the text of the run that was opened');
    const source = (name: string) => driven.page.getByRole('radio', { name });
    await said.waitFor();
    await source('Moby-Dick').check();
    await said.waitFor({ state: 'hidden' });
    await source('Your own').check();
    await press(driven.page, 'Back to the previous text');
    await eventually(
      () => driven.text.inputValue(),
      (text) => text === 'mended\n'.repeat(20),
    );
    await said.waitFor({ state: 'hidden' });
  });

  it('has all of a large text again, byte for byte, and not the part that the field shows', async () => {
    const driven = await site({ hash: SMALL });
    const { page } = driven;
    const lines = Array.from({ length: 90_000 }, (_, i) => `line ${String(i % 40_000)}`);
    const text = `${lines.join('\r\n')}\r\n`;
    const file = { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
    await page.locator('#text input[type=file]').setInputFiles(file);
    // The previous text stays ready until the file has been read.
    await page.getByText(/^large\.txt/).waitFor();
    await driven.reach('ready');
    await trainTo(driven, 20);
    await page.reload();
    await press(page, 'Open it');
    await driven.reach('paused');
    await page.getByRole('button', { name: 'Check the text' }).click();
    const repeats = page.getByText(/^Lines that repeat an earlier one: 50,000\./);
    await repeats.waitFor();
    // Selecting another text keeps the reader's own, which still matches the run.
    const source = (name: string) => page.getByRole('radio', { name });
    await source('Moby-Dick').check();
    await page.getByText('Changed: the text').waitFor();
    await source('Your own').check();
    await page.getByText(/^large\.txt/).waitFor();
    await page.getByText('Changed: the text').waitFor({ state: 'hidden' });
    await repeats.waitFor();
  });

  it('is taken from the save before when the newest one cannot be read', async () => {
    const driven = await site({ hash: SMALL });
    const { page } = driven;
    const before = await trainTo(driven, 30);
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === before + 1);
    await savedAt(driven, before + 1);
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open('glasshouse');
          opening.onsuccess = () => {
            const tx = opening.result.transaction('saves', 'readwrite');
            const all = tx.objectStore('saves').getAll();
            all.onsuccess = () => {
              const newest = all.result.at(-1) as { file: Blob };
              tx.objectStore('saves').put({ ...newest, file: newest.file.slice(0, 5000) });
            };
            tx.oncomplete = () => {
              opening.result.close();
              resolve(null);
            };
          };
        }),
    );
    await page.reload();
    await driven.reach('ready');
    await press(page, 'Open it');
    await driven.reach('paused');
    await expect.poll(() => driven.step()).toBe(before);
  });
});

it('is offered on a phone where the reader is, who was scrolled down when the page came anew', async () => {
  const driven = await site({ hash: SMALL, options: { viewport: { width: 390, height: 780 } } });
  const { page } = driven;
  await trainTo(driven, 20);
  const scroll = (top: number) =>
    page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
  await scroll(1500);
  await page.reload();
  const lead = page.getByRole('button', { name: 'An earlier run is saved: go to it' });
  await scroll(1500);
  await lead.waitFor();
  await scroll(0);
  await expect.poll(() => lead.isVisible()).toBe(false);
  const bar = () => page.locator('#run').boundingBox();
  const before = await bar();
  await scroll(1500);
  await lead.waitFor();
  // The button to the notice covers the place of the run's figures, so the run bar keeps its size.
  expect(await bar()).toEqual(before);
  await lead.click();
  await expect.poll(() => lead.isVisible()).toBe(false);
  const button = notice(page).getByRole('button').first();
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  await scroll(1500);
  await lead.waitFor();
  await driven.start.click();
  await expect.poll(() => lead.isVisible()).toBe(false);
  expect(driven.problems).toEqual([]);
});
