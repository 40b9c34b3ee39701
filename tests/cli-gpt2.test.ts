/** The native command line with the files of GPT-2 and of the microgpt C program. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  readdirSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { microgptReference, presetConfig } from './node/microgpt-reference.ts';
import { floats, readSafetensors, writeSafetensors } from './node/read-safetensors.ts';
import { FileEngine } from './node/file-engine.ts';
import { shardsOf } from './node/shards.ts';
import {
  lines,
  namesPath,
  printed,
  root,
  run,
  useFolder,
  writeStory,
} from './node/command-line.ts';

const { here } = useFolder();
const storyPath = writeStory(here('story.txt'));

test("the microgpt C program's weights give its 20 samples", async () => {
  const engine = await FileEngine.create();
  const options = presetConfig(engine.text('options_json'), 'microgpt');
  const { file, samples } = microgptReference(options);
  writeFileSync(here('reference.safetensors'), file);
  const args = ['--load', here('reference.safetensors'), '--samples', '20', '--temperature', '0.5'];
  expect(lines(...args)).toEqual(
    samples.map((text, i) => `sample ${String(i + 1).padStart(2)}: ${text}`),
  );
});

describe('GPT-2 files', () => {
  const exported = here('exported');
  const small = ['--preset', 'gpt2', '--dmodel', '16', '--layers', '2', '--seq', '16'];
  const greedy = ['--prompt', 'Call me', '--temperature', '0', '--max-tokens', '30'];

  test('an export loads again and says the same, also in the raw form', () => {
    const bytes = ['--set', 'tokenizer=byte'];
    const train = ['--data', storyPath, ...small, ...bytes, '--steps', '20', '--export', exported];
    const said = lines(...train, ...greedy).at(-1);
    expect(said).toMatch(/^sample {2}1: Call me/);
    const config = JSON.parse(readFileSync(join(exported, 'config.json'), 'utf8')) as unknown;
    expect(config).toMatchObject({
      model_type: 'gpt2',
      architectures: ['GPT2LMHeadModel'],
      activation_function: 'gelu_new',
      layer_norm_epsilon: 1e-5,
      vocab_size: 256,
      n_positions: 16,
      n_embd: 16,
      n_layer: 2,
      n_head: 4,
      tie_word_embeddings: true,
    });
    expect(lines('--hf', exported, ...greedy)).toEqual([said]);
    const script = join(root, 'tests/generate/gpt2_raw.py');
    for (const split of [[], ['--split']]) {
      const raw = here(`raw${split.length}`);
      execFileSync('python3', [script, exported, raw, ...split]);
      expect(lines('--raw', join(raw, 'gpt2.json'), ...greedy)).toEqual([said]);
    }
    const part = join(here('raw1'), '003.bin');
    const { length } = readFileSync(part);
    truncateSync(part, 4);
    const cut = run('--raw', join(here('raw1'), 'gpt2.json'));
    expect(cut.status).toBe(1);
    expect(cut.errors).toContain(`003.bin has 4 bytes, but ${length} are announced`);
    rmSync(part);
    const missing = run('--raw', join(here('raw1'), 'gpt2.json'));
    expect(missing.status).toBe(1);
    expect(missing.errors).toMatch(/003\.bin: No such file/);
    const tuned = lines('--hf', exported, '--data', namesPath, '--steps', '5', '--seq', '8');
    expect(printed(tuned)).toHaveLength(5);
  });

  test('a model in shards says what the one file says; a shard that is missing or cut is named', () => {
    const fixture = join(root, 'tests/fixtures/gpt2-tiny');
    const said = lines('--hf', fixture, ...greedy);
    const sharded = here('sharded');
    mkdirSync(sharded);
    for (const name of ['config.json', 'vocab.json', 'merges.txt']) {
      copyFileSync(join(fixture, name), join(sharded, name));
    }
    const shards = shardsOf(readFileSync(join(fixture, 'model.safetensors')), 3);
    for (const [name, bytes] of shards) writeFileSync(join(sharded, name), bytes);
    writeFileSync(join(sharded, 'model-00004-of-00003.safetensors'), 'another file');
    expect(lines('--hf', sharded, ...greedy)).toEqual(said);
    const tuned = ['--data', storyPath, '--steps', '2', '--samples', '0'];
    expect(printed(lines('--hf', sharded, ...tuned))).toEqual(
      printed(lines('--hf', fixture, ...tuned)),
    );

    const second = join(sharded, 'model-00002-of-00003.safetensors');
    const { length } = readFileSync(second);
    truncateSync(second, length - 4);
    const cut = run('--hf', sharded);
    expect(cut.status).toBe(1);
    expect(cut.errors).toContain(
      `model-00002-of-00003.safetensors has ${length - 4} bytes, but ${length} are announced`,
    );
    truncateSync(second, 20);
    expect(run('--hf', sharded).errors).toMatch(/model-00002-of-00003\.safetensors: /);
    rmSync(second);
    const missing = run('--hf', sharded);
    expect(missing.status).toBe(1);
    expect(missing.errors).toMatch(/model-00002-of-00003\.safetensors: No such file/);
  });

  test('with a BPE the vocabulary lies beside the weights, and they need it', () => {
    const own = here('bpe');
    const train = ['--data', storyPath, ...small, '--set', 'vocabulary=300', '--steps', '5'];
    const said = lines(...train, '--export', own, ...greedy).at(-1);
    const weights = join(own, 'model.safetensors');
    expect(lines('--load', weights, ...greedy)).toEqual([said]);
    // Weights of another program have no metadata on the tokenizer.
    const { tensors } = readSafetensors(readFileSync(weights));
    const plain = Array.from(
      tensors,
      ([name, tensor]) => [name, { shape: tensor.shape, data: floats(tensor) }] as const,
    );
    writeFileSync(weights, writeSafetensors(new Map(plain), { format: 'pt' }));
    expect(lines('--hf', own, ...greedy)).toEqual([said]);
    const raw = here('raw-bpe');
    execFileSync('python3', [join(root, 'tests/generate/gpt2_raw.py'), own, raw]);
    expect(run('--raw', join(raw, 'gpt2.json')).errors).toContain('vocab.json and merges.txt');
    for (const name of ['vocab.json', 'merges.txt']) copyFileSync(join(own, name), join(raw, name));
    expect(lines('--raw', join(raw, 'gpt2.json'), ...greedy)).toEqual([said]);
    const config = join(own, 'config.json');
    const dimensions = readFileSync(config, 'utf8');
    writeFileSync(config, dimensions.replace('"vocab_size": 300', '"vocab_size": 304'));
    const padded = run('--hf', own);
    expect(padded.errors).toContain('does not have the shape that this model needs');
    expect(padded.status).toBe(1);
    writeFileSync(config, dimensions);
    // tokenizer.json has the merges, too; without it they are missed.
    rmSync(join(own, 'merges.txt'));
    expect(lines('--hf', own, ...greedy)).toEqual([said]);
    for (const [content, told] of [
      ['{"a": 1}', /tokenizer\.json: this is not a tokenizer\.json .* get it again/],
      ['{"version": "1.0", "model": {', /tokenizer\.json cannot be read at byte .* get the file/],
      [null, /vocab\.json needs its merges: add merges\.txt/],
    ] as const) {
      if (content === null) copyFileSync(join(raw, 'vocab.json'), join(own, 'vocab.json'));
      else rmSync(join(own, 'vocab.json'), { force: true });
      if (content === null) rmSync(join(own, 'tokenizer.json'));
      else writeFileSync(join(own, 'tokenizer.json'), content);
      const refused = run('--hf', own);
      expect(refused.errors).toMatch(told);
      expect(refused.status).toBe(1);
    }
  });

  test('the tokenizer goes with the model: bytes and BPE as GPT2Tokenizer reads them, characters in one file', () => {
    const read = (folder: string, name: string): Record<string, unknown> =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
    const bytes = here('exported-bytes');
    const train = ['--data', storyPath, ...small, '--steps', '5', '--samples', '0', '--export'];
    lines(...train, bytes, '--set', 'tokenizer=byte');
    const vocab = read(bytes, 'vocab.json');
    // GPT-2's byte alphabet: visible Latin-1 characters unchanged, all others from U+0100 on.
    const visible = (byte: number): boolean =>
      (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    let moved = 256;
    for (let byte = 0; byte < 256; byte++) {
      expect(vocab[String.fromCodePoint(visible(byte) ? byte : moved++)]).toBe(byte);
    }
    expect(Object.keys(vocab)).toHaveLength(256);
    expect(readFileSync(join(bytes, 'merges.txt'), 'utf8')).toBe('#version: 0.2\n');
    const none = { bos_token: null, eos_token: null, unk_token: null };
    const file = 'tokenizer_config.json';
    expect(read(bytes, file)).toMatchObject({ tokenizer_class: 'GPT2Tokenizer', ...none });
    expect(lines('--hf', bytes, ...greedy)).toEqual(
      lines('--load', join(bytes, 'model.safetensors'), ...greedy),
    );

    const documents = here('exported-documents');
    lines(...train, documents, '--set', 'sequences=documents', '--set', 'vocabulary=280');
    expect(Object.keys(read(documents, 'vocab.json'))).toHaveLength(281);
    expect(read(documents, 'vocab.json')['<|endoftext|>']).toBe(280);
    expect(read(documents, file)).toMatchObject({
      bos_token: '<|endoftext|>',
      model_max_length: 16,
    });

    const characters = here('exported-characters');
    const char = ['--set', 'tokenizer=char'];
    lines(...train, characters, ...char);
    expect(readdirSync(characters)).not.toContain('vocab.json');
    expect(read(characters, file)).toMatchObject({ tokenizer_class: 'PreTrainedTokenizerFast' });
    const { model } = read(characters, 'tokenizer.json') as { model: { vocab: object } };
    const known = [...new Set(readFileSync(storyPath, 'utf8'))];
    expect(Object.keys(model.vocab)).toEqual(expect.arrayContaining(known));
    const over = run(...train, bytes, ...char);
    expect(over.errors).toMatch(/vocab\.json: is there from another model/);
    expect(over).toMatchObject({ status: 1, out: '' });
  });

  test('what it cannot be is refused by name', () => {
    const path = join(exported, 'config.json');
    const config = readFileSync(path, 'utf8');
    writeFileSync(path, config.replace('gelu_new', 'relu'));
    const { status, errors } = run('--hf', exported);
    expect(status).toBe(1);
    expect(errors).toContain('activation_function relu');
    writeFileSync(
      path,
      config.replace(/ *"n_head".*\n/, '').replace('"n_embd": 16', '"n_embd": 20'),
    );
    expect(run('--hf', exported).errors).toMatch(/12 heads.*\n.*where it lacks one, GPT-2's/);
    const args = ['--data', namesPath, '--preset', 'microgpt', '--steps', '1', '--samples', '0'];
    const refused = run(...args, '--export', here('no'));
    expect(refused.status).toBe(1);
    expect(refused.errors).toContain('norm rmsnorm');
  });
});
