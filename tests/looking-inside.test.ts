/**
 * Answers of the trainer about the inside of a model: scores of a text, tensors, heads, merges. One
 * form of the trainer is enough here; tests/trainer-forms.test.ts runs both.
 */
import { describe, expect, test } from 'vitest';
import { bitsPerCharacter, entropyOf, likeliest } from '../web/engine/distribution.ts';
import { pointsOfNote } from '../web/engine/note-points.ts';
import { incompleteTail } from '../web/engine/generation.ts';
import { headStatistics } from '../web/engine/head-statistics.ts';
import { MAX_VALUES, partOf } from '../web/engine/tensors.ts';
import { eventually } from './wait.ts';
import { encode, names, prose, small, useTrainers } from './node/begun-trainer.ts';

const begin = useTrainers();

describe('the analysis of a text', () => {
  test('of one document has the loss that training on it measures, token by token', async () => {
    const { trainer, seen, train } = await begin('microgpt', 'bella\n', { batch: 1 });
    const analysis = await trainer.analyse('bella', 100);
    await train(1);
    expect(analysis.tokens.map(({ token }) => token.text).join('')).toBe('bella');
    expect(analysis.tokens.map(({ token }) => token.kind)).toEqual(
      ['bos', 'text', 'text', 'text', 'text', 'text', 'bos'], // prettier-ignore
    );
    expect(analysis.scored).toBe(6);
    // The two means of six floats round once more each.
    expect(Math.abs(analysis.meanLoss - seen.losses[0]!)).toBeLessThan(1e-6);
  });

  test('of one window of a stream has the loss that training on it measures', async () => {
    const text = 'the cat sat ;'; // one token more than the context: a single window
    const { trainer, seen, train } = await begin('tinygpt', text, { batch: 1, validation: 0 });
    const analysis = await trainer.analyse(text, 100);
    await train(1);
    expect(analysis.scored).toBe(12);
    expect(analysis.tokens[0]?.score).toBeNull();
    expect(Math.abs(analysis.meanLoss - seen.losses[0]!)).toBeLessThan(1e-6);
  });

  test('agrees with the logits of the probe: loss, rank, entropy and candidates', async () => {
    const { trainer, train } = await begin('tinygpt', prose);
    await train(30);
    const text = 'the mat sat';
    const { tokens } = await trainer.analyse(text, 100);
    const list = await trainer.tensors(text, false);
    const logits = list.tensors.find(({ name }) => name === 'logits')!;
    for (let t = 1; t < tokens.length; t++) {
      const row = await trainer.tensor(logits.index, { gradient: false, firstRow: t - 1, rows: 1 });
      const most = Math.max(...row.values);
      const weights = Array.from(row.values, (x) => Math.exp(x - most));
      const total = weights.reduce((a, b) => a + b, 0);
      const p = weights.map((weight) => weight / total);
      const { token, score } = tokens[t]!;
      expect(score!.loss).toBeCloseTo(-Math.log(p[token.id]!), 5);
      expect(score!.probability).toBeCloseTo(p[token.id]!, 6);
      expect(score!.entropy).toBeCloseTo(-p.reduce((sum, x) => sum + x * Math.log(x), 0), 4);
      expect(score!.rank).toBe(1 + row.values.filter((x) => x > row.values[token.id]!).length);
      expect(score!.tied).toBe(row.values.filter((x) => x === row.values[token.id]!).length);
      expect(score!.candidates).toHaveLength(8);
      expect(score!.candidates[0]!.probability).toBeCloseTo(Math.max(...p), 6);
    }
  });

  test('reads a long stream in windows that each give at least half a context', async () => {
    const { trainer, train } = await begin('tinygpt', prose);
    await train(5);
    const text = prose.slice(0, 40);
    const whole = await trainer.analyse(text, 100);
    expect(whole.scored).toBe(39);
    // Token 13 is the first beyond the first window; its own window begins at token 6.
    const [first, second] = [await trainer.analyse(text.slice(0, 13), 100), text.slice(6, 19)];
    expect(whole.tokens.slice(0, 13)).toEqual(first.tokens);
    const later = await trainer.analyse(second, 100);
    expect(whole.tokens.slice(13, 19)).toEqual(later.tokens.slice(7));
    const cut = await trainer.analyse(text, 30);
    expect(cut).toMatchObject({ omitted: 10, scored: 29 });
    expect(cut.tokens).toEqual(whole.tokens.slice(0, 30));
  });

  test('takes documents line by line, and says what the context and the limit leave out', async () => {
    const { trainer } = await begin('microgpt', `${names}annabellaleonoranora\n`);
    const { tokens, cut, omitted, scored } = await trainer.analyse(
      'anna\r\n\nannabellaleonora\nbella\nnora',
      21,
    );
    // Scored: 4 letters and BOS, then 12 of 16 (the context ends there), then 5 letters and BOS.
    // The limit omits the last line.
    expect({ scored, cut, omitted }).toEqual({ scored: 5 + 12 + 6, cut: 4, omitted: 4 });
    expect(tokens.filter(({ score }) => score === null)).toHaveLength(3);
    // A document that continues beyond the cut has no end token there.
    const open = await trainer.analyse('nora\nanna', 21, true);
    expect(open.tokens.map(({ token }) => token.kind).slice(-5)).toEqual(['bos', 'text', 'text', 'text', 'text']); // prettier-ignore
    expect(open.scored).toBe(5 + 4);
    await expect(trainer.analyse('', 10)).rejects.toMatchObject({ code: 'empty' });
    // The engine names only the first missing character; the analysis names each once.
    const lacking = { code: 'character', values: [0xeb, 0x1f600] };
    await expect(trainer.analyse('ëa😀ë', 10)).rejects.toMatchObject(lacking);
    // The subject lists the missing characters with a look-alike in the vocabulary.
    const { trainer: other } = await begin('microgpt', '好，好！a\n'.repeat(9));
    const alike = { code: 'character', values: [0x2c, 0x3f], subject: ',' };
    await expect(other.analyse('a,?', 10)).rejects.toMatchObject(alike);
    const request = { prompt: 'aë😀', temperature: 1, topK: 0, topP: 1, seed: 1 };
    await expect(trainer.beginGeneration(request)).rejects.toMatchObject(lacking);
  });
});

