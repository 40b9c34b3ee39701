/** The native command line with model files of other programs. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { lines, namesPath, root, run, useFolder, writeStory } from './node/command-line.ts';
import { engineBytes } from './node/load-engine.ts';
import { floats, readSafetensors } from './node/read-safetensors.ts';

const { here } = useFolder();
const storyPath = writeStory(here('story.txt'));
const tiny = (name: string): string => join(root, 'tests/fixtures/gpt2-tiny', name);
const GREEDY = ['--prompt', 'Call me', '--temperature', '0', '--max-tokens', '12'];
const TRAIN = [
  ...['--preset', 'gpt2', '--dmodel', '16', '--layers', '1', '--heads', '2', '--seq', '16'],
  ...['--steps', '5', '--data', storyPath],
];

/** The tiny model in llm.c's format: an int32 header, then each kind of tensor for all layers. */
function llmcFile(): Uint8Array {
  const { tensors } = readSafetensors(readFileSync(tiny('model.safetensors')));
  const config = JSON.parse(readFileSync(tiny('config.json'), 'utf8')) as Record<string, number>;
  const { n_positions: context, vocab_size: vocab, n_layer: layers, n_head: heads, n_embd: channels } = config; // prettier-ignore
  const header = new Int32Array(256);
  header.set([20240326, 3, context!, vocab!, layers!, heads!, channels!, vocab!]);
  const KINDS = [
    ...['ln_1.weight', 'ln_1.bias', 'attn.c_attn.weight', 'attn.c_attn.bias'],
    ...['attn.c_proj.weight', 'attn.c_proj.bias', 'ln_2.weight', 'ln_2.bias'],
    ...['mlp.c_fc.weight', 'mlp.c_fc.bias', 'mlp.c_proj.weight', 'mlp.c_proj.bias'],
  ];
  const numbersOf = (name: string): Uint8Array => {
    const tensor = tensors.get(`transformer.${name}`)!;
    const [rows, columns] = tensor.shape as [number, number];
    const given = floats(tensor);
    const isLinear = /(attn|mlp)\..*weight$/.test(name);
    const turned = given.map((_, at) => given[(at % rows) * columns + Math.floor(at / rows)]!);
    return new Uint8Array((isLinear ? turned : given).buffer);
  };
  const layered = KINDS.flatMap((kind) =>
    Array.from({ length: layers! }, (_, layer) => `h.${String(layer)}.${kind}`),
  );
  const names = ['wte.weight', 'wpe.weight', ...layered, 'ln_f.weight', 'ln_f.bias'];
  return Buffer.concat([new Uint8Array(header.buffer), ...names.map(numbersOf)]);
}

describe('a checkpoint of llm.c', () => {
  mkdirSync(here('llmc'));
  const file = here('llmc/gpt2.bin');
  writeFileSync(file, llmcFile());

  test('that has no vocabulary beside it is refused with what to put there', () => {
    const { status, errors } = run('--load', file, ...GREEDY);
    expect(status).toBe(1);
    expect(errors).toContain('put vocab.json and merges.txt, or tokenizer.json, beside it');
  });

  test('with its vocabulary beside it says what the folder of transformers says', () => {
    for (const name of ['vocab.json', 'merges.txt']) copyFileSync(tiny(name), here(`llmc/${name}`));
    const said = lines('--load', file, ...GREEDY);
    expect(said).toEqual(lines('--hf', tiny('.'), ...GREEDY));
    expect(said.join('\n')).toContain('Call me');
  });
});

test('one run goes out in several forms, each of which says the same again', () => {
  const out = [here('a model.gguf'), here('onnx'), here('hf')];
  const forms = ['gguf=', 'onnx=', 'hf='].flatMap((form, at) => ['--export', `${form}${out[at]!}`]);
  const said = lines(...TRAIN, ...forms, ...GREEDY).at(-1);
  expect(said).toMatch(/^sample {2}1: Call me/);
  expect(lines('--load', out[0]!, ...GREEDY).at(-1)).toBe(said);
  expect(lines('--hf', out[2]!, ...GREEDY).at(-1)).toBe(said);
  expect(existsSync(here('onnx/onnx/model_plain.onnx'))).toBe(true);
});

test('a recipe without gains and biases goes to transformers as one with ones and zeros', () => {
  const without = ['--set', 'norm_gain=false', '--set', 'bias=false', '--export', here('words')];
  const said = lines(...TRAIN, ...without, ...GREEDY).at(-1);
  const { tensors } = readSafetensors(readFileSync(here('words/model.safetensors')));
  expect(floats(tensors.get('transformer.h.0.ln_1.weight')!).every((one) => one === 1)).toBe(true);
  expect(floats(tensors.get('transformer.h.0.attn.c_attn.bias')!).every((one) => one === 0)).toBe(true); // prettier-ignore
  expect(lines('--hf', here('words'), ...GREEDY).at(-1)).toBe(said);
});

