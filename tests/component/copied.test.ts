/** Copied text on recorded runs: marks on all generated text, and table entries that disappear. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused, openTab, saved } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions, RecordingName } from './mount.ts';

const mount = useComponents();

/** Two lines that a small model soon memorises. */
const HEART = 'one two three four five\nonce I caught a fish alive\n'.repeat(6);
const RHYME =
  'one two three four five\nonce I caught a fish alive\nsix seven eight nine ten\nthen I let it go again\n';

/**
 * Opens the tab after the run has finished, because a second trainer indexes the text and starts
 * with the model of that moment.
 */
async function opened(
  recording: RecordingName,
  panels: readonly string[] = [],
  options: MountOptions = {},
): Promise<Component> {
  const ids = ['twin', 'copied', ...panels];
  const component = await mount(ids, recording, { step: Infinity, ...options });
  await openTab(component.page, 'Copied or new?');
  return component;
}

const markCopied = (page: Page): Promise<void> =>
  page.getByRole('checkbox', { name: /^Mark copied parts/ }).check();

async function downloaded(
  { page }: Component,
  form: string,
): Promise<{ name: string; text: string }> {
  const button = page.locator('.tab-copied').getByRole('button', { name: form });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return {
    name: download.suggestedFilename(),
    text: readFileSync(await download.path(), 'utf8'),
  };
}

it('marks copied parts once its box is ticked, which opening its tab does not', async () => {
  const { page } = await mount(['twin', 'copied', 'samples'], 'heart', { text: HEART, step: 100 });
  const marks = page.locator('#samples .text-mark');
  expect(await marks.count()).toBe(0);
  await openTab(page, 'Copied or new?');
  await page.getByText(/^The longest match with your text/).waitFor();
  expect(await marks.count()).toBe(0);
  await markCopied(page);
  await marks.first().waitFor();
  await page.getByRole('checkbox', { name: /^Mark copied parts/ }).uncheck();
  await expect.poll(() => marks.count()).toBe(0);
});

it('says that it looks up what stands beside it, and does not wait for it to be written', async () => {
  const { hold, page } = await mount(['twin', 'copied'], 'heart', { text: HEART, step: 100 });
  await hold('trace');
  await openTab(page, 'Copied or new?');
  await page.getByText('Looking up what the model has written…').waitFor();
  expect(await page.getByText('When the model has written something').count()).toBe(0);
});

it('looks up again what failed, once its tab is chosen again', async () => {
  const { fail, page } = await mount(['twin', 'copied'], 'heart', { text: HEART, step: 100 });
  await fail('trace', 'script');
  await openTab(page, 'Copied or new?');
  const failed = page.locator('[data-part=copied-status]', { hasText: 'could not be loaded' });
  await failed.waitFor();
  await fail('trace', null);
  await openTab(page, 'Twins');
  await openTab(page, 'Copied or new?');
  await page.getByText(/^The longest match with your text/).waitFor();
  expect(await failed.count()).toBe(0);
});

it('marks copied parts once they are looked up, though another language was chosen meanwhile', async () => {
  const { hold, page, release } = await mount(['twin', 'copied', 'samples'], 'heart', {
    ...{ text: HEART, step: 100 },
  });
  await hold('trace');
  await openTab(page, 'Copied or new?');
  await markCopied(page);
  await page.getByText('Looking up what the model has written…').waitFor();
  await page.locator('#lang').selectOption('zh');
  await page.getByText('正在查模型写出的文字…').waitFor();
  await release('trace');
  await page.locator('#samples .text-mark').first().waitFor();
  await page.locator('.tab-copied').getByText('95%').waitFor();
});

it('says how long the longest copied part is, with how long one is by chance', async () => {
  const { page } = await opened('heart', [], { text: HEART });
  const tab = page.locator('.tab-copied');
  await tab
    .getByText(/^The longest match with your text at step \d+ has \d+ characters?/)
    .waitFor();
  await tab.getByText(/95% of its matches .* would be at most \d+ character/).waitFor();
});

it('leads from a mark to its place in the text by keyboard, and back', async () => {
  const { page } = await opened('heart', ['samples'], { text: HEART });
  await markCopied(page);
  const mark = page.locator('#samples .text-mark').first();
  const written = (await mark.textContent()) ?? '';
  expect(HEART).toContain(written.trim());
  await mark.press('Enter');
  const note = page.getByRole('dialog', { name: /^Line \d+ of your text/ });
  await note.waitFor();
  expect(await note.locator('mark').textContent()).toBe(written);
  await page.keyboard.press('Escape');
  await note.waitFor({ state: 'hidden' });
  await focused(mark);
});

