/** Which of the files that come together is what. */
import { isServerAnswer } from '../../base/is-web-page.ts';
import { failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { WeightsForm } from '../../engine/trainer.ts';
import { runAmong } from './model-files.ts';
import type { ChosenModel } from './model-files.ts';

const WEIGHTS = /\.safetensors$/i;
/** What transformers calls the one file; beside it an index of shards is not needed. */
const WHOLE = 'model.safetensors';
const INDEX = /\.safetensors\.index *(\(\d+\))?\.json$/i;
// Browsers put a number after the name of a second download.
const CONFIG = /^config *(\(\d+\))?\.json$/i;
/**
 * Those of transformers, OpenAI's release, and the tokenizers library, which has all in one file.
 */
const VOCABULARIES = [
  /^vocab *(\(\d+\))?\.json$/i,
  /^encoder *(\(\d+\))?\.json$/i,
  /^tokenizer *(\(\d+\))?\.json$/i,
];
/**
 * What tells such files of a model from others of the same name, even if they are damaged: names of
 * settings, a token with its number, the model of a tokenizer.
 */
const SETTINGS =
  /"(?:model_type|architectures|n_layer|n_head|n_embd|num_hidden_layers|hidden_size|vocab_size)" *:/;
const TOKENS = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\d|"model"\s*:\s*\{/;
const MERGES = /^(merges *(\(\d+\))?\.txt|vocab *(\(\d+\))?\.bpe)$/i;
/** Merges, even if they are damaged further down: their first line, or pairs of tokens. */
const PAIRS = /^\s*(?:#version|(?:\S+ \S+\r?\n){3})/;
const ADDED = /^added_tokens *(\(\d+\))?\.json$/i;
/** Files that a tokenizer of transformers also has, and that are not needed here. */
const TOKENIZER_SETTINGS = /^(tokenizer_config|special_tokens_map) *(\(\d+\))?\.json$/i;
/** The characters of a model of nanoGPT, as a pickle. */
const META = /^meta *(\(\d+\))?\.pkl$/i;
/** Files of PyTorch, llm.c and llama.cpp, which the engine tells apart by their first bytes. */
const FOREIGN = /\.(bin|pt|pth|ckpt|gguf)$/i;
/** What transformers calls the one file of PyTorch, and what it writes beside it on the way. */
const TORCH_WHOLE = /^pytorch_model *(\(\d+\))?\.bin$/i;
const TORCH_BESIDE =
  /^(optimizer|scheduler|scaler|training_args|rng_state(_\d+)?) *(\(\d+\))?\.(bin|pt|pth)$/i;
/** One of several files of PyTorch that only together are the model. */
const TORCH_SHARD = /-\d+-of-\d+ *(\(\d+\))?\.(bin|pt|pth|ckpt)$/i;
/** What a Mac puts beside a file on other disks. */
const BESIDE = /^\._/;
const RECEIPT = /^\s*\{\s*"format"\s*:\s*"glasshouse-receipt"/;
const TEXT = /\.txt$/i;
const VOCAB_AS_TEXT = /^vocab *(\(\d+\))?\.txt$/i;
/** As many bytes as tell a web page. */
const BEGINNING = 512;
/** A longer JSON is not that of the raw form. */
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

/** Whether this is a file of a tokenizer: its name and its content are of that kind. */
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
  // By itself it is a text.
  return files.some(({ name }) => MERGES.test(name)) ? 'model' : 'texts';
}

/** A text that came with the files of a model and is none of them. */
export function textAmong(files: readonly File[]): File | null {
  const none = [MERGES, VOCAB_AS_TEXT];
  const isText = ({ name }: File): boolean =>
    TEXT.test(name) && !none.some((pattern) => pattern.test(name));
  return files.find(isText) ?? null;
}

/** Sorts the files of a model; throws when the weights are missing, or there are several. */
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

/** Throws if a web server's answer lies in place of the file. */
async function checkPart(part: File): Promise<void> {
  if (!isServerAnswer(await part.slice(0, BEGINNING).text())) return;
  throw failure('part-answer', 'this is no such file but an answer of a web server', [], part.name);
}

/** Throws if the file has only the name of settings. */
async function checkConfig(config: File): Promise<void> {
  if (SETTINGS.test(await config.text())) return;
  throw failure('not-a-config', 'this file has no settings of a model', [], config.name);
}

function withoutCopies(files: readonly File[]): readonly File[] {
  return files.filter(({ name }) => !BESIDE.test(name));
}

/**
 * The file to begin with. One file that holds the whole model goes before those that name others.
 */
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

/** The file of another program, or null; throws where there are several. */
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

/** The JSON of the raw form, which has no name of its own: what it holds tells. */
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

/** All files of a drop, those inside a dropped folder included (not those of its own folders). */
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
  // It answers in portions, the last of which is empty.
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
