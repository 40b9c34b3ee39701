/** Opens model files saved by the page: the selected text and the continued run. */
import { expect, it } from 'vitest';
import { choose, stepTo } from '../browser/model-files.ts';
import { chooseHead } from './attention.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';
import { savedFile } from './saved-file.ts';

const mount = useComponents();

const OWN = 'anna\nhanna\nnina\n'.repeat(9);
const LEFT = 'This run started from random weights, without the opened model';

const isChecked =
  ({ page }: Component, name: string) =>
  () =>
    page.getByRole('radio', { name, exact: true }).isChecked();

it('opens a run that is at its end as such, to be trained further', async () => {
  const driven = await mount(['text', 'model', 'settings'], 'untouched');
  await choose(driven, await savedFile('end.safetensors', { steps: 5, until: 5 }));
  await driven.reach('finished');
  await driven.page.getByRole('button', { name: 'Train 5 more' }).click();
  await expect.poll(driven.step).toBe(10);
});

it('forgets what was saved once another run begins, and not before', async () => {
  const { page, run, oneStep, step, rest } = await mount('model', 'names', { step: 10 });
  const told = page.locator('[data-part=saved]');
  await page.getByRole('button', { name: 'Checkpoint', exact: true }).click();
  await expect.poll(() => told.textContent()).toMatch(/^Saved at step 10: /);
  await oneStep.click();
  await expect.poll(step).toBe(11);
  await rest();
  expect(await told.textContent()).toMatch(/^Saved at step 10: /);
  await page.getByRole('button', { name: 'New seed' }).click();
  await expect.poll(() => told.textContent()).toBe('');
  expect(await run.getByText(LEFT).count()).toBe(0);
});

it('says that a new seed and a twin begin without the opened model', async () => {
  const driven = await mount(['page', 'twin'], 'untouched');
  const { page, run, reach } = driven;
  const file = await savedFile('left.safetensors', { until: 3 });
  await choose(driven, file);
  await reach('paused');
  await page
    .locator('[data-part=twin-caution]')
    .getByText('A twin starts from random weights, without the opened model (left.safetensors).')
    .waitFor();
  await page.getByRole('button', { name: 'New seed' }).click();
  await run.getByText(`${LEFT} (left.safetensors).`).first().waitFor();
  await stepTo(driven, 1);
  await page.getByRole('button', { name: 'New seed' }).click();
  await expect.poll(driven.step).toBe(0);
  await expect.poll(() => run.getByText(LEFT).first().isVisible()).toBe(true);
  // Training on a new text starts with the file's weights for every seed.
  await choose(driven, file);
  await reach('paused');
  await page.getByRole('radio', { name: 'Learn the text' }).click();
  await reach('ready');
  // The file's settings differ from the preset, and its model is trained: the page must not call it
  // untrained at step 0.
  await page
    .getByText('As in the opened file, which differs from microgpt in: Channels.')
    .waitFor();
  await page.getByText('“Untrained” is unknown: this model came from a file').first().waitFor();
  const untrained = page.locator('#attention .habits tbody tr').first().getByRole('cell').nth(1);
  await expect.poll(() => untrained.textContent()).toBe('–');
  await page.getByRole('button', { name: 'New seed' }).click();
  await reach('ready');
  await expect.poll(() => run.getByText(LEFT).count()).toBe(0);
});

it.each([
  ['no text', ''],
  ['blanks', ' \n '],
  ['too little of one', 'a'],
])('finds the sample text of a checkpoint where there is %s', async (_, text) => {
  const driven = await mount(['text', 'model'], 'untouched');
  await driven.text.fill(text);
  await driven.rest();
  await choose(driven, await savedFile('at-2.safetensors', { until: 2 }));
  await expect.poll(isChecked(driven, 'Continue its run')).toBe(true);
  await expect.poll(() => driven.text.inputValue()).toContain('olivia');
  await driven.reach('paused');
  await expect.poll(driven.step).toBe(2);
  await stepTo(driven, 3);
});

it('finds the sample text of weights that know none of the characters before them', async () => {
  const driven = await mount(['text', 'model', 'attention'], 'untouched');
  const file = await savedFile('tang.safetensors', { source: 'tang', form: 'weights' });
  await choose(driven, file);
  await expect.poll(isChecked(driven, 'Tang poems (Chinese)')).toBe(true);
  await expect.poll(() => driven.probe.inputValue()).toMatch(/\p{Script=Han}/u);
  await driven.oneStep.click();
  await expect.poll(driven.step).toBe(1);
});

it('exchanges no text that somebody has written for that of a file', async () => {
  const driven = await mount(['text', 'model'], 'untouched');
  // The file's vocabulary lacks these letters.
  const own = 'liebe grüße aus münchen\n'.repeat(20);
  await driven.text.fill(own);
  await choose(driven, await savedFile('names.safetensors', { form: 'weights' }));
  await driven.page.getByText('no token for').first().waitFor();
  expect(await driven.text.inputValue()).toBe(own);
});

