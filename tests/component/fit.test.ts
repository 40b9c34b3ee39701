/** Suggested settings for the reader's own text: applied, offered, declined and undone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { objections } from '../browser/axe.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();
const open = (options?: MountOptions): Promise<Component> => mount('page', 'untouched', options);

const PROSE = readFileSync(join(import.meta.dirname, '../../public/texts/moby-dick-en.txt'), 'utf8')
  .replace(/\s+/g, ' ')
  .slice(2000, 5197);
const NAMES = 'anna\nbob\ncarla\ndora\nemil\nfrieda\ngustav\nhanna\n'.repeat(30);

type Mounted = Pick<Component, 'page'>;
const line = ({ page }: Mounted): Locator => page.locator('#fit').getByRole('status');
const said = (mounted: Mounted): Promise<string | null> => line(mounted).textContent();
const press = ({ page }: Mounted, name: string): Locator =>
  page.locator('#fit').getByRole('button', { name });
const hash = ({ page }: Mounted): Promise<string> => page.evaluate(() => location.hash);
const runBar = ({ page }: Mounted): Locator => page.locator('[data-part=run-message]');
/** The chosen preset, even if a lesson folds the list. */
const preset = ({ page }: Mounted): Promise<string | null> =>
  page
    .locator('#settings input[type=radio]:checked')
    .first()
    .evaluate((one) => one.closest('label')!.textContent);
const value = ({ page }: Mounted, name: string): Promise<string> =>
  page.getByLabel(name, { exact: true }).inputValue();
const isFocused = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => element === document.activeElement);

it('sets what suits a pasted text, says so, and has it in the address', async () => {
  const mounted = await open();
  await mounted.text.fill(PROSE);
  await expect
    .poll(() => said(mounted))
    .toMatch(/^Set for this text: running text of 3,197 characters.*by heart\.$/);
  expect(await hash(mounted)).toContain('preset=tinygpt');
  expect(await hash(mounted)).not.toContain('fit');
});

it('says after Undo what will not be learned, and fits again when asked', async () => {
  const mounted = await open();
  await mounted.text.fill(PROSE);
  await press(mounted, 'Undo').click();
  await expect.poll(() => said(mounted)).toMatch(/^Other settings would suit this text/);
  await expect
    .poll(() => runBar(mounted).textContent())
    .toMatch(/^99% of the text will not be learned: 1 line is longer/);
  expect(await isFocused(press(mounted, 'Use them'))).toBe(true);
  await mounted.page.getByRole('button', { name: 'Fit the settings to the text' }).click();
  await expect.poll(() => said(mounted)).toMatch(/^Set for this text/);
  await expect.poll(() => runBar(mounted).textContent()).toBe('');
});

it('leaves settings that were changed by hand, and offers others', async () => {
  const mounted = await open({ hash: 'layers=3' });
  await mounted.text.fill(PROSE);
  await expect.poll(() => said(mounted)).toMatch(/^Other settings would suit this text/);
  expect(await hash(mounted)).toBe('#text=own&preset=microgpt&layers=3');
});

it('offers declined settings not while one types on, but for the next text', async () => {
  const mounted = await open({ hash: 'layers=3' });
  await mounted.text.fill(PROSE);
  await press(mounted, 'Keep my settings').click();
  await expect.poll(() => said(mounted)).toBe('');
  await mounted.text.press('End');
  const fits = (): Promise<number> =>
    mounted.page.evaluate(
      () => window.stage.trainers!.control.calls.filter(([method]) => method === 'fit').length,
    );
  const before = await fits();
  await mounted.text.pressSequentially(' more');
  // The page asks the engine after a pause in typing.
  await expect.poll(fits).toBe(before + 1);
  await mounted.rest();
  expect(await said(mounted)).toBe('');
  await mounted.text.fill(NAMES);
  await expect.poll(() => said(mounted)).toMatch(/a list of 240 lines/);
});

it('gives a sample text its own settings, and fits the own text again after it', async () => {
  const mounted = await open();
  const { page } = mounted;
  await mounted.text.fill(NAMES);
  await expect.poll(() => said(mounted)).toMatch(/^Set for this text: a list of 240 lines/);
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await expect.poll(() => hash(mounted)).toBe('#text=moby&preset=gpt2&layers=2&steps=4000');
  await page.getByRole('radio', { name: 'Your own' }).check();
  await expect
    .poll(() => hash(mounted))
    .toBe('#text=own&preset=microgpt&validation=0.1&steps=1200');
});

