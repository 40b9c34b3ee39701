/** Packs the shown model into a zip with the files of another program. */
import { downloadZip } from 'client-zip';
import type { CreatedTrainer } from '../../../engine/create.ts';
import { asError } from '../../../engine/errors.ts';
import type { GlasshouseError } from '../../../engine/errors.ts';
import type { Model } from '../../../engine/past-run.ts';
import type { ExportForm, Said, SaveForm } from '../../../engine/trainer.ts';
import { wholeSample } from '../../../store/training/whole-sample.ts';

export const FORMATS = ['gguf', 'gguf-f16', 'onnx', 'hf'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * A file of a package. First the model's own engine tries to write it in the form `ours`; otherwise
 * an engine with the formats converts the weights to the form `form`.
 */
interface Part {
  readonly name: string;
  readonly form?: ExportForm;
  readonly ours?: SaveForm;
}

const HF_CONFIG = { ours: 'config.json', form: 'config.json' } as const;
const HF_MODEL = { ours: 'model.safetensors', form: 'model.safetensors' } as const;

const TOKENIZER: readonly Part[] = [
  { name: 'tokenizer.json', form: 'tokenizer.json' },
  { name: 'special_tokens_map.json', form: 'special_tokens_map.json' },
  { name: 'generation_config.json', form: 'generation_config.json' },
];
const PARTS: Readonly<Record<Format, readonly Part[]>> = {
  gguf: [
    { name: 'model.gguf', form: 'gguf' },
    { name: 'Modelfile', form: 'Modelfile' },
    { name: 'README.md', form: 'card-gguf' },
  ],
  'gguf-f16': [
    { name: 'model.gguf', form: 'gguf-f16' },
    { name: 'Modelfile', form: 'Modelfile' },
    { name: 'README.md', form: 'card-gguf' },
  ],
  onnx: [
    { name: 'config.json', form: 'onnx-config.json' },
    ...TOKENIZER,
    { name: 'tokenizer_config.json', form: 'tokenizer_config.json' },
    { name: 'onnx/model.onnx', form: 'onnx' },
    { name: 'onnx/model_plain.onnx', form: 'onnx-plain' },
    { name: 'README.md', form: 'card-onnx' },
  ],
  hf: [
    { name: 'config.json', ...HF_CONFIG },
    { name: 'model.safetensors', ...HF_MODEL },
    ...TOKENIZER,
    { name: 'tokenizer_config.json', ours: 'tokenizer_config.json' },
    { name: 'vocab.json', ours: 'vocab.json' },
    { name: 'merges.txt', ours: 'merges.txt' },
    { name: 'README.md', form: 'card-hf' },
  ],
};

/** Size of a package, or the reason why it cannot be made. */
export type Offer = number | GlasshouseError;

/** Losses of a step in nats per token; undefined if unknown. */
export interface Losses {
  readonly loss: number | undefined;
  readonly validation: number | undefined;
}

/** A model, and facts that its engine does not know. */
export interface Packed {
  readonly model: Model;
  /** Context in tokens. */
  readonly context: number;
  readonly lossesAt: (step: number) => Losses;
  /** Language of the card. */
  readonly language: 'en' | 'zh';
}

/** Maximum characters of the card's prompt, and maximum tokens of its continuation. */
const PROMPT_LENGTH = 8;
const SAMPLE_TOKENS = 40;
/** Seeds to try if temperature 0 gives no prompt. */
const SEEDS = 8;
/** Characters that need no escape in a quoted string of shells and programming languages. */
const USABLE = /[^\s\p{C}\ufffd"\\$`'!]+/u;

/** Packs a model; `start` creates an engine with the formats, which is closed afterwards. */
export async function pack(
  format: Format,
  packed: Packed,
  folder: string,
  start: () => Promise<CreatedTrainer>,
): Promise<Blob> {
  const { model } = packed;
  const { trainer } = await start();
  try {
    const weights = await model.save('weights', '');
    const { step } = await trainer.inspect({ weights });
    const said = await cardFields(packed, step);
    const files: { name: string; input: Blob }[] = [];
    for (const part of PARTS[format]) {
      const { form } = part;
      const input =
        (await saveOurs(part, model)) ?? (form && (await trainer.convert(weights, form, said)));
      if (input !== undefined) files.push({ name: `${folder}/${part.name}`, input });
    }
    return await downloadZip(files).blob();
  } finally {
    trainer.close();
  }
}

/**
 * Saves a file with the model's own engine. Returns null if `ours` is undefined; if `ours` cannot
 * express the recipe and `form` remains to try; or if the file is a BPE vocabulary, but the tokens
 * of the model are characters.
 */
async function saveOurs({ ours, form }: Part, model: Model): Promise<Blob | null> {
  if (ours === undefined) return null;
  try {
    return await model.save(ours, '');
  } catch (thrown) {
    const { code, subject } = asError(thrown);
    const hasOtherTokens = code === 'state' && subject === 'tokenizer';
    if (form === undefined ? hasOtherTokens : code === 'export') return null;
    throw thrown;
  }
}

/** The size of each package, computed without making it. */
export async function offersOf(
  model: Model,
  start: () => Promise<CreatedTrainer>,
): Promise<Readonly<Record<Format, Offer>>> {
  const weights = await model.save('weights', '');
  const { trainer } = await start();
  const sizeOf = async (part: Part): Promise<number> =>
    part.form === undefined
      ? ((await saveOurs(part, model))?.size ?? 0)
      : trainer.measure(weights, part.form);
  const offer = async (format: Format): Promise<Offer> => {
    try {
      let size = 0;
      for (const part of PARTS[format]) size += await sizeOf(part);
      return size;
    } catch (thrown) {
      return asError(thrown);
    }
  };
  try {
    const offers: [Format, Offer][] = [];
    for (const format of FORMATS) offers.push([format, await offer(format)]);
    return Object.fromEntries(offers) as Record<Format, Offer>;
  } finally {
    trainer.close();
  }
}

/** Fields of the model card for `step`. */
async function cardFields(
  { model, context, lossesAt, language }: Packed,
  step: number,
): Promise<Said> {
  const prompt = await promptOf(model, context);
  const tokens = Math.max(1, Math.min(SAMPLE_TOKENS, context - bytesOf(prompt) - 1));
  const request = { prompt, temperature: 0, maxTokens: tokens, seed: 1 };
  const sample = await wholeSample(model, request);
  const receipt = await model.receipt().catch(() => null);
  // The losses are read last, because those of a training run arrive shortly after its steps.
  const losses = lossesAt(step);
  return {
    language,
    prompt,
    sample,
    tokens: String(tokens),
    ...(receipt === null ? {} : { receipt: receipt.line }),
    ...lossField('loss', losses.loss),
    ...lossField('validation', losses.validation),
  };
}

function lossField(name: 'loss' | 'validation', loss: number | undefined): Said {
  return loss === undefined ? {} : { [name]: loss.toFixed(4) };
}

/** A prompt from a text that the model generates; empty if none contains usable characters. */
async function promptOf(model: Model, context: number): Promise<string> {
  for (let seed = 0; seed <= SEEDS; seed++) {
    const temperature = seed === 0 ? 0 : 1;
    const request = { prompt: '', temperature, maxTokens: SAMPLE_TOKENS, seed: Math.max(1, seed) };
    const text = await wholeSample(model, request);
    const [run] = USABLE.exec(text) ?? [];
    if (run === undefined) continue;
    const letters = Array.from(run);
    // A continuation must remain: the prompt is at most half of a run that ends the text, and at
    // most half of the context.
    const most = text.endsWith(run) ? Math.ceil(letters.length / 2) : PROMPT_LENGTH;
    letters.splice(Math.min(most, PROMPT_LENGTH));
    while (letters.length > 1 && bytesOf(letters.join('')) > context / 2) letters.pop();
    return letters.join('');
  }
  return '';
}

/** Length in UTF-8 bytes, an upper bound for the number of tokens. */
function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
