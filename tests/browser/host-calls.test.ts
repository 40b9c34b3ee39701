/** Calls of a host: element, frame and widget give the answers of the library. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameSchema, readCallWords } from '../../web/embed/build/frame-schema.ts';
import { createTrainer, finishRun } from '../../web/package/index.ts';
import type { TrainerWithPast } from '../../web/package/index.ts';
import { LOADER } from './anywidget-loader.ts';
import { dist } from './harness.ts';
import { useVisits } from './hosts.ts';

const visits = useVisits();

const TEXT = 'anna\nbella\nhanna\nalba\nnora\nleonora\n'.repeat(3);
const CHANGES = { channels: 8, layers: 1, heads: 2, context: 8, steps: 60 };
const SETTINGS = new URLSearchParams(
  Object.entries(CHANGES).map(([name, value]) => [name, String(value)]),
).toString();

/** What the library answers at step 40 of the run. */
let expected: Readonly<Record<string, unknown>>;
let trainer: TrainerWithPast;

beforeAll(async () => {
  trainer = await createTrainer({ engine: readFileSync(join(dist, 'embed/glasshouse.wasm')) });
  await trainer.setText(TEXT);
  await trainer.prepare({ preset: 'microgpt', changes: CHANGES });
  await finishRun(trainer);
  const at40 = await trainer.at(40);
  const at20 = await trainer.at(20);
  const { json, line } = await at40.receipt();
  expected = {
    step: 40,
    ...{ line, json },
    text: (await at40.sample({ prompt: 'a', seed: 5 })).text,
    loss: (await at40.analyse('hanna', 64)).meanLoss,
    attention: [...(await at40.probe('anna')).weights],
    tensors: (await at40.tensors('anna', false)).tensors.length,
    runs: (await trainer.trace('hanna')).runs,
    early: (await at20.sample({ prompt: 'a', seed: 5 })).text,
    bytes: (await at40.save('weights', '')).size,
    onnx: (await trainer.convert(await at40.save('weights', ''), 'onnx')).size,
    same: true,
  };
});
afterAll(() => {
  trainer.close();
});

/** Asks everything of `gpt`, a host whose questions of the model are those of `gpt.at()`. */
const ASK = `async (gpt) => {
  const { step } = await gpt.train(40);
  const model = gpt.at();
  const { json, line } = await gpt.receipt();
  const weights = await gpt.save('weights', '');
  return {
    step, line, json,
    text: (await model.sample({ prompt: 'a', seed: 5 })).text,
    loss: (await gpt.analyse('hanna', 64)).meanLoss,
    attention: [...(await model.probe('anna')).weights],
    tensors: (await gpt.tensors('anna', false)).tensors.length,
    runs: (await gpt.trace('hanna')).runs,
    early: (await gpt.at(20).sample({ prompt: 'a', seed: 5 })).text,
    bytes: weights.size,
    onnx: (await gpt.convert(weights, 'onnx')).size,
    same: (await gpt.verify(json)).same,
  };
}`;

const ELEMENT = `<script type="module" src="/site/embed/element.mjs"></script>
  <glasshouse-gpt preset="microgpt" settings="${SETTINGS.replaceAll('&', '&amp;')}" show="loss"></glasshouse-gpt>`;

/** Opens a page with an element that has learned nothing yet, and evaluates `script` with it. */
async function withElement(script: string): Promise<unknown> {
  const { page } = await visits.visit(ELEMENT);
  await page.waitForFunction(() => customElements.get('glasshouse-gpt') !== undefined);
  return page.evaluate(`(async () => {
    const gpt = document.querySelector('glasshouse-gpt');
    gpt.text = ${JSON.stringify(TEXT)};
    return (${script})(gpt);
  })()`);
}

it('gives a page the answers of the library, as methods of the element', async () => {
  expect(await withElement(ASK)).toEqual(expected);
});

it('gives them by messages of a frame, through its client', async () => {
  const { origin, url } = visits.host;
  const fragment = `preset=microgpt&${SETTINGS}&show=loss&text=host&host=${origin}`;
  const { page } = await visits.visit(
    `<iframe src="${url}other/embed.html#${fragment}" width="800" height="600"></iframe>`,
  );
  const answers = await page.evaluate(`(async () => {
    const { connectFrame } = await import('/site/embed/frame.mjs');
    const gpt = connectFrame(document.querySelector('iframe'));
    await gpt.setText(${JSON.stringify(TEXT)});
    return (${ASK})(gpt);
  })()`);
  expect(answers).toEqual(expected);
});

it('tells a frame’s page of progress, ends a call that is given up, and answers what it does not know', async () => {
  const { page } = await visits.visit(
    `<iframe src="/site/embed.html#preset=microgpt&${SETTINGS}&steps=100000&show=loss" width="800" height="600"></iframe>`,
  );
  const seen = await page.evaluate(`(async () => {
    const { connectFrame } = await import('/site/embed/frame.mjs');
    const frame = document.querySelector('iframe');
    const gpt = connectFrame(frame);
    const codes = [];
    const failed = (call) => call.catch(({ code }) => codes.push(code));
    const states = new Set();
    const stop = gpt.subscribe(({ state }) => states.add(state));
    const giveUp = new AbortController();
    const early = new AbortController();
    const given = failed(gpt.train(5, { signal: early.signal }));
    early.abort();
    await given;
    const training = failed(gpt.train(undefined, { signal: giveUp.signal }));
    while ((await gpt.status()).step === 0) await new Promise(requestAnimationFrame);
    giveUp.abort();
    await training;
    while ((await gpt.status()).state === 'running') await new Promise(requestAnimationFrame);
    stop();
    const parts = [];
    const { text } = await gpt.sample({ temperature: 0, maxTokens: 8 }, (part) => parts.push(part));
    await failed(gpt.explode());
    await failed(gpt.sample(5));
    await failed(gpt.at(1e6).sample({}));
    await failed(gpt.at(3).fit());
    const state = (await gpt.status()).state;
    gpt.close();
    return { codes, state, wrote: parts.at(-1) === text, ran: states.has('running') };
  })()`);
  expect(seen).toEqual({
    codes: ['cancelled', 'cancelled', 'host-call', 'host-call', 'past', 'host-call'],
    ...{ state: 'paused', wrote: true, ran: true },
  });
});

