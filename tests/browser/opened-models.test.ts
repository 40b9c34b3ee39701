/** Tests that models from other programs open, in every file format. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withControlSigns } from '../../web/data/attention-data.ts';
import { byteAlphabet } from '../node/gpt2-vocabulary.ts';
import { shardsOf } from '../node/shards.ts';
import { canvasContent, eventually, holdBack, meanLoss } from './driver.ts';
import type { Driven } from './driver.ts';
import { choose, drop, fileAt, stepTo, useFolder, writeRaw } from './model-files.ts';
import { useSites } from './sites.ts';

const root = join(import.meta.dirname, '../..');
const tiny = (name: string): string => join(root, 'tests/fixtures/gpt2-tiny', name);
const HUGGING_FACE = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'];
const expected = JSON.parse(readFileSync(tiny('expected.json'), 'utf8')) as {
  texts: { text: string; ids: number[] }[];
  greedy: number[];
};

/** Decodes the fixture's expected greedy continuation. */
function greedyText(): string {
  const vocab = JSON.parse(readFileSync(tiny('vocab.json'), 'utf8')) as Record<string, number>;
  const shown = new Map(Object.entries(vocab).map(([token, id]) => [id, token]));
  const alphabet = byteAlphabet();
  const prompt = expected.texts[0]?.ids.length ?? 0;
  const bytes = expected.greedy
    .slice(prompt)
    .flatMap((id) => Array.from(shown.get(id)!, (letter) => alphabet.indexOf(letter)));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

describe('the page', () => {
  const site = useSites();
  const { folder, save } = useFolder();

  /** Creates a folder with the fixture's vocabulary; `write` adds the weights in another format. */
  function folderOf(name: string, write: (path: string) => void): string {
    const path = join(folder, name);
    mkdirSync(path);
    for (const file of ['vocab.json', 'merges.txt']) copyFileSync(tiny(file), join(path, file));
    write(path);
    return path;
  }

  /** Returns the model's continuation of the fixture's prompt. */
  async function answer({ page, prompt }: Driven): Promise<string | null> {
    await prompt.fill(expected.texts[0]?.text ?? '');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 0').waitFor();
    return page.locator('[data-part=answer]').textContent();
  }

  it('opens the files of GPT-2: it writes, shows its attention, and learns', async () => {
    const driven = await site({ hash: 'temperature=0&maxTokens=20' });
    const { page } = driven;
    await choose(driven, ...HUGGING_FACE.map(tiny));
    await page.getByText('297 tokens in its vocabulary').waitFor();
    await page.getByRole('radio', { name: 'Learn the text' }).waitFor({ state: 'attached' });

    // Write-only mode trains on no text, so the text check is hidden and tokens are not counted.
    const check = page.locator('#text-check');
    const tokens = page.locator('[data-part=plan-tokens]');
    await check.getByText(/^Possible problems|^Nothing to fix/).waitFor();
    await page.getByRole('radio', { name: 'Only write' }).click();
    await check.waitFor({ state: 'hidden' });
    await expect.poll(() => tokens.textContent()).toBe('–');
    await page.getByRole('radio', { name: 'Learn the text' }).click();
    await check.getByText(/^Possible problems|^Nothing to fix/).waitFor();

    await expect.poll(() => answer(driven)).toBe(withControlSigns(greedyText()));

    await driven.probe.fill('the other sea');
    await page.getByRole('radio', { name: /^Layer 2, head 4/ }).waitFor({ state: 'attached' });
    expect((await canvasContent(page.locator('.attention-canvas'))).colours).toBeGreaterThan(3);

    const layers = page.getByRole('textbox', { name: 'Layers', exact: true });
    await layers.fill('3');
    await page.getByText('Layers is set by the opened file.').first().waitFor();
    await page.getByRole('button', { name: 'Back to the file’s settings' }).waitFor();
    await layers.fill('2');
    await driven.reach('ready');

    await driven.text.fill('the sea and the whale in the other sea. '.repeat(40));
    await driven.reach('ready');
    await stepTo(driven, 4);
    await driven.rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await driven.start.click();
    await eventually(driven.step, (step) => step > 100);
    await driven.pause.click();
    await driven.reach('paused');
    await expect.poll(() => meanLoss(driven, '1–100')).toBeLessThan(Math.log(297));
    // Weights from a file have no seed, so the untrained model cannot be recomputed.
    await driven.probe.fill('the whale');
    await page.getByText('“Untrained” is unknown: this model came from a file').waitFor();

    const config = await save(driven, 'config.json', 'config.json');
    expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({ model_type: 'gpt2' });
    expect(readFileSync(await save(driven, 'vocab.json', 'vocab.json')).length).toBeGreaterThan(99);
    await save(driven, 'merges.txt', 'merges.txt');
    const tokenizer = await save(driven, 'tokenizer_config.json', 'tokenizer_config.json');
    expect(readFileSync(tokenizer, 'utf8')).toContain('GPT2Tokenizer');
    const weights = await save(driven, 'model.safetensors', 'model.safetensors');
    expect(readFileSync(weights).length).toBeGreaterThan(50_000);
    await choose(driven, ...HUGGING_FACE.map((name) => join(folder, name)));
    await driven.reach('ready');
    await page.getByText('297 tokens in its vocabulary').waitFor();
    expect(driven.problems).toEqual([]);
  });

  it('opens a model in shards and in both raw forms, chosen, dropped or as a folder', async () => {
    const shards = folderOf('shards', (into) => {
      copyFileSync(tiny('config.json'), join(into, 'config.json'));
      for (const [name, bytes] of shardsOf(readFileSync(tiny('model.safetensors')), 3)) {
        writeFileSync(join(into, name), bytes);
      }
      // Other files and subfolders are ignored.
      writeFileSync(join(into, 'README.md'), 'about this model');
      writeFileSync(join(into, 'tokenizer_config.json'), '{"model_max_length":1024}');
      mkdirSync(join(into, 'more'));
      writeFileSync(join(into, 'more/model.safetensors'), 'another model');
    });
    const [one, split] = [[], ['--split']].map((how) =>
      folderOf(`raw ${how.join()}`, (into) => {
        writeRaw(into, ...how);
      }),
    );
    const driven = await site({ hash: 'temperature=0&maxTokens=20' });
    const { page } = driven;
    const all = (path: string) =>
      readdirSync(path, { withFileTypes: true })
        .filter((one) => one.isFile())
        .map(({ name }) => join(path, name));
    const dropAll = (path: string) => drop(driven, ...all(path).map(fileAt));
    const index = 'model.safetensors.index.json';
    for (const [name, open] of [
      [index, () => page.locator('#model input[webkitdirectory]').setInputFiles(shards)],
      ['gpt2.json', () => choose(driven, ...all(one!))],
      [index, () => dropAll(shards)],
      ['gpt2.json', () => dropAll(split!)],
    ] as const) {
      await open();
      await expect.poll(() => page.locator('[data-part=model-name]').textContent()).toBe(name);
      await page.getByText('297 tokens in its vocabulary').waitFor();
      await page.getByText('Written at step 0').waitFor({ state: 'hidden' });
      expect(await answer(driven)).toBe(withControlSigns(greedyText()));
    }
    expect(driven.problems).toEqual([]);
  });

  it('opens a model that is dropped anywhere while the engine is on its way, in Chinese too', async () => {
    const { hold, letGo } = holdBack('**/*.wasm');
    const driven = await site({ hash: 'lang=zh', state: '', before: hold });
    const { page } = driven;
    await page.locator('#text').getByRole('radio').first().waitFor();
    await drop(driven, ...HUGGING_FACE.map((name) => fileAt(tiny(name))));
    letGo();
    await driven.reach('ready');
    await page.getByText('词表有 297 个词元').waitFor();
    await expect
      .poll(() => page.locator('[data-part=model-name]').textContent())
      .toBe('model.safetensors');
  });
});