describe('a card', () => {
  test('has commands for the files as they are called, within the context, and what they give', () => {
    const file = here('a card.gguf');
    lines(...TRAIN, '--export', `gguf=${file}`, '--samples', '0');
    const card = readFileSync(here('a card.md'), 'utf8');
    expect(card).toMatch(/^ollama create my-gpt -f 'a card'\.Modelfile /m);
    expect(readFileSync(here('a card.Modelfile'), 'utf8')).toContain('FROM ./a card.gguf\n');
    const [, count, prompt] = /-m 'a card\.gguf' -c 16 --temp 0 -n (\d+) -p "(.+)"$/m.exec(card)!;
    expect(Number(count)).toBe(15 - prompt!.length);
    const [, sample] = /```text\n(.*?)\n```/s.exec(card)!;
    const again = ['--prompt', prompt!, '--max-tokens', count!, '--temperature', '0'];
    const said = lines('--load', file, ...again).join('\n');
    expect(said.replaceAll('`', "'")).toContain(`sample  1: ${prompt!}${sample!}`);
    expect(card).toMatch(/\| norm \| layernorm \|/);
    expect(card).toMatch(/\| validation loss, nats a token \| \d+\.\d{4} \|/);
  });

  test('of a model of bytes with a small context begins with a text that has room in it', () => {
    const small = ['--preset', 'gpt2', '--dmodel', '8', '--layers', '1', '--heads', '1', '--seq', '8']; // prettier-ignore
    const bytes = ['--set', 'tokenizer=byte', '--steps', '3', '--samples', '0'];
    lines(...small, ...bytes, '--data', storyPath, '--export', `gguf=${here('bytes.gguf')}`);
    const card = readFileSync(here('bytes.md'), 'utf8');
    const [, count, prompt = ''] = /-c 8 --temp 0 -n (\d+) -p "([^"]*)"$/m.exec(card)!;
    expect(prompt).toMatch(/^[^\ufffd]*$/);
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(4);
    expect(Number(count) + Buffer.byteLength(prompt)).toBeLessThan(8);
    expect(readFileSync(here('bytes.Modelfile'), 'utf8')).toContain(`num_predict ${count!}\n`);
  });

  test('of names begins one of them and leaves the rest to be written', () => {
    const names = ['--preset', 'microgpt', '--steps', '40', '--data', namesPath];
    lines(...names, '--export', `onnx=${here('names')}`, '--samples', '0');
    const card = readFileSync(here('names/README.md'), 'utf8');
    expect(card).toMatch(/At temperature 0 it writes after "\p{L}+":\n\n```text\n\p{L}+\n```/u);
    expect(card).toContain('env.allowLocalModels = true;');
    lines(...names, '--export', `onnx=${here('names-zh')}`, '--language', 'zh', '--samples', '0');
    expect(readFileSync(here('names-zh/README.md'), 'utf8')).toMatch(
      /^# 用 Glasshouse 训练的 GPT\n/,
    );
  });
});

test('a file that is no model for --load is named, with what to use instead', () => {
  lines(...TRAIN, '--samples', '0', '--export', `onnx=${here('no-way-in')}`);
  const receipt = here('receipt.json');
  lines(...TRAIN, '--samples', '0', '--receipt', receipt);
  const runFile = join(root, 'tests/fixtures/frozen/run-files/paused.glasshouse');
  for (const [path, told] of [
    [here('no-way-in/onnx/model.onnx'), /\(ONNX\): it cannot be read here; load the checkpoint/],
    [runFile, /a whole run of the page: open it on the page, and save its checkpoint/],
    [receipt, /a receipt: check it with --verify/],
    [tiny('config.json'), /a JSON file: .* with --hf/],
    [tiny('.'), /a directory: .* with --hf/],
  ] as const) {
    const { status, errors } = run('--load', path);
    expect(errors).toMatch(told);
    expect(status).toBe(1);
  }
});

test('the weights of a GGUF are trained by --tune, and it is said so', () => {
  const file = here('tuned.gguf');
  lines(...TRAIN, '--samples', '0', '--export', `gguf=${file}`);
  const on = ['--load', file, '--data', storyPath, '--steps', '1', '--samples', '0'];
  expect(run(...on).errors).toContain('--tune trains the weights on this text');
  lines(...on, '--tune');
});

test.each([16, 256, 1024])(
  'the validation loss of the command line and of its card is that of the library: context %i',
  async (context) => {
    const path = join(root, 'public/texts/moby-dick-en.txt');
    const changes = { layers: 1, channels: 8, heads: 1, batch: 2, steps: 2, context };
    const set = Object.entries(changes).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const recipe = ['--data', path, '--preset', 'tinygpt', ...set, '--samples', '0'];
    const said = lines(...recipe, '--export', `onnx=${here(`card-${context}`)}`).at(-1);
    const trainer = new DirectTrainer(engineBytes());
    let loss = NaN;
    trainer.subscribe(({ validations }) => (loss = validations.at(-1)?.loss ?? loss));
    await trainer.setText(readFileSync(path, 'utf8'));
    await trainer.prepare({ preset: 'tinygpt', changes });
    for (let step = 0; step < changes.steps; step++) await trainer.step();
    trainer.close();
    expect(said).toBe(`validation loss ${loss.toFixed(7)}`);
    const card = readFileSync(here(`card-${context}/README.md`), 'utf8');
    expect(card).toContain(`| validation loss, nats a token | ${loss.toFixed(4)} |`);
  },
);

describe('an export that cannot be made', () => {
  const refusals: Record<string, [string, string]> = {
    'a form that there is not': ['gguf_f16=x.gguf', 'is no export'],
    'a form without a place': ['gguf=', 'is no export'],
    'a folder that has the weights of another form': [`onnx=${here('taken')}`, 'choose another folder'], // prettier-ignore
    'a Modelfile of somebody’s own': [`gguf=${here('own.gguf')}`, 'not from an export'],
  };
  refusals['a file with the name of its card'] = [`gguf=${here('x.md')}`, 'ends in .gguf'];
  writeFileSync(here('own.Modelfile'), 'FROM llama3\n');
  mkdirSync(here('taken'));
  copyFileSync(tiny('model.safetensors'), here('taken/model.safetensors'));
  test.each(Object.entries(refusals))('%s is refused before the training', (_, [form, why]) => {
    const { status, out, errors } = run(...TRAIN, '--export', form);
    expect(errors).toContain(why);
    expect(status).toBe(1);
    expect(out).not.toContain('step');
  });
});