it.each([
  ['weights', 'opened only to write'],
  ['checkpoint', 'This is not the training text of the run'],
] as const)('exchanges no text that a lesson has fixed for that of %s', async (form, why) => {
  const driven = await mount(['text', 'model', 'loss'], 'tang', { lesson: 'lock=text' });
  await choose(driven, await savedFile('names.safetensors', { form }));
  await driven.run.getByText(why).first().waitFor();
  expect(await isChecked(driven, 'Tang poems (Chinese)')()).toBe(true);
});

it('says that a run goes on with the text that it learned from, if the field has another', async () => {
  const options = { hash: 'text=own', state: 'blocked' };
  const driven = await mount(['text', 'model'], 'untouched', options);
  await choose(driven, await savedFile('own.safetensors', { text: OWN, until: 2 }));
  await driven.run.getByText('paste or open its training text').first().waitFor();
  await driven.text.fill(OWN);
  await driven.reach('paused');
  await stepTo(driven, 3);
});

it('says that a run is damaged, and not that its text is missing, once that text is here', async () => {
  const driven = await mount(['text', 'model'], 'tang');
  const { page } = driven;
  const { buffer, ...named } = await savedFile('damaged.safetensors', { until: 2 });
  // The order of the documents is the last section of the file.
  await choose(driven, { ...named, buffer: buffer.fill(0xff, buffer.length - 1000) });
  await expect.poll(isChecked(driven, 'English names')).toBe(true);
  await page.locator('[data-part=model-why]').getByText('or it is damaged').waitFor();
  await driven.run.getByText('opened only to write').first().waitFor();
  await expect.poll(() => page.getByText('This is not the training text').count()).toBe(0);
});

it('looks at what an opened model writes that has no tokens for the probe, and says after a reload that it is gone', async () => {
  const driven = await mount(['text', 'model', 'attention'], 'untouched', { keeps: true });
  const { page, probe, reload } = driven;
  const text = 'xyz\nzyx\nyyz\n'.repeat(20);
  await choose(driven, await savedFile('xyz.safetensors', { text, until: 1 }));
  await expect.poll(() => probe.inputValue()).toMatch(/^[xyz]+$/);
  await expect.poll(() => page.locator('#attention').getByText('no token for').count()).toBe(0);
  await reload();
  const gone = page.locator('#model').getByText('open xyz.safetensors again');
  await gone.waitFor();
  await stepTo(driven, 1);
  await gone.waitFor({ state: 'hidden' });
  await reload();
  expect(await gone.count()).toBe(0);
});

it('only writes with a checkpoint of another text, until it is told otherwise', async () => {
  const driven = await mount('page', 'untouched');
  const { page, run, text, step, oneStep } = driven;
  await stepTo(driven, 4);
  await choose(driven, await savedFile('other.safetensors', { text: OWN, until: 2 }));
  const why = page.locator('[data-part=model-why]');
  await why.getByText('This is not the training text').waitFor();
  // Loss curves on the text in the field do not compare with a model trained on another text.
  const beside = page.locator('#loss').getByRole('checkbox', { name: /^Run 1/ });
  await expect.poll(() => beside.isChecked()).toBe(false);
  await expect.poll(step).toBe(2);
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await page.getByText('Written at step 2').waitFor();
  // The chart has no losses of the trained model, but the summary must not call it untrained.
  const told = page.locator('[data-part=loss-summary]');
  await told.filter({ hasText: /opened from a file, after 2 steps .* only writes/ }).waitFor();
  // The page disables the impossible actions and explains why.
  await run.getByText('This is not the training text of the run').first().waitFor();
  const goOn = page.getByRole('button', { name: 'Continue', exact: true });
  await expect.poll(() => goOn.isDisabled()).toBe(true);
  expect(await oneStep.isDisabled()).toBe(true);
  // The run continues once its text is in the field.
  await text.fill(OWN);
  await expect.poll(isChecked(driven, 'Continue its run')).toBe(true);
  await stepTo(driven, 3);
  // The file's run cannot continue with another text: the page says so before training starts, and
  // offers a way to keep the model.
  await text.fill('nina\nhanna\nina\n'.repeat(9));
  const leaves = run.getByText(/Changed: the text\. .*“Restart with these changes” starts from random weights, without the opened model\./); // prettier-ignore
  await leaves.waitFor();
  await expect.poll(() => why.textContent()).toContain('random weights');
  await page.getByRole('button', { name: 'Train the opened model' }).click();
  await leaves.waitFor({ state: 'hidden' });
  await expect.poll(isChecked(driven, 'Learn the text')).toBe(true);
  await page.getByRole('button', { name: 'Start a new model' }).click();
  await expect.poll(step).toBe(0);
  await page.getByText('The model starts from random weights.').waitFor();
});

it('knows no attention before training of a model whose weights came from a file', async () => {
  const driven = await mount(['page', 'attention'], 'untouched');
  const { page, reach } = driven;
  await choose(driven, await savedFile('given.safetensors', { until: 3 }));
  await reach('paused');
  await page.getByRole('radio', { name: 'Learn the text' }).click();
  await reach('ready');
  await chooseHead(page);
  await page
    .locator('[data-part=habit-missing]')
    .getByText('“Untrained” is unknown: this model came from a file')
    .waitFor();
});