describe('the texts of the steps', () => {
  // Each alphabet gives the ids to other characters, so that no ordinary token can pass for the end
  // token.
  test.each([
    ['microgpt', 'abc\ncab\nbca\n'],
    ['microgpt', names],
    ['gpt2', prose],
  ])('of %s end where the same text ends that is asked for: %j', async (preset, text) => {
    const { trainer, info } = await begin(preset, text);
    const shown: string[] = [];
    const unended: number[] = [];
    trainer.subscribe(({ samples }) => {
      for (const { texts, cut = [] } of samples) {
        shown.push(...texts);
        unended.push(...cut);
      }
    });
    const maxTokens = 9;
    await trainer.watch({ attention: null, samples: { count: 8, maxTokens } });
    await eventually(
      () => Promise.resolve(shown.length),
      (count) => count >= (info.documents ? 8 : 1),
    );
    for (const [index, text] of shown.entries()) {
      const dice = { temperature: 0.8, topK: 0, topP: 1, seed: index + 1 };
      const asked = await trainer.sample({ prompt: '', maxTokens, ...dice });
      expect([index, text]).toEqual([index, asked.text]);
      // A stream has no end token.
      const isCut = info.documents && (!asked.ended || asked.full);
      expect([index, unended.includes(index)]).toEqual([index, isCut]);
    }
  });
});

