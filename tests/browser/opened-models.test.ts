/** Models from elsewhere: what others made opens, what is damaged does no harm. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withControlSigns } from '../../web/data/attention-data.ts';
import { shardsOf } from '../node/shards.ts';
import { canvasContent, eventually, holdBack, meanLoss } from './driver.ts';
import type { Driven } from './driver.ts';
import { choose, stepTo, useFolder } from './model-files.ts';
import { useSites } from './sites.ts';

const root = join(import.meta.dirname, '../..');
const tiny = (name: string): string => join(root, 'tests/fixtures/gpt2-tiny', name);
const HUGGING_FACE = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'];
const expected = JSON.parse(readFileSync(tiny('expected.json'), 'utf8')) as {
  texts: { text: string; ids: number[] }[];
  greedy: number[];
};

/** What the fixture's greedy tokens say after its prompt, as text. */
function greedyText(): string {
  const vocab = JSON.parse(readFileSync(tiny('vocab.json'), 'utf8')) as Record<string, number>;
  const shown = new Map(Object.entries(vocab).map(([token, id]) => [id, token]));
  // GPT-2 shows a byte that is no visible character as one from U+0100 on.
  const visible = (byte: number): boolean =>
    (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  const hidden = [...Array(256).keys()].filter((byte) => !visible(byte));
  const byteOf = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const at = hidden.indexOf(byte);
    byteOf.set(String.fromCodePoint(at < 0 ? byte : 256 + at), byte);
  }
  const prompt = expected.texts[0]?.ids.length ?? 0;
  const bytes = expected.greedy
    .slice(prompt)
    .flatMap((id) => Array.from(shown.get(id) ?? '', (letter) => byteOf.get(letter) ?? 63));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

describe('the page', () => {
  const site = useSites();
  const { folder, save } = useFolder();

  /** Drops files somewhere on the page. */
  async function drop(
    { page }: Driven,
    files: Iterable<readonly [name: string, bytes: Uint8Array]>,
  ): Promise<void> {
    const all = [...files].map(([name, bytes]) => {
      return { name, base64: Buffer.from(bytes).toString('base64') };
    });
    await page.evaluate((dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of dropped) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    }, all);
  }

  /** The fixture in a folder of its own in another form: `write` puts the weights there. */
  function folderOf(name: string, write: (path: string) => void): string {
    const path = join(folder, name);
    mkdirSync(path);
    for (const file of ['vocab.json', 'merges.txt']) copyFileSync(tiny(file), join(path, file));
    write(path);
    return path;
  }

  /** What it greedily says after the prompt of the fixture. */
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

    // A model that only writes learns no text: none is looked over, and none is counted.
    const check = page.locator('#doctor');
    const tokens = page.locator('[data-part=plan-tokens]');
    await check.getByText(/^Worth a look|^Nothing to fix/).waitFor();
    await page.getByRole('radio', { name: 'Only write' }).click();
    await check.waitFor({ state: 'hidden' });
    await eventually(
      () => tokens.textContent(),
      (text) => text === '–',
    );
    await page.getByRole('radio', { name: 'Learn the text' }).click();
    await check.getByText(/^Worth a look|^Nothing to fix/).waitFor();

    await expect.poll(() => answer(driven)).toBe(withControlSigns(greedyText()));

    await driven.probe.fill('the other sea');
    await page.getByRole('radio', { name: /^Layer 2, head 4/ }).waitFor({ state: 'attached' });
    expect((await canvasContent(page.locator('.attention-canvas'))).colours).toBeGreaterThan(3);

    const layers = page.getByRole('textbox', { name: 'Layers', exact: true });
    await layers.fill('3');
    await page.getByText('Layers belongs to the model in the file.').first().waitFor();
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
    // No seed gives the weights that came from a file: another text asks for them in vain.
    await driven.probe.fill('the whale');
    await page.getByText('“Untrained” is not known: this model came from a file').waitFor();

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

  it('opens a model in shards, chosen as a folder or dropped; what is missing or cut is named', async () => {
    const shards = shardsOf(readFileSync(tiny('model.safetensors')), 3);
    const path = folderOf('shards', (into) => {
      copyFileSync(tiny('config.json'), join(into, 'config.json'));
      for (const [name, bytes] of shards) writeFileSync(join(into, name), bytes);
      // What else lies in such folders is not looked at.
      writeFileSync(join(into, 'README.md'), 'about this model');
      writeFileSync(join(into, 'tokenizer_config.json'), '{"model_max_length":1024}');
      mkdirSync(join(into, 'more'));
      writeFileSync(join(into, 'more/model.safetensors'), 'another model');
    });
    const driven = await site({ hash: 'temperature=0&maxTokens=20' });
    const { page } = driven;
    await page.locator('#model input[webkitdirectory]').setInputFiles(path);
    await page.getByText('297 tokens in its vocabulary').waitFor();
    await expect.poll(() => answer(driven)).toBe(withControlSigns(greedyText()));

    const all = new Map(shards);
    for (const name of ['config.json', 'vocab.json', 'merges.txt']) {
      all.set(name, readFileSync(tiny(name)));
    }
    const second = 'model-00002-of-00003.safetensors';
    const whole = all.get(second)!;
    const error = page.locator('[data-part=model-error]');
    all.delete(second);
    await drop(driven, all);
    await error.getByText(`${second} belongs to this model and is missing`).waitFor();
    all.set(second, whole.subarray(0, whole.length - 4));
    await drop(driven, all);
    await error.getByText(/model-00002.* has [\d,]+ bytes where [\d,]+ are announced/).waitFor();
    all.delete('model.safetensors.index.json');
    await drop(driven, all);
    await error.getByText(/several files of weights/).waitFor();
    await expect
      .poll(() => page.locator('[data-part=model-name]').textContent())
      .toBe('model.safetensors.index.json');

    const other = await site({ hash: 'temperature=0&maxTokens=20' });
    all.set('model.safetensors.index.json', shards.get('model.safetensors.index.json')!);
    all.set(second, whole);
    await drop(other, all);
    await other.page.getByText('297 tokens in its vocabulary').waitFor();
    await expect.poll(() => answer(other)).toBe(withControlSigns(greedyText()));
    expect([...driven.problems, ...other.problems]).toEqual([]);
  });

  it.each([
    ['one .bin', []],
    ['a .bin for every tensor', ['--split']],
  ])('opens the raw form with %s, chosen or dropped', async (name, how) => {
    const script = join(root, 'tests/generate/gpt2_raw.py');
    const path = folderOf(`raw ${name}`, (into) => {
      const source = mkdtempSync(join(folder, 'source-'));
      for (const file of HUGGING_FACE) copyFileSync(tiny(file), join(source, file));
      execFileSync('python3', [script, source, into, ...how]);
    });
    const names = readdirSync(path);
    const driven = await site({ hash: 'temperature=0&maxTokens=20' });
    const { page } = driven;
    await choose(driven, ...names.map((file) => join(path, file)));
    await page.getByText('297 tokens in its vocabulary').waitFor();
    await expect.poll(() => page.locator('[data-part=model-name]').textContent()).toBe('gpt2.json');
    await expect.poll(() => answer(driven)).toBe(withControlSigns(greedyText()));

    const other = await site({ hash: 'temperature=0&maxTokens=20' });
    const error = other.page.locator('[data-part=model-error]');
    const all = new Map(names.map((file) => [file, readFileSync(join(path, file))]));
    const last = names.filter((file) => file.endsWith('.bin')).at(-1)!;
    const whole = all.get(last)!;
    all.delete(last);
    await drop(other, all);
    await error.getByText(`${last} belongs to this model and is missing`).waitFor();
    all.set(last, whole.subarray(4));
    await drop(other, all);
    await error.getByText(/\.bin has [\d,]+ bytes where [\d,]+ are announced/).waitFor();
    all.set(last, whole);
    await drop(other, all);
    await other.page.getByText('297 tokens in its vocabulary').waitFor();
    await expect.poll(() => answer(other)).toBe(withControlSigns(greedyText()));
    // The JSON alone is recognised, too.
    await drop(other, [['gpt2.json', all.get('gpt2.json')!]]);
    await error.getByText(/\.bin belongs to this model and is missing/).waitFor();
    expect([...driven.problems, ...other.problems]).toEqual([]);
  });

  it('says of a file too short for any header that it is no model, and brings that into sight', async () => {
    const driven = await site({ options: { viewport: { width: 390, height: 700 } } });
    await driven.page.evaluate(() => {
      scrollTo(0, 0);
    });
    await drop(driven, [['junk.safetensors', new TextEncoder().encode('no')]]);
    const error = driven.page.getByText('This is not a model file, or it is damaged');
    await error.waitFor();
    const { y, height } = await eventually(
      async () => (await error.boundingBox())!,
      (box) => box.y + box.height <= 700,
    );
    const strip = (await driven.page.locator('#run').boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(strip.y);
  });

  it('says what is wrong with a file, and keeps the run', async () => {
    const driven = await site();
    const error = driven.page.locator('[data-part=model-error]');
    const says = (text: RegExp) =>
      eventually(
        async () => (await error.textContent()) ?? '',
        (shown) => text.test(shown),
      );
    await stepTo(driven, 2);
    const whole = readFileSync(tiny('model.safetensors'));
    const cut = join(folder, 'cut.safetensors');
    writeFileSync(cut, whole.subarray(0, whole.length - 100));
    const noise = join(folder, 'noise.safetensors');
    writeFileSync(noise, 'this is no model at all, only a few words');
    const empty = join(folder, 'empty.safetensors');
    writeFileSync(empty, '');

    await choose(driven, noise);
    await says(/not a model file, or it is damaged at its beginning/);
    await choose(driven, empty);
    await says(/not a model file, or it is damaged at its beginning/);
    await choose(driven, cut, tiny('config.json'));
    await says(/where its header speaks of/);
    await choose(driven, tiny('config.json'), tiny('vocab.json'));
    await says(/weights are missing/);
    await choose(driven, cut, tiny('model.safetensors'));
    await says(/several files of weights/);
    await choose(driven, tiny('config.json'), tiny('model.safetensors'));
    await says(/Choose its vocabulary together with it/);

    const words = join(folder, 'words.txt');
    writeFileSync(words, 'a few words\n');
    await choose(driven, words);
    await says(/words\.txt is not a model/);

    await expect.poll(() => driven.step()).toBe(2);
    // It is news until something else is done.
    await stepTo(driven, 3);
    await says(/^$/);
    const saved = await save(driven, 'Checkpoint', 'own.safetensors');
    // Put where texts go, it is a model all the same, and the text stays.
    const before = await driven.text.inputValue();
    await driven.page.locator('#text input[type=file]').setInputFiles(saved);
    await eventually(
      () => driven.page.locator('[data-part=model-name]').textContent(),
      (name) => name === 'own.safetensors',
    );
    await expect.poll(() => driven.text.inputValue()).toBe(before);
    const exported = driven.page.getByRole('button', { name: 'config.json', exact: true });
    await exported.click();
    // All that stands in the way at once, as the form calls it, and nothing else.
    const refusal = driven.page.locator('[data-part=save-error]');
    await refusal.filter({ hasText: /transformers has no place for/ }).waitFor();
    expect(await refusal.textContent()).toContain(
      'Normalisation RMSNorm, Learned gains off, Biases off, Normalise the input on, Normalise the output off.',
    );
    // Each leads to its option, also where that is folded away.
    await driven.page.getByRole('button', { name: 'Normalise the input', exact: true }).click();
    const option = driven.page.getByRole('checkbox', { name: 'Normalise the input' });
    await expect.poll(() => option.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(driven.problems).toEqual([]);
  });

  it('says what it does not open of several files, and loses nothing', async () => {
    const driven = await site();
    await driven.text.fill('mine');
    const text = (name: string) => [name, new TextEncoder().encode(name)] as const;
    await drop(driven, [text('a.txt'), text('b.txt')]);
    const error = driven.page.locator('[data-part=text-error]');
    await expect.poll(() => error.textContent()).toMatch(/^One text at a time .* these 2 files/);
    expect(await driven.text.inputValue()).toBe('mine');
    expect(await driven.page.getByText('The weights are missing').count()).toBe(0);
    const files = HUGGING_FACE.map((name) => [name, readFileSync(tiny(name))] as const);
    await drop(driven, [...files, text('poems.txt')]);
    await driven.page.locator('[data-part=model-name]').getByText('model.safetensors').waitFor();
    await expect.poll(() => error.textContent()).toMatch(/^poems\.txt was not opened/);
    expect(await driven.text.inputValue()).toBe('mine');
  });

  it('opens a model that is dropped while the engine is on its way', async () => {
    const { hold, letGo } = holdBack('**/*.wasm');
    const driven = await site({ state: '', before: hold });
    const { page } = driven;
    await page.getByRole('radio', { name: 'English names' }).waitFor();
    await drop(
      driven,
      HUGGING_FACE.map((name) => [name, readFileSync(tiny(name))] as const),
    );
    letGo();
    await driven.reach('ready');
    await expect
      .poll(() => page.locator('[data-part=model-name]').textContent())
      .toBe('model.safetensors');
  });

  it('takes a model dropped anywhere, in Chinese too', async () => {
    const driven = await site({ hash: 'lang=zh' });
    const files = HUGGING_FACE.map((name) => [name, readFileSync(tiny(name))] as const);
    await drop(driven, files);
    await driven.page.getByText('词表有 297 个词元').waitFor();
    await expect
      .poll(() => driven.page.locator('[data-part=model-name]').textContent())
      .toBe('model.safetensors');
    expect(driven.problems).toEqual([]);
  });
});
