/** The reader's own text works at once: the settings follow it, unless somebody chose them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { objections } from './axe.ts';
import { eventually, openTab, train } from './driver.ts';
import type { Driven } from './driver.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();
const PROSE = readFileSync(join(import.meta.dirname, '../../public/texts/moby-dick-en.txt'), 'utf8')
  .replace(/\s+/g, ' ')
  .slice(2000, 5197);
const NAMES = 'anna\nbob\ncarla\ndora\nemil\nfrieda\ngustav\nhanna\n'.repeat(30);

const line = ({ page }: Driven) => page.locator('#fit').getByRole('status');
const press = ({ page }: Driven, name: string) =>
  page.locator('#fit').getByRole('button', { name });
const hash = ({ page }: Driven): Promise<string> => page.evaluate(() => location.hash);
const strip = ({ page }: Driven) => page.locator('[data-part=run-message]');

it('sets what suits a pasted text and says so; Undo goes back, and Start says what would be lost', async () => {
  const driven = await site();
  const { page, problems } = driven;
  await driven.text.fill(PROSE);
  await expect
    .poll(() => line(driven).textContent())
    .toMatch(/^Set for this text: running text of 3,197 characters.*by heart\.$/);
  expect(await hash(driven)).toContain('preset=tinygpt');
  expect(await hash(driven)).not.toContain('fit');
  await press(driven, 'Undo').click();
  await expect
    .poll(() => line(driven).textContent())
    .toMatch(/^Other settings would suit this text/);
  await expect
    .poll(() => strip(driven).textContent())
    .toMatch(/^99% of the text will not be learned: 1 line is longer/);
  // The press that stood there is gone: the focus is on the next one.
  expect(await press(driven, 'Use them').evaluate((one) => one === document.activeElement)).toBe(
    true,
  );
  await page.getByRole('button', { name: 'Fit the settings to the text' }).click();
  await expect.poll(() => line(driven).textContent()).toMatch(/^Set for this text/);
  await expect.poll(() => strip(driven).textContent()).toBe('');
  expect(problems).toEqual([]);
});

it('leaves settings that were changed by hand, and offers others only once', async () => {
  const driven = await site({ hash: 'layers=3' });
  await driven.text.fill(PROSE);
  await expect
    .poll(() => line(driven).textContent())
    .toMatch(/^Other settings would suit this text/);
  expect(await hash(driven)).toBe('#text=own&layers=3');
  await press(driven, 'Keep my settings').click();
  await expect.poll(() => line(driven).textContent()).toBe('');
  await driven.text.press('End');
  await driven.text.pressSequentially(' more');
  await driven.reach('ready');
  expect(await line(driven).textContent()).toBe('');
  await driven.text.fill(NAMES);
  await expect.poll(() => line(driven).textContent()).toMatch(/a list of 240 lines/);
});

it('goes on fitting after a reload, and a sample text brings its own settings', async () => {
  const driven = await site();
  const { page } = driven;
  await driven.text.fill(PROSE);
  await expect.poll(() => hash(driven)).toContain('steps=');
  await page.reload();
  await driven.reach('ready');
  await expect.poll(() => hash(driven)).toContain('preset=tinygpt');
  await driven.text.fill(NAMES);
  await expect
    .poll(() => line(driven).textContent())
    .toMatch(/^Set for this text: a list of 240 lines/);
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await expect.poll(() => hash(driven)).toBe('#text=moby');
  await page.getByRole('radio', { name: 'Your own' }).check();
  await expect.poll(() => hash(driven)).toMatch(/^#text=own&validation=0.1&steps=\d+$/);
});

it('fits the next run where a text is pasted during one, which stays what it was', async () => {
  const driven = await site({ hash: 'pace=30' });
  const { page } = driven;
  await driven.start.click();
  await eventually(driven.step, (step) => step > 3);
  await driven.text.fill(PROSE);
  await expect.poll(() => line(driven).textContent()).toMatch(/^Set for this text/);
  await expect
    .poll(() => strip(driven).textContent())
    .toMatch(/The current run carries on as it began/);
  expect(await page.locator('[data-part=step]').textContent()).toMatch(/\/ 5,000$/);
});

it('learns what it is given: a run of a short paragraph writes its sentence before it ends', async () => {
  const driven = await site();
  const { page, problems } = driven;
  await driven.text.fill('the tide will take us home and the tide will bring us back. '.repeat(10));
  await expect.poll(() => line(driven).textContent()).toMatch(/by heart/);
  await driven.start.click();
  await expect
    .poll(() => page.locator('#samples').innerText(), { timeout: 50_000 })
    .toMatch(/the tide will (take us home|bring us back)/);
  expect(problems).toEqual([]);
});

it('fits a phone of 360 pixels in both languages, and axe finds nothing in it', async () => {
  for (const lang of ['en', 'zh']) {
    const viewport = { width: 360, height: 740 };
    const { page } = await site({ hash: `lang=${lang}`, options: { viewport } });
    await page
      .locator('#text textarea')
      .fill('12/03/21, 14:05 - Ada: are you there?\n12/03/21, 14:06 - Ben: yes\n'.repeat(40));
    await expect.poll(() => page.locator('#fit .buttons button').count()).toBe(2);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await page.locator('#fit .fold').click();
    expect(await objections(page, '#fit')).toEqual([]);
    const targets = page.locator('#fit button');
    for (let at = 0; at < (await targets.count()); at++) {
      expect((await targets.nth(at).boundingBox())!.height).toBeGreaterThanOrEqual(24);
    }
  }
});

it('is reached by the keyboard after the text, and the focus stays in it after each press', async () => {
  const driven = await site();
  const { page } = driven;
  await driven.text.fill(PROSE);
  await press(driven, 'Undo').waitFor();
  await driven.text.focus();
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: now } = document;
      return now?.closest('#fit') === null ? '' : (now?.textContent ?? '');
    });
  for (let tabs = 0; tabs < 6 && (await focused()) === ''; tabs++) await page.keyboard.press('Tab');
  for (const [name, next] of [
    ['Undo', 'Use them'],
    ['Use them', 'Undo'],
  ] as const) {
    expect(await focused()).toBe(name);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe(next);
  }
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Use them');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  // Nothing is left in the line: the keyboard goes on from the text.
  await expect.poll(() => line(driven).textContent()).toBe('');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('.panel')?.id)).not.toBe('');
});

it('says at Start what a preset that was chosen by hand would leave out, and cures it', async () => {
  const driven = await site();
  const { page } = driven;
  await driven.text.fill(PROSE);
  await press(driven, 'Undo').waitFor();
  await page.getByRole('radio', { name: 'microgpt' }).check();
  await expect.poll(() => strip(driven).textContent()).toMatch(/^99% of the text will not be/);
  expect(await line(driven).textContent()).toBe('');
  await page.getByRole('button', { name: 'Fit the settings to the text' }).click();
  await expect.poll(() => hash(driven)).toMatch(/preset=tinygpt.*steps=/);
  await expect.poll(() => strip(driven).textContent()).toBe('');
  // The way back leads to what was chosen by hand.
  await press(driven, 'Undo').click();
  await expect.poll(() => hash(driven)).toBe('#text=own');
});

it('leaves the seed to the reader: another one is no other settings, and stays', async () => {
  const driven = await site({ hash: 'seed=7' });
  await driven.text.fill(PROSE);
  await expect.poll(() => line(driven).textContent()).toMatch(/^Set for this text/);
  expect(await hash(driven)).toMatch(/preset=tinygpt.*&seed=7|seed=7.*preset=tinygpt/);
  await driven.page.getByRole('button', { name: 'New seed' }).click();
  await expect.poll(() => hash(driven)).not.toMatch(/seed=7(&|$)/);
  expect(await line(driven).textContent()).toMatch(/^Set for this text/);
  const seed = /seed=\d+/.exec(await hash(driven))![0];
  await driven.text.fill(NAMES);
  await expect.poll(() => line(driven).textContent()).toMatch(/^Set for this text: a list of 240/);
  expect(await hash(driven)).toContain(seed);
});

it('says nothing of a text that is gone, and nothing of another text than that of an opened run', async () => {
  const driven = await site({ hash: 'steps=20' });
  const { page } = driven;
  await driven.text.fill(NAMES);
  await press(driven, 'Keep my settings').click();
  await train(driven);
  await eventually(
    () => storedSaves(page),
    (saves) => saves.length === 1,
  );
  await page.getByRole('button', { name: 'New seed' }).click();
  await train(driven);
  await driven.text.fill(PROSE);
  await press(driven, 'Use them').waitFor();
  await driven.text.fill('');
  await expect.poll(() => line(driven).textContent()).toBe('');
  await driven.text.fill(PROSE);
  await press(driven, 'Use them').waitFor();
  await openTab(page, 'Runs');
  await page
    .locator('#closer')
    .getByRole('button', { name: 'Open: Own text (Steps 20)', exact: true })
    .click();
  await expect.poll(() => driven.text.inputValue()).toBe(NAMES);
  await expect.poll(() => line(driven).textContent()).toBe('');
});

it('moves nothing above it and nothing beside it while somebody types', async () => {
  const driven = await site({ hash: 'text=own', state: 'blocked' });
  const { page } = driven;
  await driven.text.pressSequentially('the tide will take us home', { delay: 5 });
  await press(driven, 'Undo').waitFor();
  const places = (): Promise<readonly number[]> =>
    page.evaluate(() =>
      ['#text textarea', '#fit', '#doctor', '#run', '#loss'].map((css) =>
        Math.round(document.querySelector(css)!.getBoundingClientRect().top),
      ),
    );
  await driven.reach('ready');
  // Running text has more room than names, from the frame in which it is known to be that.
  await page.locator('#samples.stream').waitFor();
  const before = await places();
  await driven.text.pressSequentially(' and bring us back', { delay: 5 });
  await expect.poll(() => line(driven).textContent()).toContain('44 characters');
  expect(await places()).toEqual(before);
});
