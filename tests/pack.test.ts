/** A model packed for other programs: web/instruments/take-away/formats/pack.ts. */
import { expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { pack } from '../web/instruments/take-away/formats/pack.ts';
import { engineBytes } from './node/load-engine.ts';

const RECIPE = {
  preset: 'tinygpt',
  changes: { layers: 1, channels: 16, heads: 1, context: 64, steps: 2 },
};

/** Returns the uncompressed package as text, in which the card is readable. */
async function packed(trainer: DirectTrainer, language: 'en' | 'zh' = 'en'): Promise<string> {
  const lossesAt = () => ({ loss: 1, validation: undefined });
  const start = () =>
    Promise.resolve({
      trainer: new DirectTrainer(engineBytes('wasm-questions')),
      ...{ place: 'worker' as const, tellBeside: null },
    });
  const file = await pack('onnx', { model: trainer, context: 64, lossesAt, language }, 'a', start);
  return file.text();
}

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
    await trainer.cancelSample();
    stops++;
  }
  expect(stops).toBeGreaterThan(3);
  expect(card(await packing)).toBe(undisturbed);
  trainer.close();
});
