/**
 * Twins with a changed text on recorded runs: shuffled, without some lines, and with more seeds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused, openTab } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();
const TEN = 'anna bella clara dora emilia frieda gudrun hannelore zxqvwkk irmgard'.split(' ');
const sample = join(import.meta.dirname, '../../public/texts/first-names-en.txt');
/** The first thousand names of the sample text. */
const THOUSAND = readFileSync(sample, 'utf8').split('\n').slice(0, 1000).join('\n');

/** Mounts a run on ten names, which memorises them. */
const byHeart = (options: MountOptions = { step: 60 }): Promise<Component> =>
  mount(['twin', 'settings', 'text'], 'lines', { text: TEN.join('\n'), ...options });

const leaveOut = (page: Page): { readonly field: Locator; readonly go: Locator } => ({
  field: page.getByRole('textbox', { name: 'Lines to leave out' }),
  go: page.getByRole('button', { name: 'Train a twin without them' }),
});

it('trains a control on shuffled letters, and names the loss that no model gets below', async () => {
  const options = { text: THOUSAND, hash: 'validation=0.1', step: 60 };
  const { page, reach } = await mount(['twin', 'text'], 'control', options);
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('button', { name: 'letters', exact: true }).click();
  const said = panel.getByText(/no model gets below \d\.\d+ nats per token/);
  await said.waitFor();
  await reach('finished');
  const best = Number(/below (\d\.\d+) nats/.exec((await said.textContent()) ?? '')?.[1]);
  const validation = panel.locator('tbody tr').first().locator('td[data-label^=Validation]');
  await expect.poll(() => validation.textContent()).toMatch(/^\d/);
  const lost = parseFloat((await validation.textContent()) ?? '');
  expect(lost).toBeGreaterThan(best - 0.03);
  expect(lost).toBeLessThan(best + 0.3);
});

it('makes each control of the text as it was, and puts that back', async () => {
  const options = { text: THOUSAND, hash: 'validation=0.1', step: 60 };
  const { page, reach, rest, text } = await mount(['twin', 'text'], 'control', options);
  const before = await text.inputValue();
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('button', { name: 'letters', exact: true }).click();
  await reach('finished');
  await expect.poll(async () => (await text.inputValue()) === before).toBe(false);
  const letters = await text.inputValue();
  // Waits for the end of the shuffled run: `reach` may have seen the previous run's end.
  await rest();
  // Each name is one word. The refusal leaves the text unchanged.
  await panel.getByRole('button', { name: 'words', exact: true }).click();
  await panel.getByText(/^No line has several words/).waitFor();
  expect(await text.inputValue()).toBe(letters);
  await panel.getByRole('button', { name: 'lines', exact: true }).click();
  await panel.getByText(/^The lines are in another order/).waitFor();
  const sorted = (of: string): string => of.split('\n').sort().join('\n');
  await expect.poll(async () => sorted(await text.inputValue())).toBe(sorted(before));
  expect(await text.inputValue()).not.toBe(before);
  await panel.getByRole('button', { name: 'Put the text back' }).click();
  await expect.poll(() => text.inputValue()).toBe(before);
});

it('trains a twin without lines only beside a finished run, and of lines that there are', async () => {
  const { oneStep, page, reach, step } = await byHeart({ stepwise: true });
  const { field, go } = leaveOut(page);
  await oneStep.click();
  await expect.poll(step).toBe(1);
  await field.fill('1');
  await go.click();
  await page.getByText('Finish this run first').waitFor();
  await page.evaluate(() => (window.stage.trainers!.control.stepwise = false));
  await page.getByRole('button', { name: 'Continue' }).click();
  await reach('finished');
  await field.fill('11');
  await go.click();
  await page.getByText('Write numbers of lines that are not empty').waitFor();
});

it('says how much of two lines was learned by heart, by a twin that has not read them', async () => {
  const { page } = await byHeart();
  const { field, go } = leaveOut(page);
  await field.fill('9, 1');
  await go.click();
  const said = page.getByText(/^Loss on these lines: /);
  await said.waitFor();
  const [, seen, unseen] = /: ([\d.]+) nats .* ([\d.]+) if not/.exec(
    (await said.textContent()) ?? '',
  )!;
  expect(Number(unseen)).toBeGreaterThan(Number(seen) + 1);
  await page.getByRole('rowheader', { name: '9: zxqvwkk' }).waitFor();
  await page.getByRole('rowheader', { name: 'This run: Left-out parts 2' }).waitFor();
});

