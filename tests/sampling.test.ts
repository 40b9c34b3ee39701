/**
 * Sampling parameters: one table of limits for fields, library and engine, and defaults for omitted
 * parameters.
 */
import { expect, test } from 'vitest';
import { fitsSampling, SAMPLING_LIMITS } from '../web/base/sampling-limits.ts';
import type { SamplingName } from '../web/base/sampling-limits.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import type { WantedSample } from '../web/engine/trainer.ts';
import { readNumber } from '../web/kit/read-number.ts';
import { FileEngine } from './node/file-engine.ts';
import { engineBytes } from './node/load-engine.ts';

const ENGINE: Record<SamplingName, string> = {
  temperature: 'temperature',
  topK: 'top_k',
  topP: 'top_p',
  maxTokens: 'max_tokens',
  seed: 'seed',
};

async function prepared(): Promise<DirectTrainer> {
  const trainer = new DirectTrainer(engineBytes());
  await trainer.setText('anna\nbob\nclara\n');
  await trainer.prepare({ preset: 'microgpt', changes: { channels: 8, heads: 1, layers: 1 } });
  return trainer;
}

test('the limits are those of the engine', async () => {
  const engine = await FileEngine.create();
  for (const [name, { min, max }] of Object.entries(SAMPLING_LIMITS)) {
    const text = engine.put(`${ENGINE[name as SamplingName]}\0`).pointer;
    const own = [0, 1].map((highest) => engine.call('sampling_limit', text, highest));
    expect([name, ...own]).toEqual([name, min, max]);
  }
});

test('a prompt is enough, and values at the limits are taken', async () => {
  const trainer = await prepared();
  const { text } = await trainer.sample({ prompt: 'an' });
  const said = { prompt: 'an', temperature: 0.8, topK: 0, topP: 1, maxTokens: 200, seed: 1 };
  expect((await trainer.sample(said)).text).toBe(text);
  await trainer.sample({ temperature: 100, topK: 65_536, topP: 1e-6, seed: 2 ** 53 - 1 });
  await trainer.beginGeneration({});
  await trainer.endGeneration();
  trainer.close();
});

test('what is beyond them, or of another type, is named', async () => {
  const trainer = await prepared();
  const bad: Record<string, unknown>[] = [
    { temperature: -0.1 },
    { temperature: 101 },
    { temperature: NaN },
    { temperature: '0.8' },
    { topK: 65_537 },
    { topK: 1.5 },
    { topP: 0 },
    { topP: 1.1 },
    { maxTokens: 0 },
    { maxTokens: 65_537 },
    { maxTokens: null },
    { seed: -1 },
    { seed: 0.5 },
    { seed: 2 ** 53 },
  ];
  for (const wanted of bad) {
    const refused = { code: 'range', subject: Object.keys(wanted)[0] };
    await expect(trainer.sample(wanted as WantedSample)).rejects.toMatchObject(refused);
    await expect(trainer.beginGeneration(wanted as WantedSample)).rejects.toMatchObject(refused);
  }
  const prompt = { prompt: 5 } as unknown as WantedSample;
  await expect(trainer.sample(prompt)).rejects.toMatchObject({ code: 'argument' });
  trainer.close();
});

test('fields take numbers as people write them and as the page prints them', () => {
  const table: Readonly<Record<string, number>> = {
    '5,000': 5000,
    '1,000,000,000': 1e9,
    '１０００': 1000,
    '１，０００': 1000,
    '0,001': 0.001,
    '0,8': 0.8,
    '1,5': 1.5,
    '1,234.5': 1234.5,
    ' 0.8 ': 0.8,
    '1 000': 1000,
    '−3': -3,
    '1e-5': 1e-5,
    '': NaN,
    '1,2,3': NaN,
    two: NaN,
  };
  for (const [text, value] of Object.entries(table)) {
    expect([text, readNumber(text)]).toEqual([text, value]);
  }
  expect(fitsSampling('maxTokens', readNumber('65,536'))).toBe(true);
});