describe('the tensors of a pass', () => {
  test('are all listed, with statistics that their values have', async () => {
    const { trainer, train } = await begin('microgpt', names);
    await train(3);
    const list = await trainer.tensors('leonora', true);
    expect(list).toMatchObject({ step: 3, omitted: 0 });
    expect(list.tokens).toHaveLength(8);
    const kinds = new Set(list.tensors.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['node', 'parameter']));
    for (const { index, shape, values, gradients, name } of list.tensors) {
      const size = shape.reduce((a, b) => a * b, 1);
      const matrices = shape.slice(0, -2).reduce((a, b) => a * b, 1);
      for (const [gradient, stated] of [
        [false, values],
        [true, gradients],
      ] as const) {
        if (stated === null) continue;
        const all: number[] = [];
        for (let matrix = 0; matrix < matrices; matrix++) {
          all.push(...(await trainer.tensor(index, { gradient, matrix })).values);
        }
        expect(all.length, name).toBe(size);
        const mean = all.reduce((a, b) => a + b, 0) / size;
        const spread = all.reduce((a, b) => a + (b - mean) ** 2, 0) / size;
        expect(stated.min).toBe(Math.min(...all));
        expect(stated.max).toBe(Math.max(...all));
        expect(stated.mean).toBeCloseTo(mean, 10);
        expect(stated.deviation).toBeCloseTo(Math.sqrt(spread), 10);
        expect(stated.zeros).toBe(all.filter((x) => x === 0).length / size);
        expect(stated.nans).toBe(0);
      }
    }
    const probs = list.tensors.find(({ name }) => name === 'block0.attn.probs')!;
    expect(probs).toMatchObject({ op: 'attention', function: 'attention_forward' });
    const attention = await trainer.probe('leonora', 100);
    const head = await trainer.tensor(probs.index, { gradient: false, matrix: 1 });
    expect([...head.values]).toEqual([...attention.weights.subarray(64, 128)]);
  });

  test('are those of the listed text even after another probe and more training', async () => {
    const { trainer, train } = await begin('microgpt', names);
    const { tensors } = await trainer.tensors('nora', false);
    const logits = tensors.find(({ name }) => name === 'logits')!.index;
    const before = await trainer.tensor(logits, { gradient: false });
    await trainer.probe('anna', 100);
    await trainer.analyse('bella', 100);
    expect(await trainer.tensor(logits, { gradient: false })).toEqual(before);
    await train(2);
    const after = await trainer.tensor(logits, { gradient: false });
    expect(after.step).toBe(2);
    const again = (await trainer.tensors('nora', false)).tensors[logits]!;
    expect(Math.max(...after.values)).toBe(again.values.max);
    await expect(trainer.tensor(logits, { gradient: true })).rejects.toMatchObject({
      code: 'state',
    });
    await expect(trainer.tensor(9999, { gradient: false })).rejects.toMatchObject({
      code: 'state',
    });
  });

  test('come in parts: any window of a matrix, thinned out when it is large', async () => {
    const { trainer } = await begin('tinygpt', prose);
    const { tensors } = await trainer.tensors('the cat', false);
    const index = tensors.find(({ name }) => name === 'wte.weight')!.index;
    const all = await trainer.tensor(index, { gradient: false });
    const window = { firstRow: 97, rows: 3, firstColumn: 5, columns: 4 };
    const part = await trainer.tensor(index, { gradient: false, ...window });
    expect(part).toMatchObject({ ...window, rowStride: 1, columnStride: 1 });
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 4; c++) {
        expect(part.values[r * 4 + c]).toBe(all.values[(97 + r) * 16 + 5 + c]);
      }
    }
    const large = partOf([3, 50_257, 768], { gradient: false, matrix: 2 });
    const { rows, columns, rowStride, columnStride } = large.place;
    expect(rows * columns).toBeLessThanOrEqual(MAX_VALUES);
    expect((rows - 1) * rowStride).toBeLessThan(50_257);
    expect((columns - 1) * columnStride).toBeLessThan(768);
    expect(large.offset).toBe(2 * 50_257 * 768);
    const nothing = partOf([4], { gradient: false, firstColumn: 9, columns: 2, matrix: 5 });
    expect(nothing.place).toMatchObject({ rows: 1, columns: 0 });
  });
});