it('offers no repetition with other seeds of a run that was changed on the way', async () => {
  const { page, run, reach } = await byHeart();
  const again = page.getByRole('button', { name: /^Is it chance\?/ });
  const { field, go } = leaveOut(page);
  await page.getByRole('button', { name: 'Train 60 more' }).click();
  await expect.poll(() => run.locator('[data-part=step]').textContent()).toBe('120 / 120');
  await reach('finished');
  await field.fill('9, 1');
  await go.click();
  await page.getByText(/^Loss on these lines: /).waitFor();
  expect(await again.filter({ visible: true }).count()).toBe(0);
});

it('measures lines by whole texts, though another text is stopped meanwhile', async () => {
  const ids = ['twin', 'settings', 'text', 'ask'];
  const { page, hold } = await mount(ids, 'lines', { text: TEN.join('\n'), step: 60 });
  const { field, go } = leaveOut(page);
  await hold('sample');
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await field.fill('9');
  await go.click();
  await page.locator('#ask').getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText(/^Loss on this line: /).waitFor();
  const row = page.locator('tr', { has: page.getByRole('rowheader', { name: '9: zxqvwkk' }) });
  expect(await row.innerText()).toMatch(/\tzxqvwkk\tzxq/);
});

/** A half-trained twin without two of the lines. */
async function almostTwin(): Promise<Component> {
  const component = await byHeart();
  const { advance, page, reach } = component;
  await page.evaluate(() => (window.stage.trainers!.control.stepwise = true));
  const { field, go } = leaveOut(page);
  await field.fill('9, 1');
  await go.click();
  await reach('running');
  await advance(30);
  return component;
}

it('says why a twin could not be measured', async () => {
  const { advance, fail, page } = await almostTwin();
  await fail('analyse', 'allocation');
  await advance(60);
  await page.getByRole('tabpanel').getByText('The browser refused').waitFor();
});

it('says nothing of a twin whose engine was closed while it was measured', async () => {
  const { advance, fail, page, rest } = await almostTwin();
  await fail('analyse', 'worker');
  await advance(60);
  await rest();
  expect(await page.getByRole('tabpanel').locator('.error:visible').count()).toBe(0);
});

it('measures a twin again that was rewound while it was measured', async () => {
  const { advance, hold, page, reach, release, rest, rewind, start } = await almostTwin();
  const said = page.getByText(/^Loss on these lines: /);
  await hold('analyse');
  await advance(60);
  await rewind.click();
  await reach('ready');
  await release('analyse');
  await rest();
  expect(await said.count()).toBe(0);
  await start.click();
  await reach('running');
  await advance(60);
  await said.waitFor();
});

it('trains a run with all lines before another twin without some', async () => {
  const { page, reach } = await byHeart();
  const { field, go } = leaveOut(page);
  await field.fill('9, 1');
  await go.click();
  await page.getByText(/^Loss on these lines: /).waitFor();
  // A press during the twin's last step is ignored.
  await reach('finished');
  await field.fill('２-３');
  await go.click();
  await page.getByText(/^This run was itself trained without some lines/).waitFor();
  await page.getByRole('button', { name: 'Train a run with all lines' }).click();
  await page.getByRole('rowheader', { name: 'This run: Left-out parts 0' }).waitFor();
  await reach('finished');
  await go.click();
  await page.getByText(/^Loss on these lines: /).waitFor();
  await page.getByRole('rowheader', { name: '3: clara' }).waitFor();
});

it('names left-out parts among the changed settings, and leaves none out of the text of a control', async () => {
  const { page, reach } = await byHeart();
  const { field, go } = leaveOut(page);
  await field.fill('9');
  await go.click();
  const changed = page.locator('[data-part=preset-changed]');
  await expect.poll(() => changed.textContent()).toContain('Left-out parts');
  await page.getByRole('button', { name: 'letters', exact: true }).click();
  await page.getByRole('rowheader', { name: /^This run: .*Left-out parts 0/ }).waitFor();
  await reach('finished');
  await expect.poll(() => changed.textContent()).not.toContain('Left-out parts');
});

it('keeps left-out lines of a sample text in the address, so that a link makes the same twin', async () => {
  const { page } = await mount('twin', 'whole', { step: 60 });
  const { field, go } = leaveOut(page);
  await field.fill('2');
  await go.click();
  // Sixty steps read sixty of many lines; the left-out line is not among them.
  await page.getByText(/^Both models have exactly the same loss on this line/).waitFor();
  const inAddress = /left_out=\d+(:|%3A)\d+/;
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(inAddress);
  const hash = inAddress.exec(page.url())![0];
  const losses = page.getByRole('region', { name: 'The runs side by side' }).locator('tbody td:first-of-type'); // prettier-ignore
  const loss = await losses.first().textContent();
  const other = await mount('twin', 'whole', { step: 60, hash });
  await other.page.getByRole('button', { name: 'Train the twin', exact: true }).click();
  await expect.poll(() => losses.nth(1).textContent()).toBe(loss);
});

