/**
 * GPT-2 checkpoints of other programs: one model in over sixty forms (names, types, tables,
 * settings, vocabularies, additional files). Each form gives the logits of the plain files to the
 * last bit, or is refused by name. Table rows that no token uses leave the other logits unchanged
 * and are never sampled.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recipeOf } from '../web/store/training/model-files.ts';
import { sortModel } from '../web/store/training/sort-files.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { engineBytes } from './node/load-engine.ts';
import { readSafetensors } from './node/read-safetensors.ts';
import { shardsOf } from './node/shards.ts';

const folder = join(import.meta.dirname, 'fixtures/gpt2-tiny');
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
const PROMPT = 'the other sea';
/** The most likely token after PROMPT. */
const LIKELIEST = 130;

/** Files of a model, by name. */
type Files = Map<string, Uint8Array>;
type Change = (files: Files) => void;

function plain(): Files {
  const names = ['config.json', 'vocab.json', 'merges.txt', 'model.safetensors'];
  return new Map(names.map((name) => [name, read(name)]));
}

/* ---- Changes of the files -------------------------------------------------------------------- */

interface Entry {
  dtype: string;
  shape: number[];
  bytes: Uint8Array;
}

const floats = (bytes: Uint8Array): Float32Array => new Float32Array(new Uint8Array(bytes).buffer);

/** Rewrites the weights with changed tensors. */
function tensors(change: (all: Map<string, Entry>) => void): Change {
  return (files) => {
    const all = new Map<string, Entry>(readSafetensors(files.get('model.safetensors')!).tensors);
    change(all);
    const header: Record<string, unknown> = {};
    let at = 0;
    for (const [name, { dtype, shape, bytes }] of all) {
      header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
      at += bytes.length;
    }
    const text = utf8(JSON.stringify(header));
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
    const parts = [length, text, ...[...all.values()].map(({ bytes }) => bytes)];
    files.set('model.safetensors', Buffer.concat(parts));
  };
}

const renamed = (rename: (bare: string) => string): Change =>
  tensors((all) => {
    const entries = [...all];
    all.clear();
    for (const [name, entry] of entries) all.set(rename(name.replace(/^transformer\./, '')), entry);
  });

const added = (name: string, shape: number[], dtype = 'F32'): Change =>
  tensors((all) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const bytes = new Uint8Array(count * { F32: 4, U8: 1, BOOL: 1, F16: 2, I64: 8 }[dtype]!);
    all.set(name, { dtype, shape, bytes: bytes.fill(1) });
  });

/** Adds a copy of the token table as the first tensor, under the name of a head. */
const withHead = (name: string, edit: (numbers: Float32Array) => void = () => undefined): Change =>
  tensors((all) => {
    const entries = [...all];
    const table = entries.find(([key]) => key.endsWith('wte.weight'))![1];
    const numbers = floats(table.bytes);
    edit(numbers);
    all.clear();
    all.set(name, { ...table, bytes: new Uint8Array(numbers.buffer) });
    for (const [key, entry] of entries) all.set(key, entry);
  });

const numbers = (name: string, edit: (values: Float32Array) => void): Change =>
  tensors((all) => {
    const entry = all.get(`transformer.${name}`)!;
    const values = floats(entry.bytes);
    edit(values);
    all.set(`transformer.${name}`, { ...entry, bytes: new Uint8Array(values.buffer) });
  });

/** Appends `more` rows to the token table. */
const padded = (more: number): Change =>
  tensors((all) => {
    const [name, entry] = [...all].find(([key]) => key.endsWith('wte.weight'))!;
    const [rows, width] = entry.shape as [number, number];
    // Twice the row of the likeliest token: without a mask, sampling would draw the new rows.
    const likeliest = floats(entry.bytes).slice(LIKELIEST * width, (LIKELIEST + 1) * width);
    const tail = new Uint8Array(likeliest.map((value) => 2 * value).buffer);
    const bytes = Buffer.concat([entry.bytes, ...Array.from({ length: more }, () => tail)]);
    all.set(name, { ...entry, shape: [rows + more, width], bytes });
  });

const config = (change: Readonly<Record<string, unknown>>): Change => {
  return (files) => {
    const all = { ...(json(files.get('config.json')!) as object), ...change };
    files.set('config.json', utf8(JSON.stringify(all)));
  };
};

const text = (name: string, change: (text: string) => string): Change => {
  return (files) => {
    files.set(name, utf8(change(new TextDecoder().decode(files.get(name)))));
  };
};

