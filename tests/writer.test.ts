/** Texts that are written token by token: web/instruments/write/writer.ts. */
import { expect, it } from 'vitest';
import type { Model } from '../web/engine/past-run.ts';
import type { GenerationState } from '../web/engine/trainer.ts';
import { EngineText } from '../web/instruments/write/writer.ts';

const REQUEST = { prompt: 'a', temperature: 1, topK: 0, topP: 1, maxTokens: 8, seed: 1 };

/** An engine that notes its calls and counts the tokens of its text. */
function engine() {
  const calls: string[] = [];
  let count = 0;
  const answer = (call: string, tokens: number): Promise<GenerationState> => {
    calls.push(call);
    count = tokens;
    const choice = { token: { kind: 'text' } };
    const drawn = tokens === 0 ? { choice: null, from: null } : { choice, from: {} };
    const cache = { computed: 1, multiplyAdds: 1, multiplyAddsWithoutCache: 1 };
    const state = { step: 0, count, coming: {}, cache, ...drawn };
    return Promise.resolve(state as unknown as GenerationState);
  };
  const model = {
    beginGeneration: ({ prompt }: { readonly prompt: string }) => answer(`begin ${prompt}`, 0),
    nextToken: () => answer('next', count + 1),
    adjustSampling: () => answer('adjust', count),
  } as unknown as Model;
  return { model, calls };
}

const next = (model: Model): Promise<GenerationState> => model.nextToken();

it('a press begins the text, and sets what the reader changed before it draws', async () => {
  const { model, calls } = engine();
  const text = new EngineText();
  await text.call(model, REQUEST, 'a', next)();
  await text.call(model, { ...REQUEST, topK: 3 }, 'a', next)();
  expect(calls).toEqual(['begin a', 'next', 'adjust', 'next']);
  expect(text.written.value?.tokens.map(({ dice }) => dice.topK)).toEqual([0, 3]);
});

it('a press with another prompt begins another text', async () => {
  const { model, calls } = engine();
  const text = new EngineText();
  await text.call(model, REQUEST, 'a', next)();
  await text.call(model, { ...REQUEST, prompt: 'b' }, 'b', next)();
  expect(calls.slice(2)).toEqual(['begin b', 'next']);
  expect(text.written.value?.tokens).toHaveLength(1);
});

it('a token that comes after its text was discarded is not shown', async () => {
  const { model, calls } = engine();
  const text = new EngineText();
  const first = text.call(model, REQUEST, 'a', next);
  const second = text.call(model, REQUEST, 'a', next);
  const written = first();
  text.discard();
  await written;
  await second();
  expect(text.written.value).toBeNull();
  expect(calls.filter((call) => call === 'next')).toHaveLength(1);
});

it('no text is begun for a preview while another is being written', async () => {
  const { model, calls } = engine();
  const text = new EngineText();
  const preview = async () => text.preview(REQUEST).ask(model);
  await preview();
  const press = text.call(model, REQUEST, 'a', next);
  await expect(preview()).rejects.toMatchObject({ code: 'cancelled' });
  await press();
  await expect(preview()).rejects.toMatchObject({ code: 'cancelled' });
  expect(calls).toEqual(['begin a', 'begin a', 'next']);
});