it('trains both runs of a pair with two more seeds, and says whether the difference may be chance', async () => {
  const { page, reach } = await mount(['twin', 'settings'], 'held', { step: 60 });
  const panel = page.getByRole('tabpanel');
  const go = panel.getByRole('button', { name: 'Is it chance? Train both with 2 more seeds' });
  expect(await go.isVisible()).toBe(false);
  await panel.getByRole('button', { name: 'Train the twin', exact: true }).click();
  await go.press('Enter');
  const said = panel.getByText(/^With 3 seeds “Learning rate 0.0\d” is [\d.]+ nats per token below/); // prettier-ignore
  await said.waitFor();
  expect(await said.textContent()).toContain('(paired t-test, 5% level)');
  const rows = panel
    .getByRole('table', { name: /^The same two runs with other seeds, in nats/ })
    .locator('tbody tr');
  expect(await rows.getByRole('rowheader').allTextContents()).toEqual(['Seed 42', 'Seed 43', 'Seed 44']); // prettier-ignore
  // The original pair comes first, each run in its own column.
  const values = 'td[data-label^=Validation]';
  const sideBySide = panel.getByRole('region', { name: 'The runs side by side' }).locator('tbody tr'); // prettier-ignore
  expect((await rows.first().locator('td').allTextContents()).slice(0, 2)).toEqual(
    await sideBySide.locator(values).allTextContents(),
  );
  // A run of the page with one of the other seeds has the same loss.
  const other = (await rows.nth(1).locator('td').first().textContent()) ?? '';
  await page.getByRole('textbox', { name: 'Seed', exact: true }).fill('43');
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await reach('finished');
  await expect.poll(() => sideBySide.first().locator(values).textContent()).toBe(other);
  // The verdict disappears, because the pair has changed.
  await said.waitFor({ state: 'hidden' });
});

/** Repeats a pair of runs in a second trainer and stops it in the middle of training. */
async function again(): Promise<
  Component & { readonly go: Locator; readonly open: () => Promise<number> }
> {
  const component = await mount('twin', 'held', { step: 60 });
  const { page, reach } = component;
  await page.getByRole('button', { name: 'Train the twin', exact: true }).click();
  await reach('finished');
  await page.evaluate(() => (window.stage.trainers!.control.stepwise = true));
  const go = page.getByRole('button', { name: 'Is it chance?' });
  await go.press('Enter');
  await page.getByText(/^Run \d of 4: step [\d,]+ of 60/).waitFor();
  const open = (): Promise<number> => page.evaluate(() => window.stage.trainers!.count);
  await expect.poll(open).toBe(2);
  return Object.assign(component, { go, open });
}

it('stops training a pair again at a press, and keeps the focus where it can begin again', async () => {
  const { go, open, page } = await again();
  const stop = page.getByRole('button', { name: 'Stop these runs' });
  await focused(stop);
  await stop.press('Enter');
  await focused(go);
  await expect.poll(open).toBe(1);
});

it('stops training a pair again when another run takes its place', async () => {
  const { open, page } = await again();
  await page.getByRole('button', { name: 'New seed' }).click();
  await expect.poll(open).toBe(1);
});

it('leads from a copied line to a twin without it, and tells with three seeds that it is no chance', async () => {
  const ids = ['take-away', 'copied', 'twin'];
  const { page } = await mount(ids, 'lines', { text: TEN.join('\n'), step: 60 });
  await openTab(page, 'Copied or new?');
  const copied = page.locator('.tab-copied');
  await copied.getByRole('textbox', { name: 'Check a text' }).fill('zxqvwkk');
  await copied.locator('[data-part=copied-found] .text-mark').press('Enter');
  const note = page.getByRole('dialog', { name: 'Line 9 of your text' });
  await note.getByRole('button', { name: 'Would it write this without that line?' }).press('Enter');
  const { field, go } = leaveOut(page);
  await focused(go);
  await expect.poll(() => field.inputValue()).toBe('9');
  await go.press('Enter');
  await page.getByText(/^Loss on this line: /).waitFor();
  await page.getByRole('button', { name: 'Is it chance?' }).press('Enter');
  const said = page.getByText(/^With 3 seeds “With these lines” is [\d.]+ nats per token below/);
  await said.waitFor();
  expect(await said.textContent()).toContain('more than chance');
});