const vocab = (change: (tokens: Map<string, number>) => void): Change =>
  text('vocab.json', (before) => {
    const tokens = new Map(Object.entries(JSON.parse(before) as Record<string, number>));
    change(tokens);
    return JSON.stringify(Object.fromEntries(tokens));
  });

const moved = (from: string, to: string): Change => {
  return (files) => {
    files.set(to, files.get(from)!);
    files.delete(from);
  };
};
const put = (name: string, bytes: Uint8Array | string): Change => {
  return (files) => {
    files.set(name, typeof bytes === 'string' ? utf8(bytes) : bytes);
  };
};
const without = (name: string): Change => {
  return (files) => {
    files.delete(name);
  };
};
const all =
  (...changes: Change[]): Change =>
  (files) => {
    for (const change of changes) change(files);
  };

/** Replaces the vocabulary by a file in the format of the tokenizers library. */
const asTokenizer = (pairs: boolean, change: Readonly<Record<string, unknown>> = {}): Change => {
  return (files) => {
    const lines = new TextDecoder().decode(files.get('merges.txt')).split('\n');
    const merges = lines.filter((line) => line !== '' && !line.startsWith('#'));
    const whole = {
      version: '1.0',
      added_tokens: [{ id: 296, content: '<|endoftext|>', special: true }],
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
      model: {
        type: 'BPE',
        unk_token: null,
        vocab: json(files.get('vocab.json')!),
        merges: pairs ? merges.map((line) => line.split(' ')) : merges,
      },
      ...change,
    };
    files.set('tokenizer.json', utf8(JSON.stringify(whole)));
    files.delete('vocab.json');
    files.delete('merges.txt');
  };
};

/** A tokenizer.json with other settings of its model. */
const withModel = (change: Readonly<Record<string, unknown>>): Change =>
  all(
    asTokenizer(false),
    text('tokenizer.json', (before) => {
      const whole = JSON.parse(before) as { model: object };
      return JSON.stringify({ ...whole, model: { ...whole.model, ...change } });
    }),
  );

/* ---- Opened models --------------------------------------------------------------------------- */

interface Opened {
  readonly trainer: DirectTrainer;
  readonly logits: Float32Array;
}

async function open(files: Files): Promise<Opened> {
  const trainer = new DirectTrainer(engineBytes());
  const given = [...files].map(([name, bytes]) => new File([new Uint8Array(bytes)], name));
  const chosen = await sortModel(given);
  const facts = await trainer.inspect(chosen.files);
  const recipe = recipeOf(await trainer.options(), facts);
  await trainer.prepare(recipe, { files: chosen.files, purpose: 'generate' });
  const list = await trainer.tensors(PROMPT, false);
  const { index, shape } = list.tensors.find(({ name }) => name === 'logits')!;
  const [rows, columns] = shape.slice(-2) as [number, number];
  const { values: logits } = await trainer.tensor(index, { gradient: false, rows, columns });
  return { trainer, logits };
}

const changed = (change: Change): Files => {
  const files = plain();
  change(files);
  return files;
};

/* ---- Accepted and refused files -------------------------------------------------------------- */

