/** A model packed for other programs: web/instruments/take-away/formats/pack.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { pack } from '../web/instruments/take-away/formats/pack.ts';
import { unzip } from './browser/unzip.ts';
import { lines, useFolder, writeStory } from './node/command-line.ts';
import { engineBytes } from './node/load-engine.ts';

const { here } = useFolder();

const RECIPE = {
  preset: 'tinygpt',
  changes: { layers: 1, channels: 16, heads: 1, context: 64, steps: 2 },
};

function packedAs(
  door: 'hf' | 'onnx',
  trainer: DirectTrainer,
  language: 'en' | 'zh' = 'en',
): Promise<Blob> {
  const lossesAt = () => ({ loss: 1, validation: undefined });
  const start = () =>
    Promise.resolve({
      trainer: new DirectTrainer(engineBytes('wasm-questions')),
      ...{ place: 'worker' as const, preload: null },
    });
  return pack(door, { model: trainer, context: 64, lossesAt, language }, 'a', start);
}

/** Returns the uncompressed package as text, in which the card is readable. */
async function packed(trainer: DirectTrainer, language: 'en' | 'zh' = 'en'): Promise<string> {
  return (await packedAs('onnx', trainer, language)).text();
}

test.each(['bpe', 'byte', 'char'])(
  'a package has the files that the command line writes: tokens are %s',
  async (tokenizer) => {
    const path = writeStory(here('story.txt'));
    const changes = { layers: 1, channels: 16, heads: 1, context: 16, steps: 1 };
    const set = Object.entries({ ...changes, tokenizer }).flatMap(([name, value]) => [
      ...['--set', `${name}=${String(value)}`],
    ]);
    const out = (door: string): string => here(`${tokenizer}-${door}`);
    const exports = ['hf', 'onnx'].flatMap((door) => ['--export', `${door}=${out(door)}`]);
    lines('--data', path, '--preset', 'gpt2', ...set, '--samples', '0', ...exports);
    const trainer = new DirectTrainer(engineBytes());
    await trainer.setText(readFileSync(path, 'utf8'));
    const { options } = await trainer.options();
    const at = options.find(({ name }) => name === 'tokenizer')!.choices.indexOf(tokenizer);
    await trainer.prepare({ preset: 'gpt2', changes: { ...changes, tokenizer: at } });
    await trainer.step();
    for (const door of ['hf', 'onnx'] as const) {
      const files = unzip(Buffer.from(await (await packedAs(door, trainer)).arrayBuffer()));
      const written = readdirSync(out(door), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => relative(out(door), join(one.parentPath, one.name)));
      const names = Array.from(files.keys(), (name) => name.replace(/^a\//, ''));
      expect(names.sort(), door).toEqual(written.sort());
      for (const name of written.filter((one) => one !== 'README.md')) {
        const same = files.get(`a/${name}`)!.equals(readFileSync(join(out(door), name)));
        expect(same, name).toBe(true);
      }
    }
    trainer.close();
  },
);

test('the card of a package is in the language of its reader', async () => {
  const trainer = new DirectTrainer(engineBytes());
  await trainer.setText('anna bob clara emma greta\n'.repeat(40));
  await trainer.prepare(RECIPE);
  const [english, chinese] = [await packed(trainer), await packed(trainer, 'zh')];
  expect(english).toMatch(/\| context in tokens \| 64 \|[^]*\| layers \| 1 \|/);
  expect(chinese).toMatch(/\| 上下文长度（词元） \| 64 \|[^]*\| layers \| 1 \|/);
  trainer.close();
});

test('the card of a package holds whole texts, whatever is written and stopped meanwhile', async () => {
  // Slice 0 yields after each token, so that a stop can interrupt any text.
  const trainer = new DirectTrainer(engineBytes(), { slice: 0 });
  await trainer.setText('anna bob clara emma greta\n'.repeat(40));
  await trainer.prepare(RECIPE);
  const card = (all: string): string => all.slice(all.indexOf('README.md'));
  const undisturbed = card(await packed(trainer));
  expect(undisturbed).toContain('tokens');
  const packing = packed(trainer);
  const done = new AbortController();
  void packing.finally(() => done.abort());
  let stops = 0;
  while (!done.signal.aborted) {
    void trainer.sample({ prompt: 'a', maxTokens: 9 });
    await new Promise(setImmediate); // a loop of promises alone would starve the package
    await trainer.cancelSample();
    stops++;
  }
  expect(stops).toBeGreaterThan(3);
  expect(card(await packing)).toBe(undisturbed);
  trainer.close();
});
