/** Models as files: what is saved goes on, what others made opens, what is damaged does no harm. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WorkerTrainer } from '../../web/engine/client.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { serve } from '../../web/engine/serve.ts';
import type { ModelFiles, SaveForm, Snapshot, Trainer } from '../../web/engine/trainer.ts';
import { compileEngine } from '../../web/engine/wasm.ts';
import { canvasContent, eventually, meanLoss, openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { launchChromium } from './harness.ts';

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
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));
  const open: Driven[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterEach(async () => {
    for (const site of open.splice(0)) await site.close();
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function site(how: Parameters<typeof openSite>[1] = {}): Promise<Driven> {
    const opened = await openSite(browser, how);
    open.push(opened);
    return opened;
  }

  async function choose({ page }: Driven, ...paths: string[]): Promise<void> {
    await page.locator('#model input[type=file]').setInputFiles(paths);
  }

  /** Saves under `name` in the folder, through the button of this text. */
  async function save({ page }: Driven, button: string, name: string): Promise<string> {
    const fold = page.getByRole('button', { name: 'Save the model' });
    if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).click();
    const path = join(folder, name);
    await (await coming).saveAs(path);
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
    expect(await second.step()).toBe(3);
    expect(await facts(second)).toContain('27 tokens in its vocabulary, saved at step 3');
    const { page } = second;
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    expect(await page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue()).toBe(
      '32',
    );
    await stepTo(second, 5);
    const resumed = await save(second, 'Checkpoint', 'again.safetensors');
    // The files hold every weight, both running means, and the last losses with all digits.
    expect(readFileSync(resumed).equals(readFileSync(unbroken))).toBe(true);
    expect(await meanLoss(second, '1–5')).toBe(await meanLoss(first, '1–5'));
    expect(second.problems).toEqual([]);
  });

  it('opens the files of GPT-2: it writes, shows its attention, and learns', async () => {
    const driven = await site({ hash: 'temperature=0&maxTokens=20' });
    const { page } = driven;
    await choose(driven, ...HUGGING_FACE.map(tiny));
    await page.getByText('297 tokens in its vocabulary').waitFor();
    await page.getByRole('radio', { name: 'Learn the text' }).waitFor({ state: 'attached' });

    await driven.prompt.fill(expected.texts[0]?.text ?? '');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 0').waitFor();
    const wrote = await page.locator('[data-part=answer]').textContent();
    expect(wrote).toBe(greedyText());

    await driven.probe.fill('the other sea');
    await page.getByRole('radio', { name: /^Layer 2, head 4/ }).waitFor({ state: 'attached' });
    expect((await canvasContent(page.locator('.attention-canvas'))).colours).toBeGreaterThan(3);

    const layers = page.getByRole('textbox', { name: 'Layers', exact: true });
    await layers.fill('3');
    await page.getByText('Layers belongs to the model in the file.').first().waitFor();
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
    expect(await meanLoss(driven, '1–100')).toBeLessThan(Math.log(297));

    const config = await save(driven, 'config.json', 'config.json');
    expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({ model_type: 'gpt2' });
    expect(readFileSync(await save(driven, 'vocab.json', 'vocab.json')).length).toBeGreaterThan(99);
    await save(driven, 'merges.txt', 'merges.txt');
    const weights = await save(driven, 'model.safetensors', 'model.safetensors');
    expect(readFileSync(weights).length).toBeGreaterThan(50_000);
    await choose(driven, ...HUGGING_FACE.map((name) => join(folder, name)));
    await driven.reach('ready');
    await page.getByText('297 tokens in its vocabulary').waitFor();
    expect(driven.problems).toEqual([]);
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
    await says(/no file of the expected kind/);
    await choose(driven, empty);
    await says(/the size of the file/);
    await choose(driven, cut, tiny('config.json'));
    await says(/where its header speaks of/);
    await choose(driven, tiny('config.json'), tiny('vocab.json'));
    await says(/weights are missing/);
    await choose(driven, cut, tiny('model.safetensors'));
    await says(/several \.safetensors/);
    await choose(driven, tiny('config.json'), tiny('model.safetensors'));
    await says(/Give vocab\.json and merges\.txt/);

    expect(await driven.step()).toBe(2);
    await stepTo(driven, 3);
    await save(driven, 'Checkpoint', 'own.safetensors');
    const exported = driven.page.getByRole('button', { name: 'config.json', exact: true });
    await exported.click();
    await driven.page.getByText(/transformers has no place for/).waitFor();
    expect(driven.problems).toEqual([]);
  });

  it('only writes with a checkpoint of another text, until it is told otherwise', async () => {
    const first = await site();
    await first.text.fill('anna\nhanna\nnina\n'.repeat(9));
    await first.reach('ready');
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'other.safetensors');
    const second = await site();
    const { page } = second;
    await choose(second, saved);
    await page.getByText('This is not the text that the run learned from').waitFor();
    expect(await second.step()).toBe(2);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 2').waitFor();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('opened to write only').first().waitFor();
    // Given its text, the run goes on.
    await second.text.fill('anna\nhanna\nnina\n'.repeat(9));
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    await stepTo(second, 3);
    await page.getByRole('button', { name: 'New model instead' }).click();
    await eventually(second.step, (step) => step === 0);
    await page.getByText('The model begins with chance.').waitFor();
  });

  it('takes a model dropped anywhere, in Chinese too', async () => {
    const driven = await site({ hash: 'lang=zh' });
    const files = HUGGING_FACE.map((name) => ({
      name,
      base64: readFileSync(tiny(name)).toString('base64'),
    }));
    await driven.page.evaluate((all) => {
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of all) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    }, files);
    await driven.page.getByText('词表有 297 个词元').waitFor();
    expect(await driven.page.locator('[data-part=model-name]').textContent()).toBe(
      'model.safetensors',
    );
    expect(driven.problems).toEqual([]);
  });
});

const engine = new Uint8Array(readFileSync(join(root, 'build/wasm/glasshouse.wasm')));
const forms: Record<string, () => Trainer> = {
  direct: () => new DirectTrainer(engine),
  worker: () => {
    const { port1, port2 } = new MessageChannel();
    port1.start();
    port2.start();
    serve(port1, () => () => undefined);
    return new WorkerTrainer(port2, compileEngine(engine), () => {
      port1.close();
      port2.close();
    });
  },
};

describe.each(Object.entries(forms))('the %s trainer', (_, create) => {
  const recipe = { preset: 'microgpt', changes: { channels: 16, steps: 50 } };
  const text = (): Uint8Array<ArrayBuffer> => new TextEncoder().encode('anna\nnina\nhanna\n');
  const only = (weights: Blob): ModelFiles => ({
    weights,
    config: null,
    vocab: null,
    merges: null,
  });

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
