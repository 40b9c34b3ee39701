/** Generation token by token: draws, undo, the KV cache and its cost. */
import { describe, expect, test } from 'vitest';
import { multiplyAdds } from '../web/engine/generation.ts';
import { eventually } from './wait.ts';
import { drawn, encode, names, plain, prose, useTrainers } from './node/begun-trainer.ts';

const begin = useTrainers();

describe('writing step by step', () => {
  test('draws what sample draws, to the last token, through refills', async () => {
    const { trainer, train } = await begin('tinygpt', prose);
    await train(20);
    const options = { prompt: 'the', temperature: 0.9, topK: 12, topP: 0.9, seed: 3 };
    const sample = await trainer.sample({ ...options, maxTokens: 30 });
    let state = await trainer.beginGeneration(options);
    expect(state).toMatchObject({ token: null, count: 0, text: '', ended: false });
    expect(state.cache).toMatchObject({ rows: 3, capacity: 12, computed: 3 });
    let refills = 0;
    for (let i = 0; i < 30; i++) {
      const shown = state.coming!;
      state = await trainer.nextToken();
      expect(state.from).toEqual(shown);
      refills += state.refilled ? 1 : 0;
      expect(state.context.at(-1)).toEqual(state.token);
    }
    expect(state.text).toBe(sample.text);
    expect(refills).toBe(sample.refills);
    expect(refills).toBeGreaterThan(0);
  });

  test('shows a distribution that sums to one before and after, and cuts as top-k says', async () => {
    const { trainer } = await begin('tinygpt', prose);
    const { coming } = await trainer.beginGeneration({ ...plain, prompt: 'a', topK: 5 });
    const { choices, rest, drawable, adjustedEntropy, entropy } = coming!;
    const total = (of: (choice: (typeof choices)[number]) => number): number =>
      choices.reduce((sum, choice) => sum + of(choice), 0);
    expect(choices).toHaveLength(20);
    expect(rest.count).toBe(236);
    expect(drawable).toBe(5);
    expect(total(({ probability }) => probability) + rest.probability).toBeCloseTo(1, 5);
    expect(total(({ adjusted }) => adjusted) + rest.adjusted).toBeCloseTo(1, 5);
    expect(choices.filter(({ adjusted }) => adjusted > 0)).toHaveLength(5);
    expect(adjustedEntropy).toBeLessThan(entropy);
    const letters = await begin('microgpt', names);
    const whole = await letters.trainer.beginGeneration({ ...plain, prompt: '' });
    expect(whole.coming!.rest).toEqual({ count: 0, probability: 0, adjusted: 0 });
  });

  test('takes a token in place of the drawn one, without moving the random stream', async () => {
    const { trainer } = await begin('tinygpt', prose);
    await trainer.beginGeneration({ ...plain, prompt: 'the' });
    const taken = await trainer.takeToken(113);
    expect(taken).toMatchObject({ taken: true, text: 'q', count: 1 });
    const after = drawn(await trainer.nextToken());
    await trainer.beginGeneration({ ...plain, prompt: 'theq' });
    expect(drawn(await trainer.nextToken())).toBe(after);
    await expect(trainer.takeToken(256)).rejects.toMatchObject({ code: 'argument' });
    await expect(trainer.takeToken(-1)).rejects.toMatchObject({ code: 'argument' });
  });

  test('tells the number that each token was drawn with, and the part of the line that it fell in', async () => {
    const { trainer, train } = await begin('tinygpt', prose);
    await train(10);
    await trainer.beginGeneration({ ...plain, prompt: 'the', topK: 30 });
    for (let i = 0; i < 20; i++) {
      const { token, choice, uniform, from } = await trainer.nextToken();
      expect(choice!.token).toEqual(token);
      expect(uniform).toBeGreaterThanOrEqual(choice!.start - 1e-5);
      expect(uniform).toBeLessThan(choice!.start + choice!.adjusted + 1e-5);
      const named = from!.choices.find((one) => one.token.id === token!.id);
      if (named !== undefined) expect(choice).toEqual(named);
    }
    const taken = await trainer.takeToken(113);
    expect(taken.uniform).toBeNaN();
    expect(taken.choice!.token.text).toBe('q');
    await trainer.beginGeneration({ ...plain, prompt: 'the', temperature: 0 });
    expect((await trainer.nextToken()).uniform).toBeNaN();
  });

  test('takes tokens back one by one, with their draws, through refills and beyond the end', async () => {
    const { trainer } = await begin('tinygpt', prose);
    let state = await trainer.beginGeneration({ ...plain, prompt: 'the' });
    const steps = [state];
    for (let i = 0; i < 18; i++) {
      state = i === 4 ? await trainer.takeToken(113) : await trainer.nextToken();
      steps.push(state);
    }
    expect(steps.some(({ refilled }) => refilled)).toBe(true);
    for (const step of steps.slice(0, -1).reverse()) {
      const { text, count, coming, context, cache, generation, refilled } =
        await trainer.undoToken();
      expect({ text, count, context, generation }).toEqual({
        text: step.text,
        count: step.count,
        context: step.context,
        generation: step.generation,
      });
      // Cache and work counts equal those recorded at that step.
      expect(cache).toEqual(step.cache);
      expect(refilled).toBe(step.refilled);
      for (const [i, choice] of step.coming!.choices.entries()) {
        expect(coming!.choices[i]!.probability).toBeCloseTo(choice.probability, 6);
      }
    }
    await expect(trainer.undoToken()).rejects.toMatchObject({ code: 'state' });
    for (const [i, step] of steps.slice(1).entries()) {
      const again = i === 4 ? await trainer.takeToken(113) : await trainer.nextToken();
      expect([again.token, again.uniform]).toEqual([step.token, step.uniform]);
    }
    const letters = await begin('microgpt', names);
    const start = await letters.trainer.beginGeneration({ ...plain, prompt: 'an' });
    expect(await letters.trainer.takeToken(start.prompt[0]!.id)).toMatchObject({ ended: true });
    const back = await letters.trainer.undoToken();
    expect(back).toMatchObject({ ended: false, count: 0 });
    expect(back.coming).toEqual(start.coming);
  });

  test('keeps text and draws when only the sampling changes, as if drawn so from there on', async () => {
    const { trainer } = await begin('tinygpt', prose);
    await trainer.beginGeneration({ ...plain, prompt: 'the' });
    // Enough tokens to refill the context on the way.
    const steps = [];
    for (let i = 0; i < 12; i++) steps.push(await trainer.nextToken());
    const last = steps.at(-1)!;
    const greedy = await trainer.adjustSampling({ temperature: 0, topK: 0, topP: 1 });
    expect(greedy.text).toBe(last.text);
    expect(greedy.count).toBe(last.count);
    expect(greedy.coming!.drawable).toBe(1);
    expect(greedy.coming!.choices[0]!.probability).toBeCloseTo(
      last.coming!.choices[0]!.probability,
      6,
    );
    const { temperature, topK, topP } = plain;
    const back = await trainer.adjustSampling({ temperature, topK, topP });
    expect(back.coming!.adjustedEntropy).toBeCloseTo(last.coming!.adjustedEntropy, 6);
    // The next draw equals the draw without the change of sampling.
    const next = await trainer.nextToken();
    await trainer.beginGeneration({ ...plain, prompt: 'the' });
    for (let i = 0; i < 12; i++) await trainer.nextToken();
    const straight = await trainer.nextToken();
    expect([next.token, next.uniform]).toEqual([straight.token, straight.uniform]);
    await trainer.endGeneration();
    await expect(trainer.adjustSampling({ temperature, topK, topP })).rejects.toMatchObject({
      code: 'state',
    });
  });

  test('ends when BOS is taken, and refuses another token then', async () => {
    const { trainer } = await begin('microgpt', names);
    const first = await trainer.beginGeneration({ ...plain, prompt: 'an' });
    expect(first.prompt.map(({ kind }) => kind)).toEqual(['bos', 'text', 'text']);
    const bos = first.prompt[0]!.id;
    expect(await trainer.takeToken(bos)).toMatchObject({ ended: true, coming: null, text: '' });
    await expect(trainer.nextToken()).rejects.toMatchObject({ code: 'state' });
    await trainer.endGeneration();
    await expect(trainer.nextToken()).rejects.toMatchObject({ code: 'state' });
  });

  test('holds back the bytes of a character until it is whole', async () => {
    const { trainer } = await begin('tinygpt', prose);
    await trainer.beginGeneration({ ...plain, prompt: '' });
    const states = [];
    for (const byte of encode('猫')) states.push(await trainer.takeToken(byte));
    expect(states.map(({ text, pending }) => [text, pending])).toEqual([
      ['', 'E7'],
      ['', 'E78C'],
      ['猫', ''],
    ]);
    expect(states[0]!.token).toMatchObject({ kind: 'bytes', hex: 'E7' });
  });

  test('changes neither the training nor a sample, and reads anew when the weights have changed', async () => {
    const { trainer, seen, train } = await begin('tinygpt', prose);
    await train(12);
    const expected = [...seen.losses];
    await trainer.rewind();
    const text = { prompt: 'the ', temperature: 1, topK: 0, topP: 1, seed: 5, maxTokens: 20 };
    const sampled = (await trainer.sample(text)).text;
    await trainer.beginGeneration({ ...plain, prompt: 'the c' });
    await trainer.nextToken();
    const sample = trainer.sample(text);
    await trainer.nextToken();
    expect((await sample).text).toBe(sampled);
    for (let step = 1; step <= 12; step++) {
      await trainer.step();
      const state = await trainer.nextToken();
      expect(state).toMatchObject({ reread: true, step });
    }
    await eventually(
      () => Promise.resolve(seen.losses.length),
      (count) => count === 12,
    );
    expect(seen.losses).toEqual(expected);
    expect((await trainer.nextToken()).reread).toBe(false);
    await trainer.rewind();
    await trainer.beginGeneration({ ...plain, prompt: 'the c' });
    await trainer.nextToken();
    await train(12);
    const back = await trainer.undoToken();
    expect(back).toMatchObject({ reread: true, step: 12, cache: { rows: 5, computed: 5 } });
    // The cache after training equals a fresh computation over the same tokens.
    await trainer.beginGeneration({ ...plain, prompt: 'the ca' });
    await train(13);
    const state = await trainer.takeToken(116);
    const fresh = await trainer.beginGeneration({ ...plain, prompt: 'the cat' });
    expect(state.context).toEqual(fresh.context);
    for (const [i, { probability }] of fresh.coming!.choices.entries()) {
      expect(state.coming!.choices[i]!.probability).toBeCloseTo(probability, 6);
    }
    await trainer.rewind();
    await expect(trainer.nextToken()).rejects.toMatchObject({ code: 'state' });
  });

  test('counts the work of the cache as the shapes of the weights do', async () => {
    const { trainer } = await begin('tinygpt', prose);
    const { tensors } = await trainer.tensors('a', false);
    const matrices = tensors
      .filter(
        ({ kind, shape, name }) =>
          kind === 'parameter' && shape.length === 2 && !/^w[tp]e/.test(name),
      )
      .reduce((sum, { shape }) => sum + shape[0]! * shape[1]!, 0);
    const size = { layers: 2, channels: 16, vocab: 256 };
    // A single token attends to itself: one product with its key and one with its value per layer.
    expect(multiplyAdds(size, 0, 1)).toBe(matrices + 2 * 2 * 16);
    const parts = [multiplyAdds(size, 0, 5), multiplyAdds(size, 5, 1), multiplyAdds(size, 6, 3)];
    expect(parts.reduce((a, b) => a + b)).toBe(multiplyAdds(size, 0, 9));
    await trainer.beginGeneration({ ...plain, prompt: 'the ca' });
    const { cache } = await trainer.takeToken(116);
    expect(cache).toEqual({
      rows: 7,
      capacity: 12,
      layers: 2,
      channels: 16,
      bytes: 7 * 2 * 16 * 2 * 4,
      computed: 1,
      multiplyAdds: multiplyAdds(size, 6, 1),
      multiplyAddsWithoutCache: multiplyAdds(size, 0, 7),
    });
  });

  test('stops at the longest text there can be, and keeps it; so does sample', async () => {
    const tiny = { layers: 1, heads: 1, channels: 1, context: 2 };
    const { trainer } = await begin('tinygpt', prose, tiny);
    const written = await trainer.sample({ ...plain, prompt: 'a', maxTokens: 65_536 });
    expect(written).toMatchObject({ limitReached: true, ended: false, tokens: 65_281 });
    expect(written.text.length).toBeGreaterThan(20_000);
  });
});
