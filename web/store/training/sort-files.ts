/** Which of the files that come together is what. */
import { isWebPage } from '../../base/is-web-page.ts';
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
const ADDED = /^added_tokens *(\(\d+\))?\.json$/i;
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
    const isVocabulary = VOCABULARIES.some((pattern) => pattern.test(file.name));
    const telling = CONFIG.test(file.name) ? SETTINGS : isVocabulary ? TOKENS : null;
    if (telling?.test(await file.slice(0, RAW_BYTES).text()) === true) return true;
  }
  return (await findRaw(files)) !== null;
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
  if (config !== null) await checkConfig(config);
  const vocab = VOCABULARIES.map(find).find((file) => file !== null) ?? null;
  const parts = new Map(files.map((file) => [file.name, file]));
  const found = { weights, form, parts, config, vocab, merges, added };
  return { name: weights.name, files: found, foreign };
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
  if (only !== undefined && more === undefined && !(await isModel(files))) {
    const isPage = isWebPage(await only.slice(0, BEGINNING).text());
    if (isPage) throw failure('file-web-page', 'this is a web page and no model');
    throw failure('not-a-model', 'this file is no part of a model', [], only.name);
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
