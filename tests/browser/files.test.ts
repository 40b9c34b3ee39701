/** Models as files: what is saved goes on, what others made opens, what is damaged does no harm. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withControlSigns } from '../../web/data/attention-data.ts';
import type { ModelFiles, SaveForm, Snapshot } from '../../web/engine/trainer.ts';
import { shardsOf } from '../node/shards.ts';
import { canvasContent, eventually, meanLoss } from './driver.ts';
import type { Driven } from './driver.ts';
import { siteUrl } from './harness.ts';
import { usePages } from './sites.ts';
import { TRAINERS } from './trainers.ts';

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
  const { site, page: openPage } = usePages();
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function choose({ page }: Driven, ...paths: string[]): Promise<void> {
    await page.locator('#model input[type=file]:not([webkitdirectory])').setInputFiles(paths);
  }

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

  /** Saves under `name` in the folder, through the button of this text. */
  async function save({ page }: Driven, button: string, name: string): Promise<string> {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).click();
    const path = join(folder, name);
    const download = await coming;
    await download.saveAs(path);
    const called = download.suggestedFilename();
    await page.getByText(new RegExp(`^Saved at step \\d+: ${called}$`)).waitFor();
    return path;
  }

  async function stepTo(driven: Driven, last: number): Promise<void> {
    for (let at = (await driven.step()) + 1; at <= last; at++) {
      await driven.oneStep.click();
      await eventually(driven.step, (step) => step === at);
    }
  }

  const facts = ({ page }: Driven): Promise<string | null> =>
    page.locator('[data-part=model-facts]').textContent();

  it('goes on from a saved checkpoint to the same bits', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 3);
    const saved = await save(first, 'Checkpoint', 'at-3.safetensors');
    await stepTo(first, 5);
    const unbroken = await save(first, 'Checkpoint', 'at-5.safetensors');

    // Another text is chosen there: the file knows which sample text it learned from.
    const second = await site({ hash: 'text=tang' });
    await choose(second, saved);
    await second.reach('paused');
    await expect.poll(() => second.step()).toBe(3);
    await expect
      .poll(() => facts(second))
      .toContain('27 tokens in its vocabulary, saved at step 3');
    const { page } = second;
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue())
      .toBe('32');
    // What its heads did before training is made again from the seed; what is missing is said
    // there.
    const untrained = page.locator('#attention .habits tbody tr').first().getByRole('cell').nth(1);
    await eventually(
      async () => (await untrained.textContent()) ?? '',
      (text) => /^0\.\d\d$/.test(text),
    );
    const missing = page.locator('#attention [data-part=habit-missing]');
    await expect.poll(() => missing.textContent()).toBe('“So far” is drawn while it trains here.');
    // The file has no learning rates: words in place of empty charts, until steps are made here.
    const told = page.locator('[data-part=loss-beneath-note]');
    await page.getByRole('checkbox', { name: 'Learning rate and gradient beneath' }).check();
    await eventually(
      async () => (await told.textContent()) ?? '',
      (text) => text.includes('neither learning rates nor gradient norms'),
    );
    await expect.poll(() => page.locator('.loss-small:visible').count()).toBe(0);
    await page.getByRole('img', { name: /^The loss curve/ }).focus();
    await page.keyboard.press('ArrowRight');
    const read = page.locator('[data-part=loss-summary]');
    const point = await eventually(
      async () => (await read.textContent()) ?? '',
      (text) => text.startsWith('Step 1:'),
    );
    expect(point).not.toMatch(/–|NaN|Learning rate/);
    await stepTo(second, 5);
    await eventually(
      async () => (await told.textContent()) ?? '',
      (text) => text.includes('known from step 4 on'),
    );
    await expect.poll(() => page.locator('.loss-small canvas:visible').count()).toBe(2);
    const resumed = await save(second, 'Checkpoint', 'again.safetensors');
    // The files hold every weight, both running means, and the last losses with all digits.
    expect(readFileSync(resumed).equals(readFileSync(unbroken))).toBe(true);
    await expect.poll(() => meanLoss(second, '5')).toBe(await meanLoss(first, '5'));
    expect(second.problems).toEqual([]);
  });

  it('opens a run that is at its end as such, to be trained further', async () => {
    const first = await site({ hash: 'channels=32&steps=5' });
    await stepTo(first, 5);
    const saved = await save(first, 'Checkpoint', 'end.safetensors');
    const second = await site();
    await choose(second, saved);
    await second.reach('finished');
    await second.page.getByRole('button', { name: 'Train 5 more' }).click();
    await eventually(second.step, (step) => step === 10);
    expect(second.problems).toEqual([]);
  });

  it('says that a new seed and a twin begin without the opened model, and forgets what was saved', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 3);
    const saved = await save(first, 'Checkpoint', 'left.safetensors');
    const told = first.page.locator('[data-part=saved]');
    // What was saved stays true while the run goes on, and is no word of another one.
    await stepTo(first, 4);
    await expect.poll(() => told.textContent()).toMatch(/^Saved at step 3: /);
    await first.page.getByRole('button', { name: 'New seed' }).click();
    await eventually(
      () => told.textContent(),
      (text) => text === '',
    );
    const left = 'This run started from random weights, without the opened model';
    await expect.poll(() => first.run.getByText(left).count()).toBe(0);

    const second = await site({ hash: 'view=twin' });
    const { page } = second;
    await choose(second, saved);
    await second.reach('paused');
    await page
      .locator('[data-part=twin-caution]')
      .getByText('A twin starts from random weights, without the opened model (left.safetensors).')
      .waitFor();
    await page.getByRole('button', { name: 'New seed' }).click();
    await second.run.getByText(`${left} (left.safetensors).`).first().waitFor();
    await stepTo(second, 1);
    await page.getByRole('button', { name: 'New seed' }).click();
    await eventually(second.step, (step) => step === 0);
    await expect.poll(() => second.run.getByText(left).first().isVisible()).toBe(true);
    // One that learns a text anew begins with the file's weights under every seed.
    await choose(second, saved);
    await second.reach('paused');
    await page.getByRole('radio', { name: 'Learn the text' }).click();
    await second.reach('ready');
    // Its settings are not those of the preset, and it has learned before: at step 0 it is not
    // untrained.
    await page
      .getByText('As in the opened file, which differs from microgpt in: Channels.')
      .waitFor();
    await page.getByText('“Untrained” is not known: this model came from a file').first().waitFor();
    const untrained = page.locator('#attention .habits tbody tr').first().getByRole('cell').nth(1);
    await expect.poll(() => untrained.textContent()).toBe('–');
    await page.getByRole('button', { name: 'New seed' }).click();
    await second.reach('ready');
    await expect.poll(() => second.run.getByText(left).count()).toBe(0);
  });

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
    await error.getByText(/several \.safetensors files/).waitFor();
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
    await says(/several \.safetensors/);
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

  it.each([
    ['no text', ''],
    ['blanks', ' \n '],
    ['too little of one', 'a'],
  ])('finds the sample text of a checkpoint where there is %s', async (_, text) => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'at-2.safetensors');
    await first.text.fill(text);
    await first.reach('paused');
    await choose(first, saved);
    const { page } = first;
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    await expect.poll(() => first.text.inputValue()).toContain('olivia');
    await stepTo(first, 3);
  });

  it('finds the sample text of weights that know none of the characters before them', async () => {
    const first = await site({ hash: 'text=tang&preset=microgpt&channels=32' });
    await stepTo(first, 1);
    const saved = await save(first, 'Weights', 'tang.safetensors');
    const second = await site();
    await choose(second, saved);
    const { page } = second;
    const source = page.getByRole('radio', { name: 'Tang poems (Chinese)' });
    await expect.poll(() => source.isChecked()).toBe(true);
    await expect.poll(() => second.probe.inputValue()).toMatch(/\p{Script=Han}/u);
    await second.oneStep.click();
    await eventually(second.step, (step) => step === 1);
  });

  it('exchanges no text for that of a file where a lesson has fixed it, or somebody has written one', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 1);
    const [run, weights] = [
      await save(first, 'Checkpoint', 'names.safetensors'),
      await save(first, 'Weights', 'names-weights.safetensors'),
    ];
    // What these weights have no tokens for.
    const own = 'liebe grüße aus münchen\n'.repeat(20);
    await first.text.fill(own);
    await choose(first, weights);
    await first.page.getByText('no token for').first().waitFor();
    await expect.poll(() => first.text.inputValue()).toBe(own);
    const lesson = await openPage();
    await lesson.page.goto(siteUrl('embed.html#text=tang&lock=text&show=text,model,run,loss'));
    await lesson.page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    for (const [path, why] of [
      [weights, 'opened to write only'],
      [run, 'This is not the text that the run learned from'],
    ] as const) {
      await lesson.page
        .locator('#model input[type=file]:not([webkitdirectory])')
        .setInputFiles(path);
      await lesson.page.locator('#run').getByText(why).first().waitFor();
      await expect
        .poll(() => lesson.page.getByRole('radio', { name: 'Tang poems (Chinese)' }).isChecked())
        .toBe(true);
    }
  });

  it('says that a run goes on with the text that it learned from, if the field has another', async () => {
    const first = await site();
    const own = 'anna\nhanna\nnina\n'.repeat(9);
    await first.text.fill(own);
    await first.reach('ready');
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'own.safetensors');
    const second = await site({ hash: 'text=own', state: 'blocked' });
    await choose(second, saved);
    await second.run.getByText('paste or open the text that it learned from').first().waitFor();
    await second.text.fill(own);
    await second.reach('paused');
    await stepTo(second, 3);
  });

  it('says that a run is damaged, and not that its text is missing, once that text is here', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'damaged.safetensors');
    const bytes = readFileSync(saved);
    // The order of its documents comes last.
    writeFileSync(saved, bytes.fill(0xff, bytes.length - 1000));
    const second = await site({ hash: 'text=tang' });
    await choose(second, saved);
    const { page } = second;
    await expect
      .poll(() => page.getByRole('radio', { name: 'English names' }).isChecked())
      .toBe(true);
    const why = page.locator('[data-part=model-why]');
    await why.getByText('or it is damaged').waitFor();
    await second.run.getByText('opened to write only').first().waitFor();
    await expect.poll(() => page.getByText('This is not the text').count()).toBe(0);
  });

  it('looks at what an opened model writes that has no tokens for the probe, and says after a reload that it is gone', async () => {
    const first = await site();
    await first.text.fill('xyz\nzyx\nyyz\n'.repeat(20));
    await first.reach('ready');
    await stepTo(first, 1);
    const saved = await save(first, 'Checkpoint', 'xyz.safetensors');
    const second = await site();
    const { page } = second;
    await choose(second, saved);
    await expect.poll(() => second.probe.inputValue()).toMatch(/^[xyz]+$/);
    await expect.poll(() => page.locator('#attention').getByText('no token for').count()).toBe(0);
    await page.reload();
    const gone = page.locator('#model').getByText('open xyz.safetensors again');
    await gone.waitFor();
    await stepTo(second, 1);
    await gone.waitFor({ state: 'hidden' });
    await page.reload();
    await second.reach('ready');
    await expect.poll(() => gone.count()).toBe(0);
  });

  it('only writes with a checkpoint of another text, until it is told otherwise', async () => {
    const first = await site();
    await first.text.fill('anna\nhanna\nnina\n'.repeat(9));
    await first.reach('ready');
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'other.safetensors');
    const second = await site();
    const { page } = second;
    await stepTo(second, 4);
    await choose(second, saved);
    await page.locator('[data-part=model-why]').getByText('This is not the text').waitFor();
    // Curves of the text in the field are no measure of a model that learned from another.
    const beside = page.locator('#loss').getByRole('checkbox', { name: /^Run 1/ });
    await expect.poll(() => beside.isChecked()).toBe(false);
    await eventually(second.step, (step) => step === 2);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 2').waitFor();
    // It has learned, but nothing of that is drawn here: no untrained model is spoken of.
    const told = page.locator('[data-part=loss-summary]');
    await told.filter({ hasText: /opened from a file and has 2 steps .* only writes/ }).waitFor();
    // What cannot be done is not offered, and why is said.
    await second.run.getByText('This is not the text that the run learned from').first().waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Continue', exact: true }).isDisabled())
      .toBe(true);
    await expect.poll(() => second.oneStep.isDisabled()).toBe(true);
    // Given its text, the run goes on.
    await second.text.fill('anna\nhanna\nnina\n'.repeat(9));
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    await stepTo(second, 3);
    // With another text the run of the file cannot go on: said before anything begins, with a way
    // to keep it.
    await second.text.fill('nina\nhanna\nina\n'.repeat(9));
    const leaves = second.run.getByText(/Changed: the text\. .*“Restart with these changes” starts from random weights, without the opened model\./); // prettier-ignore
    await leaves.waitFor();
    await expect
      .poll(() => page.locator('[data-part=model-why]').textContent())
      .toContain('random weights');
    await page.getByRole('button', { name: 'Train the opened model' }).click();
    await leaves.waitFor({ state: 'hidden' });
    await eventually(
      () => page.getByRole('radio', { name: 'Learn the text' }).isChecked(),
      (checked) => checked,
    );
    await page.getByRole('button', { name: 'New model instead' }).click();
    await eventually(second.step, (step) => step === 0);
    await page.getByText('The model starts from random weights.').waitFor();
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
    let comes = (): void => undefined;
    const coming = new Promise<void>((resolve) => (comes = resolve));
    const driven = await site({
      state: '',
      before: (page) =>
        page.route('**/*.wasm', async (route) => {
          await coming;
          await route.continue();
        }),
    });
    const { page } = driven;
    await page.getByRole('radio', { name: 'English names' }).waitFor();
    await drop(
      driven,
      HUGGING_FACE.map((name) => [name, readFileSync(tiny(name))] as const),
    );
    comes();
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

describe.each(Object.entries(TRAINERS))('the %s trainer', (_, create) => {
  const recipe = { preset: 'microgpt', changes: { channels: 16, steps: 50 } };
  const text = (): Uint8Array<ArrayBuffer> => new TextEncoder().encode('anna\nnina\nhanna\n');
  const only = (weights: Blob): ModelFiles => ({ weights });

  it('gives the next loss with equal digits from a file, and keeps its run when one is bad', async () => {
    const trainer = create();
    let losses: number[] = [];
    let seen = -1;
    trainer.subscribe((snapshot: Snapshot) => {
      if (snapshot.run !== seen) losses = [];
      seen = snapshot.run;
      losses.push(...snapshot.losses);
    });
    const reach = (count: number): Promise<number[]> =>
      eventually(
        () => Promise.resolve(losses),
        (all) => all.length === count,
      );
    await trainer.setText(text());
    await trainer.prepare(recipe);
    for (let step = 0; step < 3; step++) await trainer.step();
    const file = await trainer.save('checkpoint', 'a note');
    await trainer.step();
    const [, , , next] = await reach(4);

    const facts = await trainer.inspect(only(file));
    expect(facts).toMatchObject({ resumable: true, step: 3, note: 'a note' });
    expect(facts.values).toMatchObject({ channels: 16, steps: 50 });
    const origin = { files: only(file), purpose: 'resume' } as const;
    expect(await trainer.prepare(recipe, origin)).toMatchObject({ step: 3, trains: true });
    await trainer.step();
    expect((await reach(4))[3]).toBe(next);

    const bad = { files: only(file.slice(0, file.size - 4)), purpose: 'resume' } as const;
    await expect(trainer.prepare(recipe, bad)).rejects.toMatchObject({ code: 'truncated' });
    await trainer.step();
    await reach(5);

    await trainer.prepare(recipe, { files: only(file), purpose: 'generate' });
    await expect(trainer.start()).rejects.toMatchObject({ code: 'no-text' });
    for (const form of ['weights', 'checkpoint', 'config.json'] as SaveForm[]) {
      const saving = trainer.save(form, '');
      if (form === 'weights') expect((await saving).size).toBeLessThan(file.size);
      else await expect(saving).rejects.toMatchObject({ name: 'GlasshouseError' });
    }
    trainer.close();
  });
});