describe('the heads', () => {
  const token = (id: number) => ({ id, text: '', kind: 'text' as const, hex: '' });

  test('are measured as a hand does it', () => {
    // Three tokens; the third equals the first.
    const weights = Float32Array.from([1, 0, 0, 0.25, 0.75, 0, 0.5, 0.25, 0.25]);
    const tokens = [token(4), token(5), token(4)];
    const [head] = headStatistics({ step: 0, tokens, layers: 1, heads: 1, weights, omitted: 0 });
    expect(head!.previous.value).toBeCloseTo((0.25 + 0.25) / 2, 12);
    expect(head!.previous.uniform).toBeCloseTo((1 / 2 + 1 / 3) / 2, 12);
    expect(head!.itself.value).toBeCloseTo((0.75 + 0.25) / 2, 12);
    expect(head!.itself.uniform).toBeCloseTo((1 / 2 + 1 / 3) / 2, 12);
    expect(head!.first.value).toBeCloseTo((0.25 + 0.5) / 2, 12);
    expect(head!.same).toEqual({ value: 0.5, uniform: 1 / 3, rows: 1 });
    const second = -(0.25 * Math.log(0.25) + 0.75 * Math.log(0.75)) / Math.log(2);
    const third = -(0.5 * Math.log(0.5) + 0.5 * Math.log(0.25)) / Math.log(3);
    expect(head!.entropy.value).toBeCloseTo((second + third) / 2, 12);
    expect(head!.entropy.uniform).toBe(1);
  });

  test('that look everywhere equally have the value of uniform attention', () => {
    const size = 6;
    const weights = new Float32Array(size * size);
    for (let t = 0; t < size; t++) weights.fill(1 / (t + 1), t * size, t * size + t + 1);
    const tokens = [1, 2, 1, 3, 1, 2].map(token);
    const [head] = headStatistics({ step: 0, tokens, layers: 1, heads: 1, weights, omitted: 0 });
    for (const name of ['previous', 'itself', 'first', 'same', 'entropy'] as const) {
      expect(head![name].value).toBeCloseTo(head![name].uniform, 6);
    }
  });

  test('before training are told later as they were, for any text', async () => {
    const { trainer, train } = await begin('microgpt', names);
    const at = async (text: string) => headStatistics(await trainer.probe(text, 100));
    const expected = [await at('nora'), await at('hanna')];
    await train(15);
    expect(await trainer.untrainedHeads('nora', 100)).toEqual(expected[0]);
    expect(await trainer.untrainedHeads('hanna', 100)).toEqual(expected[1]);
    expect(await at('nora')).not.toEqual(expected[0]);
    await trainer.setText(encode('other\n'));
    expect(await trainer.untrainedHeads('hanna', 100)).toEqual(expected[1]);
    expect(await trainer.untrainedHeads('anna', 100)).toBeNull();
    // A new probe needs the text of the run, which `setText` restores.
    await trainer.setText(names);
    expect(await trainer.untrainedHeads('anna', 100)).not.toBeNull();
  });

  test('of weights from a file have no known beginning, nor have runs that began with them', async () => {
    const { trainer, train } = await begin('microgpt', names);
    const recipe = { preset: 'microgpt', changes: small };
    const open = async (
      form: 'weights' | 'checkpoint',
      purpose: 'generate' | 'train' | 'resume',
    ) => {
      const weights = await trainer.save(form, '');
      const files = { weights, config: null, vocab: null, merges: null };
      await trainer.prepare(recipe, { files, purpose });
    };
    await open('weights', 'generate');
    expect(await trainer.untrainedHeads('nora', 100)).toBeNull();
    await open('weights', 'train');
    await train(3);
    await open('checkpoint', 'resume');
    expect(await trainer.untrainedHeads('nora', 100)).toBeNull();
  });

  test('of a run that goes on from its checkpoint are made again from its seed', async () => {
    const { trainer, train } = await begin('gpt2', prose);
    const expected = headStatistics(await trainer.probe('hen', 100));
    await train(4);
    const weights = await trainer.save('checkpoint', '');
    const files = { weights, config: null, vocab: null, merges: null };
    const { values } = await trainer.inspect(files);
    const recipe = { preset: 'gpt2', changes: values };
    await trainer.prepare(recipe, { files, purpose: 'resume' });
    expect(headStatistics(await trainer.probe('hen', 100))).not.toEqual(expected);
    expect(await trainer.untrainedHeads('hen', 100)).toEqual(expected);
  });
});