const BOM = '\uFEFF';
const SAME: Record<string, Change> = {
  'names without a prefix': renamed((name) => name),
  'names with model.': renamed((name) => `model.${name}`),
  'names with module. (data parallel)': renamed((name) => `module.transformer.${name}`),
  'names with _orig_mod. (torch.compile)': renamed((name) => `_orig_mod.transformer.${name}`),
  'names with module._orig_mod.': renamed((name) => `module._orig_mod.transformer.${name}`),
  'names with model.transformer.': renamed((name) => `model.transformer.${name}`),
  'a head beside it, equal to the table': withHead('lm_head.weight'),
  'a head with a prefix of its own': all(renamed((name) => `module.transformer.${name}`), withHead('module.lm_head.weight')), // prettier-ignore
  'causal masks': all(added('h.0.attn.bias', [1, 1, 24, 24]), added('h.0.attn.masked_bias', [])),
  'causal masks as bytes, with a prefix': added('transformer.h.1.attn.bias', [1, 1, 24, 24], 'U8'),
  'causal masks as booleans, under model.': all(renamed((name) => `model.${name}`), added('model.h.1.attn.bias', [1, 1, 24, 24], 'BOOL')), // prettier-ignore
  'causal masks under another name': added('transformer.h.0.attn.causal_mask', [24, 24], 'BOOL'),
  'a mask of cross-attention': added('transformer.h.0.crossattention.bias', [1, 1, 24, 24], 'U8'),
  'a head that classifies': added('score.weight', [2, 20]),
  'a head for tokens': all(added('classifier.weight', [3, 20]), added('classifier.bias', [3])),
  'a head for answers': added('qa_outputs.weight', [2, 20]),
  'a value head': all(added('v_head.summary.weight', [1, 20]), added('v_head.summary.bias', [1])),
  'a head for choices': added('multiple_choice_head.summary.weight', [1, 20]),
  'GELU as gelu_pytorch_tanh': config({ activation_function: 'gelu_pytorch_tanh' }),
  'GELU as gelu_fast': config({ activation_function: 'gelu_fast' }),
  'GELU as gelu_accurate': config({ activation_function: 'gelu_accurate' }),
  'GELU as gelu_python_tanh': config({ activation_function: 'gelu_python_tanh' }),
  'n_ctx alone': config({ n_positions: undefined }),
  'n_positions alone': config({ n_ctx: undefined }),
  'n_inner spelled out': config({ n_inner: 80 }),
  'a tie that is null': config({ tie_word_embeddings: null }),
  'a tie spelled out': config({ tie_word_embeddings: true }),
  'the default settings left out': config({ reorder_and_upcast_attn: undefined, scale_attn_weights: undefined, n_inner: undefined, activation_function: undefined, layer_norm_epsilon: undefined }), // prettier-ignore
  'settings of other things': config({ dropout: 0.5, task_specific_params: { a: [1, { b: null }] }, id2label: { 0: 'x' } }), // prettier-ignore
  'a byte order mark before config.json': text('config.json', (before) => BOM + before),
  'a byte order mark before vocab.json': text('vocab.json', (before) => BOM + before),
  'a byte order mark before merges.txt': text('merges.txt', (before) => BOM + before),
  'merges with CRLF': text('merges.txt', (before) => before.replaceAll('\n', '\r\n')),
  'merges without a header': text('merges.txt', (before) => before.replace(/^#.*\n/, '')),
  'merges with blank lines': text('merges.txt', (before) => before.replaceAll('\n', '\n\n')),
  'names of OpenAI’s release': all(moved('vocab.json', 'encoder.json'), moved('merges.txt', 'vocab.bpe')), // prettier-ignore
  'tokenizer.json alone': asTokenizer(false),
  'tokenizer.json with merges in pairs': asTokenizer(true),
  'tokenizer.json beside the two files': all((files) => {
    const other = new Map(files);
    asTokenizer(false)(other);
    files.set('tokenizer.json', other.get('tokenizer.json')!);
  }),
  'special tokens listed again': put('added_tokens.json', '{"<|endoftext|>": 296}'),
  'names of second downloads': all(moved('vocab.json', 'vocab (1).json'), moved('config.json', 'config (1).json')), // prettier-ignore
  'what a Mac leaves beside files': all(put('._model.safetensors', 'Mac OS X'), put('._config.json', 'Mac OS X'), put('._vocab.json', 'Mac OS X'), put('.DS_Store', 'x')), // prettier-ignore
  'files that are not the model’s': all(put('generation_config.json', '{}'), put('special_tokens_map.json', '{}'), put('README.md', 'x')), // prettier-ignore
  'three shards and their index': (files) => {
    const shards = shardsOf(files.get('model.safetensors')!, 3);
    files.delete('model.safetensors');
    for (const [name, bytes] of shards) files.set(name, bytes);
  },
};

const REFUSED: Record<string, [code: string, name: string, Change]> = {
  'the erf form of GELU': ['unsupported', 'activation_function gelu', config({ activation_function: 'gelu' })], // prettier-ignore
  ReLU: ['unsupported', 'activation_function relu', config({ activation_function: 'relu' })],
  'attention that is not scaled': ['unsupported', 'scale_attn_weights false', config({ scale_attn_weights: false })], // prettier-ignore
  'attention scaled by its layer': ['unsupported', 'scale_attn_by_inverse_layer_idx true', config({ scale_attn_by_inverse_layer_idx: true })], // prettier-ignore
  'attention in another order': ['unsupported', 'reorder_and_upcast_attn true', config({ reorder_and_upcast_attn: true })], // prettier-ignore
  'cross-attention': ['unsupported', 'add_cross_attention true', config({ add_cross_attention: true })], // prettier-ignore
  'another inner width': ['unsupported', 'n_inner 60', config({ n_inner: 60 })],
  'quantized weights': ['unsupported', 'quantization_config {...}', config({ quantization_config: { bits: 4 } })], // prettier-ignore
  'another family': ['unsupported', 'model_type gpt_neo', config({ model_type: 'gpt_neo' })],
  'a size that is null': ['unsupported', 'n_layer null', config({ n_layer: null })],
  'a size that is no number': ['unsupported', 'n_embd NaN', text('config.json', (before) => before.replace(/"n_embd": *\d+/, '"n_embd": NaN'))], // prettier-ignore
  'an epsilon that is infinite': ['unsupported', 'layer_norm_epsilon -Infinity', text('config.json', (before) => before.replace(/"layer_norm_epsilon": *[\de.-]+/, '"layer_norm_epsilon": -Infinity'))], // prettier-ignore
  'a file that only has the name of settings': ['not-a-config', 'config.json', put('config.json', '{"port": 8080}')], // prettier-ignore
  'a size as text': ['unsupported', 'n_layer "2"', config({ n_layer: '2' })],
  'an epsilon of 0': ['range', 'norm_epsilon', config({ layer_norm_epsilon: 0 })],
  'heads that do not divide': ['heads', '', config({ n_head: 3 })],
  'a layer too many in the settings': ['tensor-missing', 'h.2.ln_1.weight', config({ n_layer: 3 })],
  'a layer too few in the settings': ['tensor-extra', 'transformer.h.1.attn.c_attn.bias', config({ n_layer: 1 })], // prettier-ignore
  'another width in the settings': ['tensor-shape', '', config({ n_embd: 24 })],
  'no head where it is not tied': ['tensor-missing', 'lm_head.weight', config({ tie_word_embeddings: false })], // prettier-ignore
  'a tied head that differs': ['tensor-tied', '', withHead('lm_head.weight', (all) => (all[7] = 1))], // prettier-ignore
  'a tied head that is no number': ['tensor-number', '', withHead('lm_head.weight', (all) => (all[7] = NaN))], // prettier-ignore
  'a weight that is infinite': ['tensor-number', '', numbers('h.0.mlp.c_fc.weight', (all) => (all[0] = Infinity))], // prettier-ignore
  'a tensor that no GPT-2 has': ['tensor-extra', 'adapter.weight', added('adapter.weight', [2, 2])],
  'whole numbers as weights': ['tensor-type', '', tensors((all) => all.set('transformer.ln_f.bias', { dtype: 'I32', shape: [20], bytes: new Uint8Array(80) }))], // prettier-ignore
  'more tokens than rows': ['vocabulary-size', '', vocab((tokens) => tokens.set('more', 297))],
  'rows that the settings do not speak of': ['tensor-shape', '', padded(3)],
  'one id for two tokens': ['bpe-id', 'vocab.json', vocab((tokens) => tokens.set('more', 12))],
  'a vocabulary that is damaged': ['bpe-json', 'vocab.json', text('vocab.json', (before) => before.slice(0, -9))], // prettier-ignore
  'no merges': ['part-missing', 'merges.txt', without('merges.txt')],
  'no vocabulary': ['vocabulary-file', '', all(without('vocab.json'), without('merges.txt'))],
  'weights without their settings': ['config-file', 'config.json', without('config.json')],
  'weights alone': ['config-file', 'config.json', (files) => ['config.json', 'vocab.json', 'merges.txt'].forEach((name) => files.delete(name))], // prettier-ignore
  'words cut in another way': ['unsupported', 'tokenizer.json pre_tokenizer', asTokenizer(false, { pre_tokenizer: { type: 'Whitespace' } })], // prettier-ignore
  'a space before every text': ['unsupported', 'tokenizer.json pre_tokenizer', asTokenizer(false, { pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true } })], // prettier-ignore
  'words that are not cut': ['unsupported', 'tokenizer.json pre_tokenizer', asTokenizer(false, { pre_tokenizer: undefined })], // prettier-ignore
  'a sign at the end of words': ['unsupported', 'tokenizer.json end_of_word_suffix, continuing_subword_prefix', withModel({ end_of_word_suffix: '</w>' })], // prettier-ignore
  'a sign within words': ['unsupported', 'tokenizer.json end_of_word_suffix, continuing_subword_prefix', withModel({ continuing_subword_prefix: '##' })], // prettier-ignore
  'a text that is normalised first': ['unsupported', 'tokenizer.json normalizer', asTokenizer(false, { normalizer: { type: 'NFC' } })], // prettier-ignore
  'another kind of tokenizer': ['unsupported', 'tokenizer.json model.type', asTokenizer(false, { model: { type: 'Unigram', vocab: [], merges: [] } })], // prettier-ignore
  'config.json that is damaged': ['file', 'config.json', text('config.json', (before) => before.slice(0, 99))], // prettier-ignore
  'weights that end too soon': ['truncated', '', (files) => files.set('model.safetensors', files.get('model.safetensors')!.slice(0, -9))], // prettier-ignore
  'weights that go on': ['truncated', '', (files) => files.set('model.safetensors', Buffer.concat([files.get('model.safetensors')!, utf8('more')]))], // prettier-ignore
  'a pointer of Git LFS': ['file-pointer', '', put('model.safetensors', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 13840\n')], // prettier-ignore
  'a web page in place of the weights': ['file-web-page', '', put('model.safetensors', '<!DOCTYPE html>\n<html><title>404</title></html>\n')], // prettier-ignore
  'a web page in small letters behind an empty line': ['file-web-page', '', put('model.safetensors', '\n<html lang="en"><title>404</title></html>\n')], // prettier-ignore
  'a web page in place of another program’s file': ['file-web-page', '', all(without('model.safetensors'), put('pytorch_model.bin', '\ufeff<!doctype html><title>404</title>'))], // prettier-ignore
  'an error of S3 in place of the weights': ['file-web-page', '', put('model.safetensors', '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code></Error>')], // prettier-ignore
  'an error of S3 without a first line': ['file-web-page', '', put('model.safetensors', '<Error><Code>AccessDenied</Code></Error>')], // prettier-ignore
  'an error as JSON in place of the weights': ['file-web-page', '', put('model.safetensors', '{"error":"Repository not found"}')], // prettier-ignore
  'an error as indented JSON': ['file-web-page', '', put('model.safetensors', '{\n  "message": "Not Found"\n}\n')], // prettier-ignore
  'an error as text': ['file-web-page', '', put('model.safetensors', '404: Not Found')],
  'an error in place of another program’s file': ['file-web-page', '', all(without('model.safetensors'), put('pytorch_model.bin', '{"error":"Access denied"}'))], // prettier-ignore
  'an error in place of the settings': ['part-answer', 'config.json', put('config.json', '{"error":"Entry not found"}')], // prettier-ignore
  'weights as a pickle': ['file-pickle', '', all(without('model.safetensors'), put('pytorch_model.bin', new Uint8Array([80, 75, 3, 4, 0, 0, 8, 8, 0, 0, 0, 0])))], // prettier-ignore
  'weights as an old pickle': ['file-pickle', '', all(without('model.safetensors'), put('model.pt', new Uint8Array([128, 2, 138, 10, 108, 252, 156, 70, 249, 32, 106])))], // prettier-ignore
  'two models at once': ['several-weights', 'other.safetensors', (files) => files.set('other.safetensors', files.get('model.safetensors')!)], // prettier-ignore
  'nothing but settings': ['no-weights', '', without('model.safetensors')],
};

describe('a foreign checkpoint gives the plain one’s numbers to the last bit', () => {
  test.each(Object.entries(SAME))('%s', async (_, change) => {
    const [{ logits: wanted }, { logits }] = [await open(plain()), await open(changed(change))];
    expect(Buffer.from(logits.buffer).equals(Buffer.from(wanted.buffer))).toBe(true);
  });
});

describe('a foreign checkpoint that computes something else is refused by name', () => {
  test.each(Object.entries(REFUSED))('%s', async (_, [code, name, change]) => {
    await expect(open(changed(change))).rejects.toMatchObject(name === '' ? { code } : { code, subject: name }); // prettier-ignore
  });
});

test('a tokenizer.json that is cut anywhere is said to be damaged', async () => {
  const whole = changed(asTokenizer(false)).get('tokenizer.json')!;
  const model = Buffer.from(whole).indexOf('"model"');
  for (const size of [20, 40, 90, 120, 140, 170, model, model + 8, model + 99, whole.length - 1]) {
    const cut = put('tokenizer.json', whole.slice(0, size));
    await expect(open(changed(all(asTokenizer(false), cut)))).rejects.toMatchObject({
      code: 'bpe-json',
      subject: 'tokenizer.json',
    });
  }
});

test('another layer_norm_epsilon gives the logits of the independent program', async () => {
  const { logits } = await open(changed(config({ layer_norm_epsilon: 1e-3 })));
  const { tensors: reference } = readSafetensors(read('logits.safetensors'));
  const wanted = floats(reference.get('epsilon')!.bytes);
  const usual = floats(reference.get('float32')!.bytes);
  const scale = Math.max(...wanted.map(Math.abs));
  const apart = (other: Float32Array): number =>
    Math.max(...logits.map((value, at) => Math.abs(value - other[at]!))) / scale;
  expect(apart(wanted)).toBeLessThan(1e-5);
  expect(apart(usual)).toBeGreaterThan(1e-4);
});

/** Samples the token after the prompt with 40 seeds; returns the ids. */
async function drawnBy(trainer: DirectTrainer): Promise<number[]> {
  const drawn: number[] = [];
  for (let seed = 1; seed <= 40; seed++) {
    await trainer.beginGeneration({ temperature: 2, topK: 0, topP: 1, prompt: PROMPT, seed });
    const { token } = await trainer.nextToken();
    drawn.push(token!.id);
  }
  return drawn;
}

describe('rows that no token has', () => {
  /** Changes, with the ids beyond the plain model's that sampling may draw. */
  const PADDED: Record<string, [Change, number[]]> = {
    'at the end of the table': [all(padded(7), config({ vocab_size: 304 })), []],
    'with special tokens in some of them': [all(padded(7), config({ vocab_size: 304 }), put('added_tokens.json', '{"<|pad|>": 297, "[my pad]": 298, "春 晓": 300}')), [297, 298, 300]], // prettier-ignore
    'as a hole in the ids': [all(padded(2), config({ vocab_size: 299 }), vocab((tokens) => tokens.set('more', 298))), [298]], // prettier-ignore
    'for a token that tokenizer.json alone adds': [all(padded(1), config({ vocab_size: 298 }), asTokenizer(false, { added_tokens: [{ id: 296, content: '<|endoftext|>', special: true }, { id: 297, content: '<|pad|>', special: true }] })), [297]], // prettier-ignore
    'with a special token in vocab.json itself': [all(padded(2), config({ vocab_size: 299 }), vocab((tokens) => tokens.set('[my pad]', 298))), [298]], // prettier-ignore
  };
  test.each(Object.entries(PADDED))(
    '%s: tokens have the same logits, and no other is drawn',
    async (_, [change, more]) => {
      const { logits: wanted } = await open(plain());
      const { trainer, logits } = await open(changed(change));
      const [width, wide] = [wanted.length / 4, logits.length / 4];
      expect(wide).toBeGreaterThan(width);
      for (let row = 0; row < 4; row++) {
        const own = logits.slice(row * wide, row * wide + width);
        expect(own).toEqual(wanted.slice(row * width, (row + 1) * width));
      }
      const drawn = await drawnBy(trainer);
      const last = logits.subarray(3 * wide);
      expect(Math.max(...last.subarray(width))).toBeGreaterThan(
        Math.max(...last.subarray(0, width)),
      );
      expect(drawn.filter((id) => id >= width && !more.includes(id))).toEqual([]);
    },
  );

  test('before the largest id of 16 bits: only those with a token are drawn', async () => {
    const last = 65535;
    const { trainer } = await open(
      changed(
        all(
          padded(last - 296),
          config({ vocab_size: last + 1 }),
          asTokenizer(true, { added_tokens: [{ id: last, content: '<|last|>', special: true }] }),
        ),
      ),
    );
    const drawn = await drawnBy(trainer);
    expect(drawn).toContain(last);
    expect(drawn.filter((id) => id > 296 && id < last)).toEqual([]);
  });
});

describe('a model whose numbers are not finite', () => {
  const HUGE: Record<string, Change> = {
    'in its MLP': numbers('h.1.mlp.c_fc.weight', (values) => values.fill(3e38)),
    'in its attention': numbers('h.0.attn.c_attn.weight', (values) => values.fill(1e30)),
  };
  test.each(Object.entries(HUGE))('%s, though its weights are: says where, and writes nothing', async (_, change) => {
    await expect(open(changed(change))).rejects.toMatchObject({ code: 'not-finite', subject: expect.stringMatching(/^block[01]\./) as string }); // prettier-ignore
  }); // prettier-ignore
});
