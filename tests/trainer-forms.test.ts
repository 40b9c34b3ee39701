/**
 * Contract tests of both trainer forms: the trainer on the engine, and the client that talks to it
 * over a channel, as the page does with its worker.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import type { Recipe } from '../web/engine/options.ts';
import type { Snapshot, Trainer } from '../web/engine/trainer.ts';
import { eventually } from './browser/driver.ts';
import { withMetadata } from './node/edited-header.ts';
import { engineBytes } from './node/load-engine.ts';
import { TRAINERS } from './browser/trainers.ts';

const root = join(import.meta.dirname, '..');
const names = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(root, 'public/texts/first-names-en.txt')));
const microgpt = (changes: Recipe['changes'] = {}): Recipe => ({ preset: 'microgpt', changes });

describe.each(Object.entries(TRAINERS))('the %s trainer', (_, create) => {
  const open: Trainer[] = [];
  afterEach(() => {
    for (const trainer of open.splice(0)) trainer.close();
  });

  /** Creates a trainer with the names, and records the snapshots of its newest run. */
  async function begin(recipe: Recipe = microgpt()) {
    const trainer = create();
    open.push(trainer);
    const seen = { run: 0, losses: [] as number[], last: null as Snapshot | null };
    trainer.subscribe((snapshot) => {
      if (snapshot.run !== seen.run) Object.assign(seen, { run: snapshot.run, losses: [] });
      expect(snapshot.lossesFrom).toBe(seen.losses.length);
      seen.losses.push(...snapshot.losses);
      seen.last = snapshot;
    });
    await trainer.setText(names());
    await trainer.prepare(recipe);
    const reach = (state: string) =>
      eventually(
        () => Promise.resolve(seen.last?.state),
        (now) => now === state,
      );
    const losses = (count: number) =>
      eventually(
        () => Promise.resolve(seen.losses),
        (all) => all.length >= count,
      );
    return { trainer, seen, reach, losses };
  }

  it('takes every call in every state, once', async () => {
    const { trainer, reach, seen } = await begin(microgpt({ steps: 300 }));
    await trainer.pause();
    await Promise.all([trainer.start(), trainer.start()]);
    await trainer.pause();
    await trainer.pause();
    await trainer.start();
    await reach('finished');
    await trainer.start();
    await trainer.step();
    await reach('finished');
    expect(seen.losses.length).toBe(300);
    await trainer.set('steps', 310);
    await trainer.start();
    await eventually(
      () => Promise.resolve(seen.losses.length),
      (count) => count === 310,
    );
  });

  it('can be the value of a promise, and be written as JSON', async () => {
    const { trainer } = await begin();
    expect((await Promise.resolve(trainer)) === trainer).toBe(true);
    expect(JSON.stringify({ trainer })).toBe('{"trainer":{"closed":{}}}');
  });

  it('does not go on with a run whose file claims a billion steps', async () => {
    const { trainer, reach } = await begin(microgpt({ steps: 3 }));
    await trainer.start();
    await reach('finished');
    const file = new Uint8Array(await (await trainer.save('checkpoint', '')).arrayBuffer());
    const weights = new Blob([withMetadata(file, { 'glasshouse.state': { step: 1e9 } })]);
    await expect(
      trainer.prepare(null, { files: { weights }, purpose: 'resume' }),
    ).rejects.toMatchObject({ code: 'range', subject: 'step' });
  });

  it('fits settings to the text that it holds, whichever form it has', async () => {
    const { trainer } = await begin();
    const { recipe, kind, lines } = await trainer.fit();
    expect({ recipe, kind, lines }).toEqual({ recipe: microgpt(), kind: 'list', lines: 8403 });
    await trainer.setText('the tide will take us home and the tide will bring us back. '.repeat(9));
    const short = await trainer.fit();
    expect(short.kind).toBe('prose');
    expect(short.recipe).toEqual({
      preset: 'tinygpt',
      changes: { tokenizer: 1, schedule: 1, validation: 0, steps: 1567 },
    });
    // The first version of the rules, for older links.
    const { recipe: first } = await trainer.fit(1);
    expect(first.changes).toEqual({ schedule: 1, validation: 0, steps: 1567 });
    await expect(trainer.fit(3)).rejects.toMatchObject({ code: 'range', subject: 'fit' });
  });

  it('rests between two steps where it is asked to, at most half a second, and goes on by itself', async () => {
    const steps = 20_000;
    const { trainer, losses, reach, seen } = await begin(microgpt({ steps }));
    await trainer.start();
    await losses(20);
    await trainer.rest(60_000);
    const step = (): Promise<number> => trainer.probe('emma', 8).then((look) => look.step);
    const at = await step();
    // Each probe leaves time for training steps.
    for (let question = 0; question < 20; question++) expect(await step()).toBe(at);
    expect(at).toBeLessThan(steps);
    await losses(at + 1);
    // A pause ends the rest early.
    await trainer.rest(500);
    await trainer.pause();
    await reach('paused');
    expect(seen.losses.length).toBeGreaterThan(at);
  });

  it('gives the same losses to the bit after a rewind, whatever was looked at meanwhile', async () => {
    const { trainer, reach, losses } = await begin(microgpt({ steps: 120 }));
    await trainer.start();
    await reach('finished');
    const plain = [...(await losses(120))];
    await trainer.rewind();
    await trainer.watch({
      attention: { text: 'anna', maxTokens: 20, live: true },
      samples: { count: 3, maxTokens: 20 },
    });
    await trainer.start();
    const request = { prompt: 'a', maxTokens: 10, temperature: 1, topK: 5, topP: 0.9, seed: 7 };
    await trainer.sample(request);
    await trainer.probe('bella', 20);
    await reach('finished');
    expect(await losses(120)).toEqual(plain);
  });

  it('rejects what cannot be with the error of the engine, and keeps the model it has', async () => {
    const { trainer, losses } = await begin();
    await expect(trainer.prepare(microgpt({ heads: 5 }))).rejects.toMatchObject({
      name: 'GlasshouseError',
      code: 'heads',
      values: [64, 5, 0],
    });
    await expect(trainer.plan(microgpt({ layers: 0 }))).rejects.toMatchObject({ code: 'range' });
    await expect(trainer.probe('ë', 9)).rejects.toMatchObject({ code: 'character' });
    await expect(trainer.set('layers', 3)).rejects.toMatchObject({ code: 'fixed' });
    await trainer.step();
    expect((await losses(1)).length).toBe(1);
  });

  it('writes a text as it grows, and the newest request cancels the one before', async () => {
    const { trainer } = await begin({ preset: 'tinygpt', changes: {} });
    const request = { prompt: 'a', maxTokens: 4000, temperature: 1, topK: 0, topP: 1, seed: 1 };
    const grown: string[] = [];
    const first = trainer.sample(request, (text) => grown.push(text));
    const second = trainer.sample({ ...request, maxTokens: 50 });
    expect((await first).cancelled).toBe(true);
    const written = await second;
    expect(written).toMatchObject({ cancelled: false, tokens: 50 });
    expect(await trainer.sample({ ...request, maxTokens: 50 })).toEqual(written);
    for (const [index, text] of grown.entries()) {
      expect((grown[index + 1] ?? text).startsWith(text)).toBe(true);
    }
  });

  it('cuts a text that is wanted whole neither at a newer request nor at a stop', async () => {
    const { trainer } = await begin({ preset: 'tinygpt', changes: {} });
    const request = { prompt: 'a', maxTokens: 400, temperature: 1, topK: 0, topP: 1, seed: 1 };
    const plain = await trainer.sample(request);
    const whole = trainer.sample({ ...request, whole: true });
    const newer = trainer.sample({ ...request, maxTokens: 4000 });
    await trainer.probe('a', 4);
    await trainer.cancelSample();
    expect(await whole).toEqual(plain);
    expect((await newer).cancelled).toBe(true);
  });

  it('tells what is inside while it trains, and training stays the same to the bit', async () => {
    const { trainer, reach, losses, seen } = await begin(microgpt({ steps: 150 }));
    await trainer.start();
    await reach('finished');
    const plain = [...(await losses(150))];
    await trainer.rewind();
    const untrained = await trainer.untrainedHeads('anna', 20);
    await trainer.start();
    const request = { prompt: 'an', temperature: 1, topK: 5, topP: 0.9, seed: 7 };
    const sampling = trainer.sample({ ...request, maxTokens: 8 });
    const begun = await trainer.beginGeneration(request);
    expect(begun.prompt.map(({ text }) => text)).toEqual(['', 'a', 'n']);
    // The likeliest token depends on the training so far and may be the end token, which has no
    // letter.
    const letter = begun.coming?.choices.find(({ token }) => token.text !== '');
    const taken = await trainer.takeToken(letter?.token.id ?? -1);
    expect(taken.token).toEqual(letter?.token);
    const cold = await trainer.adjustSampling({ temperature: 0, topK: 0, topP: 1 });
    expect([cold.text, cold.coming?.drawable]).toEqual([taken.text, 1]);
    const analysis = await trainer.analyse('anna\nbella', 20);
    expect(analysis.scored).toBe(5 + 6);
    const { tensors } = await trainer.tensors('anna', true);
    const logits = tensors.find(({ name }) => name === 'logits');
    const values = await trainer.tensor(logits?.index ?? -1, { gradient: true });
    expect(values).toMatchObject({ rows: 5, columns: 27 });
    expect(values.values).toBeInstanceOf(Float32Array);
    expect(await trainer.merges(0, 9)).toEqual([]);
    expect((await sampling).cancelled).toBe(false);
    await trainer.endGeneration();
    await expect(trainer.nextToken()).rejects.toMatchObject({ code: 'state' });
    await reach('finished');
    expect(await losses(150)).toEqual(plain);
    expect(seen.last?.gradientNorms).toBeInstanceOf(Float64Array);
    expect(await trainer.untrainedHeads('anna', 20)).toEqual(untrained);
    expect((await trainer.untrainedHeads('bella', 20))?.length).toBe(2 * 4);
  });

  it('makes attention pictures at the steps of samples where nobody looks, and sends all of them', async () => {
    const { trainer, seen, reach } = await begin({ preset: 'microgpt', changes: { steps: 60 } });
    const steps: number[] = [];
    trainer.subscribe(({ attentions }) => {
      steps.push(...attentions.map(({ step }) => step));
    });
    await trainer.watch({ attention: { text: 'anna', maxTokens: 9, live: false }, samples: null });
    await trainer.start();
    await reach('finished');
    expect(steps).toEqual([0, 10, 25, 50, 60]);
    expect(seen.last?.attentionError).toBe(null);
  });

  it('answers between slices while it trains', async () => {
    const { trainer, seen } = await begin({ preset: 'tinygpt', changes: { steps: 100_000 } });
    await trainer.start();
    await trainer.watch({ attention: { text: 'anna', maxTokens: 20, live: true }, samples: null });
    const looked = await eventually(
      () => Promise.resolve(seen.last?.attentions.at(-1) ?? null),
      (attention) => attention !== null,
    );
    expect(looked?.weights.length).toBe(2 * 1 * 4 * 4);
    await trainer.rewind();
    await trainer.step();
    await eventually(
      () => Promise.resolve(seen.losses.length),
      (count) => count === 1,
    );
    expect(seen.last?.state).toBe('paused');
  });
});

it('a run that is over at once is told of when it starts, even to a page that is busy', async () => {
  const trainer = new DirectTrainer(engineBytes());
  const told: string[] = [];
  trainer.subscribe(({ state }) => void told.push(state));
  await trainer.setText(names());
  await trainer.prepare(microgpt({ layers: 1, channels: 16, steps: 2 }));
  told.length = 0;
  // A page still busy with the last snapshot.
  let ready = false;
  trainer.ready = () => ready;
  await trainer.start();
  expect(told).toEqual(['running']);
  // Each probe leaves time for training steps.
  for (let question = 0; question < 20; question++) await trainer.probe('anna', 8);
  expect(told).toEqual(['running']);
  ready = true;
  trainer.flush();
  await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBe('finished');
  trainer.close();
});
