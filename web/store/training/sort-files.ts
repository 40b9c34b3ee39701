/** Recognises the parts of a model among files opened together. */
import { isServerAnswer } from '../../base/is-web-page.ts';
import { failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { WeightsForm } from '../../engine/trainer.ts';
import { runAmong } from './model-files.ts';
import type { ChosenModel } from './model-files.ts';

const WEIGHTS = /\.safetensors$/i;
/** File name of whole weights in transformers, which make an index of shards unnecessary. */
const WHOLE = 'model.safetensors';
const INDEX = /\.safetensors\.index *(\(\d+\))?\.json$/i;
// Browsers append a number to the name of a second download.
const CONFIG = /^config *(\(\d+\))?\.json$/i;
/**
 * Vocabulary files of transformers, of OpenAI's release, and of the tokenizers library, which has a
 * single file.
 */
const VOCABULARIES = [
  /^vocab *(\(\d+\))?\.json$/i,
  /^encoder *(\(\d+\))?\.json$/i,
  /^tokenizer *(\(\d+\))?\.json$/i,
];
/**
 * Contents that distinguish configurations and vocabularies from other files of the same name, even
 * if damaged: names of settings, a token with its number, the model of a tokenizer.
 */
const SETTINGS =
  /"(?:model_type|architectures|n_layer|n_head|n_embd|num_hidden_layers|hidden_size|vocab_size)" *:/;
const TOKENS = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\d|"model"\s*:\s*\{/;
const MERGES = /^(merges *(\(\d+\))?\.txt|vocab *(\(\d+\))?\.bpe)$/i;
/** Beginning of a merges file, even if damaged further down: its header, or pairs of tokens. */
const PAIRS = /^\s*(?:#version|(?:\S+ \S+\r?\n){3})/;
const ADDED = /^added_tokens *(\(\d+\))?\.json$/i;
/** Tokenizer files of transformers that are not needed here. */
const TOKENIZER_SETTINGS = /^(tokenizer_config|special_tokens_map) *(\(\d+\))?\.json$/i;
/** Character table of a nanoGPT model, as a pickle. */
const META = /^meta *(\(\d+\))?\.pkl$/i;
/** Files of PyTorch, llm.c and llama.cpp, which the engine tells apart by their first bytes. */
const FOREIGN = /\.(bin|pt|pth|ckpt|gguf)$/i;
/**
 * File names of whole PyTorch weights in transformers, and of the training state saved beside them.
 */
const TORCH_WHOLE = /^pytorch_model *(\(\d+\))?\.bin$/i;
const TORCH_BESIDE =
  /^(optimizer|scheduler|scaler|training_args|rng_state(_\d+)?) *(\(\d+\))?\.(bin|pt|pth)$/i;
/** Shard of PyTorch weights, unusable alone. */
const TORCH_SHARD = /-\d+-of-\d+ *(\(\d+\))?\.(bin|pt|pth|ckpt)$/i;
/** Metadata files that macOS writes to foreign disks. */
const BESIDE = /^\._/;
const RECEIPT = /^\s*\{\s*"format"\s*:\s*"glasshouse-receipt"/;
const TEXT = /\.txt$/i;
const VOCAB_AS_TEXT = /^vocab *(\(\d+\))?\.txt$/i;
/** Number of bytes by which web pages and receipts are recognised. */
const BEGINNING = 512;
/** Maximum bytes of a JSON file in the raw form, and bytes searched in parts of a model. */
const RAW_BYTES = 16e6;

/** Whether these files are (part of) a model rather than a text to learn. */
async function isModel(files: readonly File[]): Promise<boolean> {
  const known = [WEIGHTS, INDEX, FOREIGN];
  if (files.some(({ name }) => known.some((pattern) => pattern.test(name)))) return true;
  for (const file of files) {
    if ((await isTokenizer(file)) || (CONFIG.test(file.name) && (await begins(file, SETTINGS)))) {
      return true;
    }
  }
  return (await findRaw(files)) !== null;
}

/** Whether a file belongs to a tokenizer, by name and content. */
async function isTokenizer(file: File): Promise<boolean> {
  const { name } = file;
  if (META.test(name) || TOKENIZER_SETTINGS.test(name)) return true;
  if (MERGES.test(name)) return begins(file, PAIRS);
  return [ADDED, ...VOCABULARIES].some((one) => one.test(name)) && begins(file, TOKENS);
}

async function begins(file: File, pattern: RegExp): Promise<boolean> {
  return pattern.test(await file.slice(0, RAW_BYTES).text());
}

/** Kinds of files that are opened together. */
export type FileKind = 'model' | 'run' | 'receipt' | 'text' | 'texts';

/** Returns the kind of files that are opened together. */
export async function kindOf(all: readonly File[]): Promise<FileKind> {
  const files = withoutCopies(all);
  if (runAmong(files) !== null) return 'run';
  if (await isModel(files)) return 'model';
  const [only, more] = files;
  if (only === undefined) return 'text';
  if (more === undefined) {
    return RECEIPT.test(await only.slice(0, BEGINNING).text()) ? 'receipt' : 'text';
  }
  // A merges file alone counts as a text.
  return files.some(({ name }) => MERGES.test(name)) ? 'model' : 'texts';
}

/** The text among the files of a model; null if none. */
export function textAmong(files: readonly File[]): File | null {
  const none = [MERGES, VOCAB_AS_TEXT];
  const isText = ({ name }: File): boolean =>
    TEXT.test(name) && !none.some((pattern) => pattern.test(name));
  return files.find(isText) ?? null;
}

/** Sorts the files of a model; throws if weights are missing or ambiguous. */
export async function sortModel(all: readonly File[]): Promise<ChosenModel> {
  const files = withoutCopies(all);
  const find = (pattern: RegExp): File | null =>
    files.find(({ name }) => pattern.test(name)) ?? null;
  const { weights, form, foreign } = await findWeights(files);
  const [config, merges, added] = [find(CONFIG), find(MERGES), find(ADDED)];
  const vocab = VOCABULARIES.map(find).find((file) => file !== null) ?? null;
  for (const part of [config, merges, added, vocab, form === 'index' ? weights : null]) {
    if (part !== null) await checkPart(part);
  }
  if (config !== null) await checkConfig(config);
  const parts = new Map(files.map((file) => [file.name, file]));
  const found = { weights, form, parts, config, vocab, merges, added };
  return { name: weights.name, files: found, foreign };
}

/** Throws if the file is an answer of a web server. */
async function checkPart(part: File): Promise<void> {
  if (!isServerAnswer(await part.slice(0, BEGINNING).text())) return;
  throw failure('part-answer', 'this is no such file but an answer of a web server', [], part.name);
}

/** Throws if the file is named like a configuration but has no settings. */
async function checkConfig(config: File): Promise<void> {
  if (SETTINGS.test(await config.text())) return;
  throw failure('not-a-config', 'this file has no settings of a model', [], config.name);
}

function withoutCopies(files: readonly File[]): readonly File[] {
  return files.filter(({ name }) => !BESIDE.test(name));
}

/** The file to open first. A file with the whole model takes precedence over an index of shards. */
async function findWeights(
  files: readonly File[],
): Promise<{ weights: File; form: WeightsForm; foreign: boolean }> {
  const all = files.filter(({ name }) => WEIGHTS.test(name));
  const index = files.find(({ name }) => INDEX.test(name));
  const whole = index === undefined ? all : all.filter(({ name }) => name === WHOLE);
  const [weights, second] = whole;
  if (second !== undefined) throw severalWeights(second);
  if (weights !== undefined) return { weights, form: 'safetensors', foreign: false };
  if (index !== undefined) return { weights: index, form: 'index', foreign: false };
  const raw = await findRaw(files);
  if (raw !== null) return { weights: raw, form: 'raw', foreign: false };
  const other = findForeign(files);
  if (other !== null) return { weights: other, form: 'safetensors', foreign: true };
  const [only, more] = files;
  if (only !== undefined && more === undefined) {
    const { name } = only;
    const isPage = isServerAnswer(await only.slice(0, BEGINNING).text());
    if (isPage) throw failure('file-web-page', 'this is a web page or an error, and no model');
    if (META.test(name)) throw failure('meta-file', 'this file is not read', [], name);
    if (await isTokenizer(only))
      throw failure('tokenizer-part', 'no weights are with it', [], name);
    if (!(await isModel(files))) {
      throw failure('not-a-model', 'this file is no part of a model', [], name);
    }
  }
  throw failure('no-weights', 'there is no .safetensors file among these files');
}

/** The file of another program; null if none. Throws if there are several. */
function findForeign(files: readonly File[]): File | null {
  const all = files.filter(({ name }) => FOREIGN.test(name) && !TORCH_BESIDE.test(name));
  const named = all.filter(({ name }) => TORCH_WHOLE.test(name));
  const [weights, second] = named.length > 0 ? named : all;
  const shard = weights !== undefined && TORCH_SHARD.test(weights.name);
  if (shard) throw failure('file-shard', 'this is only a part of a model', [], weights.name);
  if (second !== undefined) throw severalWeights(second);
  return weights ?? null;
}

function severalWeights({ name }: File): GlasshouseError {
  return failure('several-weights', 'there are several files of weights', [], name);
}

/** The JSON file of the raw form, recognised by content because its name is free; null if none. */
async function findRaw(files: readonly File[]): Promise<File | null> {
  for (const file of files) {
    const { name, size } = file;
    const other = [CONFIG, INDEX, ADDED, ...VOCABULARIES].some((pattern) => pattern.test(name));
    if (other || !/\.json$/i.test(name) || size > RAW_BYTES) continue;
    if (isRaw(await file.text())) return file;
  }
  return null;
}

function isRaw(text: string): boolean {
  try {
    return (JSON.parse(text) as { format?: unknown } | null)?.format === 'gpt2-raw';
  } catch {
    return false;
  }
}

/** All files of a drop, including files directly inside a dropped folder. */
export async function filesOf(
  plain: readonly File[],
  entries: readonly (FileSystemEntry | null)[],
): Promise<readonly File[]> {
  if (!entries.some((entry) => entry?.isDirectory === true)) return plain;
  const found: File[] = [];
  for (const entry of entries) {
    const inside = entry?.isDirectory
      ? await listFolder(entry as FileSystemDirectoryEntry)
      : [entry];
    for (const one of inside) {
      if (one?.isFile) found.push(await fileOf(one as FileSystemFileEntry));
    }
  }
  return found;
}

async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // Entries come in portions; the last is empty.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}