it('fits the next run to a text that is pasted during one', async () => {
  const mounted = await open({ stepwise: true });
  await mounted.start.click();
  await mounted.advance(10);
  await mounted.text.fill(PROSE);
  await expect.poll(() => said(mounted)).toMatch(/^Set for this text/);
  await expect
    .poll(() => runBar(mounted).textContent())
    .toMatch(/The current run continues with its old settings/);
  expect(await mounted.page.locator('[data-part=step]').textContent()).toBe('10 / 5,000');
});

it.each(['en', 'zh'])('fits a phone of 360 pixels in %s, and axe finds nothing', async (lang) => {
  const { page } = await open({ hash: `lang=${lang}`, viewport: { width: 360, height: 740 } });
  await page
    .locator('#text textarea')
    .fill('12/03/21, 14:05 - Ada: are you there?\n12/03/21, 14:06 - Ben: yes\n'.repeat(40));
  await expect.poll(() => page.locator('#fit .buttons button').count()).toBe(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.locator('#fit .fold').click();
  expect(await objections(page, '#fit')).toEqual([]);
  for (const target of await page.locator('#fit button').all()) {
    expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(24);
  }
});

it('is reached by the keyboard after the text, and keeps the focus after each press', async () => {
  const mounted = await open();
  const { page, text } = mounted;
  await text.fill(PROSE);
  await press(mounted, 'Undo').waitFor();
  await text.focus();
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: now } = document;
      return now?.closest('#fit') === null ? '' : (now?.textContent ?? '');
    });
  for (let tabs = 0; tabs < 6 && (await focused()) === ''; tabs++) await page.keyboard.press('Tab');
  expect(await focused()).toBe('Undo');
  for (const next of ['Use them', 'Undo', 'Use them']) {
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe(next);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  // The line is empty: the keyboard focus is on the text again.
  await expect.poll(() => said(mounted)).toBe('');
  await mounted.rest();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('section')?.id)).toBe(
    'text-link',
  );
});

it('says what a preset chosen by hand would leave out, fits it, and undoes to that preset', async () => {
  const mounted = await open();
  await mounted.text.fill(PROSE);
  await press(mounted, 'Undo').waitFor();
  await mounted.page.getByRole('radio', { name: 'microgpt' }).check();
  await expect.poll(() => runBar(mounted).textContent()).toMatch(/^99% of the text will not be/);
  await expect.poll(() => said(mounted)).toBe('');
  await mounted.page.getByRole('button', { name: 'Fit the settings to the text' }).click();
  await expect.poll(() => hash(mounted)).toMatch(/preset=tinygpt.*steps=/);
  await expect.poll(() => runBar(mounted).textContent()).toBe('');
  await press(mounted, 'Undo').click();
  await expect.poll(() => hash(mounted)).toBe('#text=own&preset=microgpt');
});

it('leaves the seed to the reader: a new one keeps the fit, and a new text the seed', async () => {
  const mounted = await open({ hash: 'seed=7' });
  await mounted.text.fill(PROSE);
  await expect.poll(() => said(mounted)).toMatch(/^Set for this text/);
  expect(await hash(mounted)).toMatch(/(?=.*preset=tinygpt).*seed=7/);
  // Fixes the random seed: the recording contains answers for this seed only.
  await mounted.page.evaluate(() => {
    Math.random = () => 0.5;
  });
  await mounted.page.getByRole('button', { name: 'New seed' }).click();
  await expect.poll(() => hash(mounted)).not.toMatch(/seed=7(&|$)/);
  expect(await said(mounted)).toMatch(/^Set for this text/);
  const seed = /seed=\d+/.exec(await hash(mounted))![0];
  await mounted.text.fill(NAMES);
  await expect.poll(() => said(mounted)).toMatch(/^Set for this text: a list of 240/);
  expect(await hash(mounted)).toContain(seed);
});

