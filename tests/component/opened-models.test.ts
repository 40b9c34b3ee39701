/** Models from other programs: messages for files that open and for files that do not. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { focused } from '../browser/driver.ts';
import { choose, drop, fileAt, fileOf, useFolder, writeRaw } from '../browser/model-files.ts';
import { shardsOf } from '../node/shards.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';
import { savedFile } from './saved-file.ts';

const mount = useComponents();
const { folder } = useFolder();

const tiny = (name: string): string => join(import.meta.dirname, '../fixtures/gpt2-tiny', name);
const HUGGING_FACE = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'].map((name) =>
  fileAt(tiny(name)),
);
const whole = readFileSync(tiny('model.safetensors'));

/** Locators of the opened model's name and of the error for its files. */
const named = ({ page }: Component) => page.locator('[data-part=model-name]');
const error = ({ page }: Component) => page.locator('[data-part=model-error]');

it('says of a file too short for any header that it is no model, and brings that into sight', async () => {
  const driven = await mount('page', 'untouched', { viewport: { width: 390, height: 700 } });
  const { page } = driven;
  await drop(driven, fileOf('junk.safetensors', 'no'));
  const said = page.getByText('This is not a model file, or its beginning is damaged');
  await said.waitFor();
  const bottom = async (): Promise<number> => {
    const { y, height } = (await said.boundingBox())!;
    return y < 0 ? Infinity : y + height;
  };
  const bar = (await page.locator('#run').boundingBox())!;
  await expect.poll(bottom).toBeLessThanOrEqual(bar.y);
});

it('says what is wrong with files, and keeps the run', async () => {
  const driven = await mount('model', 'names', { step: 10 });
  const fixture = (name: string) => fileAt(tiny(name));
  const cut = fileOf('cut.safetensors', whole.subarray(0, -100));
  const noise = fileOf('noise.safetensors', 'this is no model at all, only a few words');
  for (const [said, ...files] of [
    [/not a model file, or its beginning is damaged/, noise],
    [/but its header says/, cut, fixture('config.json')],
    [/weights are missing/, fixture('config.json'), fixture('vocab.json')],
    [/not a model file, or its beginning is damaged/, fileOf('empty.safetensors', '')],
    [/several files of weights/, cut, fixture('model.safetensors')],
    [
      /Choose its vocabulary together with it/,
      fixture('config.json'),
      fixture('model.safetensors'),
    ],
    [/words\.txt is not a model/, fileOf('words.txt', 'a few words\n')],
  ] as const) {
    await choose(driven, ...files);
    await error(driven).getByText(said).waitFor();
  }
  expect(await driven.step()).toBe(10);
  // The error stays until the reader's next action.
  await driven.oneStep.click();
  await expect.poll(driven.step).toBe(11);
  await expect.poll(() => error(driven).textContent()).toBe('');
});

it('opens a model that is put where texts go, and the text stays', async () => {
  const driven = await mount(['text', 'model'], 'untouched');
  const before = await driven.text.inputValue();
  await driven.page
    .locator('#text input[type=file]')
    .setInputFiles(await savedFile('own.safetensors'));
  await expect.poll(() => named(driven).textContent()).toBe('own.safetensors');
  expect(await driven.text.inputValue()).toBe(before);
});

it('names all that stands in the way of a file for transformers, and leads to each option', async () => {
  const { page } = await mount(['settings', 'model'], 'names');
  await page.getByRole('button', { name: 'config.json', exact: true }).click();
  const refusal = page.locator('[data-part=save-error]');
  await refusal.filter({ hasText: /transformers does not support/ }).waitFor();
  // The message uses the form's names for the options, without other text.
  expect(await refusal.textContent()).toContain(
    'Normalisation RMSNorm, Learned gains off, Biases off, Normalise the input on, Normalise the output off.',
  );
  // The link unfolds the section of the option.
  await page.getByRole('button', { name: 'Normalise the input', exact: true }).click();
  await focused(page.getByRole('checkbox', { name: 'Normalise the input' }));
});

it('says what it does not open of several files, and loses nothing', async () => {
  const driven = await mount(['text', 'model'], 'untouched');
  const { page, text } = driven;
  await text.fill('mine');
  await drop(driven, fileOf('a.txt', 'a'), fileOf('b.txt', 'b'));
  const said = page.locator('[data-part=text-error]');
  await expect.poll(() => said.textContent()).toMatch(/^Only one text .* these 2 files/);
  expect(await text.inputValue()).toBe('mine');
  expect(await page.getByText('The weights are missing').count()).toBe(0);
  await drop(driven, ...HUGGING_FACE, fileOf('poems.txt', 'poems'));
  await named(driven).getByText('model.safetensors').waitFor();
  await expect.poll(() => said.textContent()).toMatch(/^poems\.txt was not opened/);
  expect(await text.inputValue()).toBe('mine');
});

/** Exports the weights to raw files. */
function rawFiles(...how: readonly string[]): Map<string, Uint8Array> {
  const into = mkdtempSync(join(folder, 'raw-'));
  writeRaw(into, ...how);
  return new Map(readdirSync(into).map((name) => [name, readFileSync(join(into, name))]));
}

it.each([
  ['shards', () => shardsOf(whole, 3), 'model.safetensors.index.json', 'model-00002-of-00003.safetensors'], // prettier-ignore
  ['one .bin', () => rawFiles(), 'gpt2.json', 'gpt2.bin'],
  ['a .bin for every tensor', () => rawFiles('--split'), 'gpt2.json', null],
])(
  'names the file that is missing or cut of a dropped model in %s, and keeps the model before',
  async (_, weights, main, known) => {
    const driven = await mount(['text', 'model'], 'untouched');
    const all = new Map(weights());
    const part = known ?? [...all.keys()].filter((name) => name.endsWith('.bin')).at(-1)!;
    for (const name of ['config.json', 'vocab.json', 'merges.txt']) {
      all.set(name, readFileSync(tiny(name)));
    }
    const dropAll = () => drop(driven, ...Array.from(all, ([name, bytes]) => fileOf(name, bytes)));
    await dropAll();
    await expect.poll(() => named(driven).textContent()).toBe(main);
    const content = all.get(part)!;
    all.delete(part);
    await dropAll();
    await error(driven).getByText(`The file ${part} of this model is missing`).waitFor();
    all.set(part, content.subarray(0, -4));
    await dropAll();
    await error(driven)
      .getByText(/ has [\d,]+ bytes, but should have [\d,]+/)
      .waitFor();
    // The page recognises the JSON as a model without the other files.
    await drop(driven, fileOf(main, all.get(main)!));
    await error(driven)
      .getByText(/ of this model is missing/)
      .waitFor();
    // Only the index links shards to each other.
    if (part.endsWith('.safetensors')) {
      all.delete(main);
      await dropAll();
      await error(driven)
        .getByText(/several files of weights/)
        .waitFor();
    }
    expect(await named(driven).textContent()).toBe(main);
  },
);