it('says how many written names stand in the text, and how many of the held-out lines do', async () => {
  const { page } = await opened('held');
  const tab = page.locator('.tab-copied');
  await tab
    .getByText(
      /^Of the 6 texts written at step 60, \d (is a whole line|are whole lines) of your text\.(?! The rest)/,
    )
    .waitFor();
  await tab.getByText(/^Of the held-out lines, [\d.]+% are in the rest/).waitFor();
});

it('looks the texts of another run up in its place', async () => {
  const { advance, page, reach } = await opened('held', ['settings'], { stepwise: true });
  const tab = page.locator('.tab-copied');
  await tab.getByText(/written at step 60, /).waitFor();
  await page.getByRole('textbox', { name: 'Steps', exact: true }).fill('10');
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await reach('running');
  await tab.getByText(/written at step 0, /).waitFor();
  await advance(10);
  await tab.getByText(/written at step 10, /).waitFor();
  // Two trainers: the run and its index. The index of the first run is closed.
  await expect.poll(() => page.evaluate(() => window.stage.trainers!.count)).toBe(2);
});

it('checks a text that was typed: a whole line that may be chance, a new word, and one too long', async () => {
  const { page } = await opened('held');
  const tab = page.locator('.tab-copied');
  const field = tab.getByRole('textbox', { name: 'Check a text' });
  await field.fill('anna\nzaphodine');
  const found = tab.locator('[data-part=copied-found] .text-mark');
  await expect.poll(() => found.allTextContents()).toEqual(['anna']);
  const chance = '1 line of it is also a whole line of your text; that alone may be chance.';
  await tab.getByText(chance, { exact: true }).waitFor();
  expect(await found.getAttribute('title')).toMatch(/^A whole line .* this short .* by chance$/);
  await found.click();
  await page.getByRole('dialog', { name: /^Line \d+ of your text/ }).waitFor();
  await page.keyboard.press('Escape');
  await field.fill('zaphodine');
  await tab.getByText('No match longer than chance.').waitFor();
  await field.fill('a'.repeat(20_001));
  await tab.getByText('At most 20,000 characters can be checked here.').waitFor();
});

it('says between which tables the loss lies', async () => {
  const { page } = await opened('held');
  const rows = page.locator('[data-part=baselines] li');
  await expect.poll(() => rows.count()).toBe(8);
  const losses = (await rows.locator('.figure').allTextContents()).map(Number);
  expect(losses).toEqual([...losses].sort((a, b) => b - a));
  const names = await rows.evaluateAll((all) =>
    all.map((one) => ({ name: one.textContent, own: one.ariaCurrent !== null })),
  );
  const own = names.findIndex((one) => one.own);
  expect(names[own]!.name).toMatch(/^Your model/);
  const name = (at: number): string => names[at]!.name.replace(/[\d.]+$/, '');
  await page
    .locator('[data-part=baselines-said]')
    .getByText(`Your model beats “${name(own - 1)}”, but not “${name(own + 1)}”.`) // prettier-ignore
    .waitFor();
});

it('draws the losses of tables into the loss curve once their box is ticked', async () => {
  const { page } = await opened('held', ['loss']);
  await expect.poll(() => page.locator('[data-part=baselines] li').count()).toBe(8);
  const curve = page.locator('#loss canvas').first();
  const picture = (): Promise<string> =>
    curve.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const drawn = await picture();
  await page.getByRole('checkbox', { name: 'Show the first tables in the loss curve' }).check();
  await expect.poll(async () => (await picture()) === drawn).toBe(false);
});

it('lets a table write', async () => {
  const { page } = await opened('held');
  const tab = page.locator('.tab-copied');
  await tab.getByRole('button', { name: 'Write', exact: true }).click();
  await expect.poll(() => tab.locator('[data-part=table-text]').textContent()).toMatch(/[a-z]{3}/);
});

it('explains each table by a press, by keyboard too', async () => {
  const { page } = await opened('held');
  const rows = page.locator('[data-part=baselines] li');
  await expect.poll(() => rows.count()).toBe(8);
  for (const [name, explained] of [
    ['Guessing', /^Random guessing/],
    ['Last 2 tokens', /^Table of the last tokens/],
  ] as const) {
    const row = rows.getByRole('button', { name, exact: true });
    await row.press('Enter');
    await page.getByRole('dialog', { name: explained }).waitFor();
    // Rows that are redrawn keep the focus.
    await page.getByRole('checkbox', { name: 'Mark copied parts in everything it writes' }).dispatchEvent('change'); // prettier-ignore
    await page.keyboard.press('Escape');
    await focused(row);
  }
});