it('says nothing of a text that is gone', async () => {
  const mounted = await open({ hash: 'layers=3' });
  await mounted.text.fill(PROSE);
  await press(mounted, 'Use them').waitFor();
  await mounted.text.fill('');
  await expect.poll(() => said(mounted)).toBe('');
});

it('moves nothing above it and nothing beside it while somebody types', async () => {
  const mounted = await open({
    text: 'the tide will take us home and the tide will',
    hash: 'text=own&fit=1',
  });
  const { page, text } = mounted;
  await press(mounted, 'Undo').waitFor();
  const places = (): Promise<readonly number[]> =>
    page.evaluate(() =>
      ['#text textarea', '#fit', '#text-check', '#run', '#loss'].map((css) =>
        Math.round(document.querySelector(css)!.getBoundingClientRect().top),
      ),
    );
  await page.locator('#samples.stream').waitFor();
  const before = await places();
  await text.press('End');
  await text.pressSequentially(' bring us back');
  await expect.poll(() => said(mounted)).toContain('58 characters');
  expect(await places()).toEqual(before);
});

describe('a text that comes with the page', () => {
  const own = 'text=own';

  it('without settings and the word fit means what it meant: microgpt', async () => {
    const mounted = await open({ text: PROSE, hash: own });
    expect(await preset(mounted)).toContain('(microgpt)');
    expect(await value(mounted, 'Steps')).toBe('5000');
    expect(await said(mounted)).toBe('');
  });

  it('with the word fit has settings that suit it, and keeps those that are named', async () => {
    const mounted = await open({ text: PROSE, hash: `${own}&fit=1&layers=3` });
    await expect.poll(() => said(mounted)).toMatch(/^Set for this text: running text/);
    expect(await preset(mounted)).toContain('(tinygpt)');
    expect(await value(mounted, 'Layers')).toBe('3');
    expect(await value(mounted, 'Steps')).not.toBe('2000');
  });

  it('with a preset beside the word fit has that preset', async () => {
    const mounted = await open({ text: PROSE, hash: `${own}&fit=1&preset=gpt2` });
    expect(await preset(mounted)).toContain('(gpt2)');
    expect(await value(mounted, 'Steps')).toBe('2000');
  });

  it('with the word fit leaves what the reader then changes', async () => {
    const mounted = await open({ text: PROSE, hash: `${own}&fit=1` });
    await expect.poll(() => said(mounted)).toMatch(/^Set for this text/);
    await mounted.page.getByLabel('Layers', { exact: true }).fill('3');
    await mounted.text.press('End');
    await mounted.text.pressSequentially(' more');
    await expect.poll(() => said(mounted)).toMatch(/^Other settings would suit/);
    expect(await value(mounted, 'Layers')).toBe('3');
  });
});

describe('a lesson with locked settings', () => {
  const lesson = 'lock=settings';
  const buttons = ({ page }: Mounted): Promise<number> =>
    page.locator('#fit .buttons button').count();

  it('offers none and changes none, whatever the reader pastes', async () => {
    const mounted = await open({ lesson, hash: 'steps=50' });
    await mounted.text.fill(PROSE);
    // The message names the excluded text; a lesson offers no correction.
    await mounted.page.getByText('of the text will not be learned').waitFor();
    await mounted.rest();
    expect(await preset(mounted)).toContain('(microgpt)');
    expect(await value(mounted, 'Steps')).toBe('50');
    expect([await said(mounted), await buttons(mounted)]).toEqual(['', 0]);
    const fit = mounted.page.getByRole('button', { name: 'Fit the settings to the text' });
    expect(await fit.count()).toBe(0);
  });

  it('keeps its preset under another sample text', async () => {
    const mounted = await open({ lesson });
    await mounted.page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await mounted.page.getByText('Moby-Dick by Herman Melville').waitFor();
    await mounted.rest();
    expect(await preset(mounted)).toContain('(microgpt)');
  });

  it('follows the text where it asks for fitted settings', async () => {
    const mounted = await open({ lesson, hash: 'text=names&fit=1' });
    expect(await preset(mounted)).toContain('(microgpt)');
    await mounted.text.fill(PROSE);
    await expect.poll(() => preset(mounted)).toContain('(tinygpt)');
    expect(await said(mounted)).toMatch(/^Set for this text/);
    expect(await buttons(mounted)).toBe(0);
  });
});