it('has the schema of the messages beside its documentation', () => {
  const root = join(dist, '..');
  const served: unknown = JSON.parse(readFileSync(join(dist, 'schema/frame.schema.json'), 'utf8'));
  expect(served).toEqual(frameSchema(readCallWords(root)));
});

it('does what was asked of an element before it was in the page', async () => {
  const { page } = await visits.visit(
    '<script type="module" src="/site/embed/element.mjs"></script>',
  );
  await page.waitForFunction(() => customElements.get('glasshouse-gpt') !== undefined);
  const step = await page.evaluate(`(async () => {
    const gpt = document.createElement('glasshouse-gpt');
    gpt.setAttribute('settings', 'steps=9');
    gpt.setText(${JSON.stringify(TEXT)});
    const trained = gpt.train(7);
    document.body.append(gpt);
    return (await trained).step;
  })()`);
  expect(step).toBe(7);
});

it('rejects where a run is paused, has no text to learn, or diverges', async () => {
  const codes = await withElement(`async (gpt) => {
    const codeOf = (call) => call.then(() => 'none', ({ code }) => code);
    gpt.setAttribute('settings', 'steps=1000000');
    const trained = codeOf(gpt.train());
    await gpt.train(3).catch(() => undefined);
    gpt.pause();
    const codes = [await trained];
    gpt.settings = 'steps=60&layers=1&channels=16&lr=10&schedule=constant&weight_decay=10';
    codes.push(await codeOf(gpt.train()));
    gpt.settings = '';
    gpt.setText('');
    codes.push(await codeOf(gpt.train()));
    return codes;
  }`);
  expect(codes).toEqual(['paused', 'diverged', 'empty']);
});

it('saves the whole run, opens it in another element, and trains on to the same receipt', async () => {
  const lines = await withElement(`async (gpt) => {
    await gpt.train(30);
    const file = await gpt.save('run');
    await gpt.train();
    const straight = (await gpt.receipt()).line;
    const other = document.createElement('glasshouse-gpt');
    gpt.after(other);
    await other.open(file, 'run.glasshouse');
    const begun = (await other.receipt()).line;
    await other.train();
    return [straight, (await other.receipt()).line, begun.split('-')[3]];
  }`);
  const [straight, resumed, begun] = lines as string[];
  expect(resumed).toBe(straight);
  expect(begun).toBe('30');
});

interface Sent {
  readonly content: { readonly id?: number; readonly result?: unknown };
  readonly buffers: readonly number[];
}

interface Handed {
  readonly answers: readonly Sent[];
  readonly receipt: string;
  readonly checkpoint: readonly number[];
}

it('answers messages of a notebook’s kernel, and hands it receipt and checkpoint', async () => {
  const { url, put } = visits.host;
  put('/loader.js', LOADER);
  const { page } = await visits.visit('<div id="cell"></div>');
  const traits = {
    ...{ text: TEXT, preset: 'microgpt', settings: CHANGES, show: ['loss'] },
    ...{ receipt: '', checkpoint: null },
  };
  const { answers, receipt, checkpoint } = await page.evaluate<Handed>(`(async () => {
    const { load } = await import('/loader.js');
    await load(${JSON.stringify(`${url}site/embed/widget.mjs`)}, ${JSON.stringify(traits)});
    const sent = [];
    const waiting = new Map();
    model.send = (content, _, buffers) => {
      sent.push({ content, buffers: buffers.map(({ byteLength }) => byteLength) });
      waiting.get(content.id)?.();
    };
    const ask = (id, call, ...args) => new Promise((resolve) => {
      waiting.set(id, resolve);
      for (const hear of model.listeners['msg:custom']) hear({ glasshouse: 1, id, call, args });
    });
    await ask(1, 'train', 40);
    await ask(2, 'receipt');
    await ask(3, 'save', 'weights', '');
    await ask(4, 'probe', 'anna');
    await ask(5, 'train');
    while (model.traits.checkpoint === null) await new Promise(requestAnimationFrame);
    const { receipt, checkpoint } = model.traits;
    return { answers: sent, receipt, checkpoint: [...new Uint8Array(checkpoint.buffer)] };
  })()`);
  const answer = (id: number): Sent => answers.find(({ content }) => content.id === id)!;
  expect(answer(2).content.result).toEqual({ line: expected['line'], json: expected['json'] });
  expect(answer(3).content.result).toEqual({ buffer: 0, type: 'Blob' });
  expect(answer(3).buffers).toEqual([expected['bytes']]);
  expect(answer(4).buffers).toEqual([4 * (expected['attention'] as number[]).length]);
  expect(receipt).toBe((await trainer.receipt()).json);
  const facts = await trainer.inspect({ weights: new Uint8Array(checkpoint) });
  expect(facts).toMatchObject({ step: 60, resumable: true });
});

it('trains nothing for a call that was given up before', async () => {
  const told = await withElement(`async (gpt) => {
    await gpt.train(2);
    const code = await gpt.train(50, { signal: AbortSignal.abort() }).catch(({ code }) => code);
    // Answered in the order of commands: a start would come first.
    await gpt.receipt();
    return [code, gpt.status().step, gpt.status().state];
  }`);
  expect(told).toEqual(['cancelled', 2, 'paused']);
});