it('saves as JSON and CSV what it found, with the run, and with the losses that it shows', async () => {
  const component = await opened('whole');
  const rows = component.page.locator('[data-part=baselines] li');
  await expect.poll(() => rows.count()).toBe(8);
  const losses = await rows.locator('.figure').allTextContents();
  const { name, text } = await downloaded(component, 'JSON');
  expect(name).toMatch(/^glasshouse-copied-names-.*-step-60\.json$/);
  const json = JSON.parse(text) as Readonly<Record<string, object>>;
  expect(json.run).toMatchObject({
    line: expect.stringMatching(/^gh1-microgpt-s42-60-/) as string,
    options: { steps: 60, validation: 0 },
    text_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(json.texts).toHaveLength(6);
  expect(json.yardsticks).toMatchObject({ of: 'left-out', model: { of: 'training', step: 60 } });
  const { yardsticks } = json.yardsticks as { yardsticks: { readonly nats: number }[] };
  const told = yardsticks.map(({ nats }) => nats.toFixed(2));
  expect(losses.map((loss) => Number(loss).toFixed(2))).toEqual(expect.arrayContaining(told));
  expect(json.memorised).toMatchObject({ prompts: { heldOut: 0, train: 32 } });
  const { text: csv } = await downloaded(component, 'CSV');
  const kinds = csv.split('\r\n').map((line) => line.split(',')[0]);
  expect(new Set(kinds.filter((kind) => kind !== 'part'))).toEqual(
    new Set(['row', 'base', 'table', 'model', 'memorised', '']),
  );
});

it('puts the model beside the tables in the report', async () => {
  const component = await opened('whole');
  const { page } = component;
  await expect.poll(() => page.locator('[data-part=baselines] li').count()).toBe(8);
  await openTab(page, 'Export');
  const { path } = await saved(component, page.getByRole('button', { name: 'Save the report' }));
  const report = await page.context().newPage();
  await report.setContent(readFileSync(path, 'utf8'));
  await report.getByText(/each token scored as if it were not in the text, in nats per token, bits per character/).waitFor(); // prettier-ignore
  const table = report.getByRole('table').filter({ hasText: 'Guessing' });
  await table.getByRole('rowheader', { name: 'Your model' }).waitFor();
  expect(await table.getByRole('row').count()).toBe(9);
  await report.close();
});

it('marks the rest of a copied part that begins within another, as many as it counts', async () => {
  const { page } = await opened('stream', [], { text: RHYME.repeat(4) });
  const tab = page.locator('.tab-copied');
  const [first, last] = ['once I caught a fish alive\nsix seven eight nine ten\nthen I ', 'caught a fish alive\nsix seven']; // prettier-ignore
  await tab.getByRole('textbox', { name: 'Check a text' }).fill(`${first}${last}`);
  await tab.getByText(/^2 matches with your text/).waitFor();
  const marks = tab.locator('[data-part=copied-found] .text-mark');
  await expect.poll(() => marks.allTextContents()).toEqual([first, last]);
  // The note of the second mark shows the whole match, including letters that the first mark
  // covers.
  await marks.last().click();
  const note = page.getByRole('dialog', { name: /^Line \d+ of your text/ });
  expect(await note.locator('mark').textContent()).toBe(` I ${last}`);
});

it('marks nothing in the text of one line without held-out text, and says why', async () => {
  const text = RHYME.replaceAll('\n', ' ').repeat(4);
  const { page } = await opened('stream', ['samples'], { text });
  const tab = page.locator('.tab-copied');
  await tab.getByText(/^Your text is a single line and nothing is held out/).waitFor();
  expect(await tab.textContent()).not.toContain('95%');
  expect(await tab.locator('[data-part=copied-said]').textContent()).toBe('');
  expect(await page.locator('#samples .text-mark').count()).toBe(0);
});

it('says nothing of reading while no run can begin', async () => {
  const { page } = await mount(['copied', 'text'], 'stream', { text: 'a', state: '' });
  await page.getByText(/a context of 8 needs at least/).first().waitFor(); // prettier-ignore
  const status = page.locator('[data-part=copied-status]');
  await status.getByText(/^When the model has written something/).waitFor();
});
