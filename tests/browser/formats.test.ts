/** Tests export to and import from other programs' file formats, in the page. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { train } from './driver.ts';
import type { Driven } from './driver.ts';
import { serveBare } from './harness.ts';
import { choose, useFolder } from './model-files.ts';
import { long } from '../long.ts';
import { usePages } from './sites.ts';
import { unzip } from './unzip.ts';

const { site, page: blank, closing } = usePages();
const { folder } = useFolder();

const modules = join(import.meta.dirname, '../../node_modules');

/** A small model with GPT-2's architecture. */
const LIKE_GPT2 =
  'text=names&preset=gpt2&layers=2&heads=2&channels=32&context=32&batch=4&steps=20&pace=full';
const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/torch', name);

const row = (page: Page, form: string) =>
  page.locator('.format-list li').filter({ has: page.getByText(form, { exact: true }) });

/** Presses a format's button and unzips the download; paths omit the archive's top folder. */
async function unpack(page: Page, form: string): Promise<ReadonlyMap<string, Buffer>> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    row(page, form).getByRole('button').click(),
  ]);
  const path = join(folder, saved.suggestedFilename());
  await saved.saveAs(path);
  const files = [...unzip(readFileSync(path))];
  return new Map(files.map(([name, bytes]) => [name.split('/').slice(1).join('/'), bytes]));
}

async function answer({ page, prompt }: Driven): Promise<string> {
  await prompt.fill('an');
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await page.locator('#ask').getByText('Written at step').waitFor();
  return (await page.locator('#ask [data-part=answer]').textContent()) ?? '';
}

/**
 * Runs the code from the ONNX model card in a page next to the model's folder; returns its output.
 */
async function writtenByPage(files: ReadonlyMap<string, Buffer>): Promise<string> {
  for (const [name, bytes] of files) {
    const path = join(folder, 'page/models/my-gpt', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  symlinkSync(join(modules, '@huggingface/transformers/dist'), join(folder, 'page/transformers'));
  symlinkSync(join(modules, 'onnxruntime-web/dist'), join(folder, 'page/onnxruntime'));
  const [, code] = /```js\n([^]*?)```/.exec(files.get('README.md')!.toString())!;
  const imports = { '@huggingface/transformers': './transformers/transformers.min.js' };
  // The page serves files from its own host that it would otherwise fetch from a CDN.
  const page = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
import { env } from '@huggingface/transformers';
env.backends.onnx.wasm.wasmPaths = new URL('onnxruntime/', location.href).href;
</script>
<script type="module">${code!}</script>`;
  const pages = { '/page/': page };
  const host = closing(await serveBare('/page/', { folder: join(folder, 'page'), pages }));
  const opened = await blank();
  const [message] = await Promise.all([
    opened.page.waitForEvent('console'),
    opened.page.goto(host.url),
  ]);
  const [said] = await Promise.all(
    message.args().map((value) => value.jsonValue() as Promise<unknown>),
  );
  return (said as readonly { readonly generated_text: string }[])[0]!.generated_text;
}

it('saves a GGUF with its Modelfile and card, which opens again and writes the same', async () => {
  const driven = await site({ hash: `${LIKE_GPT2}&view=take-away` });
  const { page, problems } = driven;
  await train(driven);
  const wrote = await answer(driven);
  const files = await unpack(page, 'GGUF');
  expect([...files.keys()]).toEqual(['model.gguf', 'Modelfile', 'README.md']);
  expect(files.get('Modelfile')?.toString()).toMatch(
    /^FROM \.\/model\.gguf\nPARAMETER num_ctx 32\n/,
  );
  expect(files.get('README.md')?.toString()).toMatch(/\| receipt \| gh1-gpt2-/);
  await expect.poll(() => row(page, 'GGUF').innerText()).toMatch(/^Saved: .*\.zip, \d+ KB/m);
  const half = (await unpack(page, 'GGUF, 16 bits')).get('model.gguf')!;
  expect(half.length / files.get('model.gguf')!.length).toBeLessThan(0.6);
  const other = await site({ hash: 'text=tang' });
  const gguf = join(folder, 'names.gguf');
  writeFileSync(gguf, files.get('model.gguf')!);
  await choose(other, gguf);
  const name = other.page.locator('[data-part=model-name]');
  await expect.poll(() => name.textContent()).toBe('names.gguf');
  await other.reach('ready');
  expect(await answer(other)).toBe(wrote);
  expect([...problems, ...other.problems]).toEqual([]);
});

it('saves the model of the step that is looked at, with and without a cache, for transformers.js', async () => {
  const driven = await site({ hash: `${LIKE_GPT2}&view=take-away` });
  const { page } = driven;
  await train(driven);
  await driven.lookBack.fill('7');
  await page.getByText('The whole page shows step 7').waitFor();
  const files = await unpack(page, 'ONNX');
  expect(new Set(files.keys())).toEqual(
    new Set([
      ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json'],
      ...['generation_config.json', 'onnx/model.onnx', 'onnx/model_plain.onnx', 'README.md'],
    ]),
  );
  expect(files.get('README.md')?.toString()).toMatch(/\| steps trained \| 7 \|/);
  const whole = await unpack(page, 'Hugging Face');
  expect(whole.has('tokenizer.json') && whole.has('model.safetensors')).toBe(true);
});

long('gives the code of a page that writes with transformers.js what the card says', async () => {
  const hash = `${LIKE_GPT2.replace('names', 'moby').replace('steps=20', 'steps=300')}&lr=0.003`;
  const driven = await site({ hash: `${hash}&tokenizer=char&view=take-away` });
  const { page } = driven;
  await train(driven);
  const files = await unpack(page, 'ONNX');
  const card = files.get('README.md')!.toString();
  expect(card).toMatch(/\| loss at the last step, nats a token \| \d\.\d{4} \|/);
  const [, prompt, sample] =
    /At temperature 0 it writes after (".+"):\n\n```text\n([^]+?)\n```/.exec(card)!;
  expect(await writtenByPage(files)).toBe(`${JSON.parse(prompt!) as string}${sample!}`);
});

it('says by name why a form is closed to a model, and which is open to it', async () => {
  const driven = await site({ hash: 'text=names&steps=5&pace=full&view=take-away' });
  const { page, problems } = driven;
  await train(driven);
  for (const form of ['GGUF', 'GGUF, 16 bits', 'Hugging Face']) {
    await row(page, form)
      .getByText(/(?:cannot express|does not support): .*RMSNorm/i)
      .waitFor();
    expect(await row(page, form).getByRole('button').count()).toBe(0);
  }
  const said = await row(page, 'ONNX').getByRole('button').innerText();
  const files = await unpack(page, 'ONNX');
  // The announced size matches the download, within the rounding and the size of the model card.
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  expect(Number(/about (\d+) KB/.exec(said)?.[1])).toBeCloseTo(bytes / 1000, -1);
  expect(problems).toEqual([]);
});

it('opens a checkpoint of nanoGPT, and refuses by name what would run a program', async () => {
  const driven = await site({ hash: 'text=names' });
  const { page, problems } = driven;
  await choose(driven, fixture('bad-system.bin'));
  await page.getByText('The file needs posix.system, which is not supported.').waitFor();
  await choose(driven, fixture('nanogpt.pt'));
  const name = page.locator('[data-part=model-name]');
  await expect.poll(() => name.textContent()).toBe('nanogpt.pt');
  await driven.reach('ready');
  await answer(driven);
  expect(problems).toEqual([]);
});