describe('the facts of a run', () => {
  test('hold the learning rate and the gradient norm of every step', async () => {
    const { trainer, seen, train } = await begin('gpt2', prose, {
      tokenizer: 0,
      warmup: 4,
      lr: 0.01,
    });
    await train(6);
    for (const step of [0, 1, 2, 3])
      expect(seen.rates[step]).toBeCloseTo((0.01 * (step + 1)) / 4, 12);
    expect(seen.norms).toHaveLength(6);
    for (const norm of seen.norms) expect(norm).toBeGreaterThan(0);
    await trainer.rewind();
    expect(seen.norms).toHaveLength(0);
  });

  test('convert nats per token to bits per character, whatever a token is', async () => {
    const bytes = await begin('tinygpt', '春眠不觉晓'.repeat(20), { validation: 0.3 });
    expect(bytes.info.trainTokensPerCharacter).toBeCloseTo(3, 1);
    expect(bytes.info.validationTokensPerCharacter).toBeCloseTo(3, 1);
    // A document of n characters has n + 1 targets; the last is its line break.
    const documents = await begin('microgpt', names);
    expect(documents.info.trainTokensPerCharacter).toBe(1);
    expect(documents.info.validationTokensPerCharacter).toBeNaN();
    expect([documents.info.heldOutText, bytes.info.heldOutText.length]).toEqual(['', 30]);
    // The validation share sets the number of lines; tests/c checks their choice.
    const drawn = await begin('microgpt', names, { validation: 0.2 });
    const lines = drawn.info.heldOutText.trimEnd().split('\n');
    expect(lines).toHaveLength(Math.floor(0.2 * names.trim().split('\n').length));
    for (const line of lines) expect(names).toContain(line);
    const learned = await begin('gpt2', prose, { vocabulary: 270 });
    expect(learned.info.trainTokensPerCharacter).toBeLessThan(0.6);
    expect(bitsPerCharacter(Math.log(256), 1)).toBeCloseTo(8, 12);
  });

  test('of a checkpoint that is opened begin with the loss on held-out text, as it was measured', async () => {
    // Validation runs after the first step and at an interval, which is one step here.
    const { trainer, seen, train } = await begin('tinygpt', prose, { validation: 0.2, steps: 20 });
    await train(7);
    const before = seen.validations.at(-1);
    expect(before?.step).toBe(7);
    const files = { weights: await trainer.save('checkpoint', ''), config: null, vocab: null, merges: null }; // prettier-ignore
    const recipe = { preset: 'tinygpt', changes: (await trainer.inspect(files)).values };
    await trainer.prepare(recipe, { files, purpose: 'resume' });
    expect(seen.validations).toEqual([before]);
    await trainer.step();
    expect(seen.validations.map(({ step }) => step)).toEqual([7, 8]);
  });

  test('of a checkpoint are all there when it is opened, and are measured only where it has none', async () => {
    const { trainer, seen, train } = await begin('tinygpt', prose, { validation: 0.2, steps: 20 });
    await train(7);
    const before = [...seen.validations];
    expect(before.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const open = async (form: 'checkpoint' | 'weights', note: string) => {
      const weights = await trainer.save(form, note);
      const files = { weights, config: null, vocab: null, merges: null };
      const facts = await trainer.inspect(files);
      const recipe = { preset: 'tinygpt', changes: facts.values };
      await trainer.prepare(recipe, { files, purpose: form === 'checkpoint' ? 'resume' : 'train' });
      return facts.note;
    };
    // The client's own note survives.
    const note = await open('checkpoint', '{"text":"names"}');
    expect(JSON.parse(note)).toMatchObject({ text: 'names' });
    expect(seen.validations).toEqual(before);
    await trainer.step();
    expect(seen.validations.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // A note that is not a JSON object is returned unchanged; weights for a new run carry no
    // history.
    expect(await open('checkpoint', 'mine')).toBe('mine');
    expect(seen.validations.map(({ step }) => step)).toEqual([8]);
    await open('weights', '{"text":"names"}');
    expect(seen.validations).toEqual([]);
  });

  test.each([
    ['[]', '{"validations":7}', '{"validations":[[1]]}', '{"validations":[[1,"2"]]}'],
    ['{', '{"validations":[[2,1],[1,1]]}', '{"validations":[[9,1]]}', '{"validations":[[0.5,1]]}'],
  ])('of a note that no page wrote are not believed: %s, %s, %s, %s', (...notes) => {
    for (const note of notes) expect(pointsOfNote(note, 8)).toEqual([]);
    expect(pointsOfNote('{"validations":[[1,2.5],[8,2]]}', 8)).toHaveLength(2);
  });

  test('name the tokens of the vocabulary by their ids, BOS at its place, and none beyond the last', async () => {
    const { trainer } = await begin('microgpt', names);
    const all = await trainer.vocabulary(0, Infinity);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index));
    expect(all.map(({ text }) => text).join('')).toBe('abehlnor');
    expect(all.at(-1)!.kind).toBe('bos');
    expect(await trainer.vocabulary(3, 2)).toEqual(all.slice(3, 5));
    expect(await trainer.vocabulary(-2, 1)).toEqual(all.slice(0, 1));
    expect(await trainer.vocabulary(all.length, 9)).toEqual([]);
  });

  test('name the merges of a BPE in the order in which they were learned', async () => {
    const { trainer, info } = await begin('gpt2', prose, { vocabulary: 270 });
    const merges = await trainer.merges(0, 100);
    expect(merges).toHaveLength(info.merges);
    for (const { left, right, result, occurrences } of merges) {
      expect(result.hex).toBe(left.hex + right.hex);
      expect(occurrences).toBeGreaterThan(0);
    }
    expect(merges[0]!.result.text).toBe('at');
    expect(await trainer.merges(3, 2)).toEqual(merges.slice(3, 5));
    const letters = await begin('microgpt', names);
    expect(await letters.trainer.merges(0, 10)).toEqual([]);
  });
});

describe('plain facts of a distribution', () => {
  test('are the likeliest in order, the smaller id first among equals', () => {
    expect(likeliest([1, 5, 3, 5, 0, 4], 3)).toEqual([1, 3, 5]);
    expect(likeliest([2, 1], 5)).toEqual([0, 1]);
    expect(entropyOf(Float32Array.from([0.5, 0, 0.5]))).toBeCloseTo(Math.LN2, 12);
  });

  test.each([
    ['a', ''],
    ['é', ''],
    ['\xe7', 'e7'],
    ['\xe7\x8c', 'e78c'],
    ['a\xf0\x9f\x90', 'f09f90'],
    ['\x80\x80', ''],
    ['\xe7a', ''],
  ])('an unfinished character at the end of %j is %j', (latin, expected) => {
    const bytes = latin === 'é' ? encode('é') : Uint8Array.from(latin, (c) => c.charCodeAt(0));
    expect(Buffer.from(incompleteTail(bytes)).toString('hex')).toBe(expected);
  });
});
