/** Files on their way between the disk and the page: which is which, and what is called what. */
import { fileName } from '../../base/file-name.ts';
import { SITE } from '../../base/form.ts';
import { failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { presetValue, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type {
  ModelFacts,
  ModelFiles,
  Purpose,
  SaveForm,
  WeightsForm,
} from '../../engine/trainer.ts';

/** The files of one model, and the name to show for them. */
export interface ChosenModel {
  readonly name: string;
  readonly files: ModelFiles;
}

/** A model that was opened from files. */
export interface OpenedModel extends ChosenModel {
  readonly facts: ModelFacts;
  /** As the file has it. */
  readonly recipe: Recipe;
  readonly purpose: Purpose;
  /** Whether its run learned the bytes of the text's file, as all did before files were decoded. */
  readonly readsRaw?: boolean;
  /** Why its run cannot go on, or it cannot learn the text; null when it does, or as chosen. */
  readonly why: GlasshouseError | null;
}

const RUN = /\.glasshouse$/i;
const WEIGHTS = /\.safetensors$/i;
/** What transformers calls the one file; beside it an index of shards is not needed. */
const WHOLE = 'model.safetensors';
const INDEX = /\.safetensors\.index *(\(\d+\))?\.json$/i;
// Browsers put a number after the name of a second download.
const CONFIG = /^config *(\(\d+\))?\.json$/i;
/**
 * Those of transformers, OpenAI's release, and the tokenizers library, which has all in one file.
 */
const VOCABULARIES = [/^vocab *(\(\d+\))?\.json$/i, /^encoder *(\(\d+\))?\.json$/i, /^tokenizer *(\(\d+\))?\.json$/i]; // prettier-ignore
const MERGES = /^(merges *(\(\d+\))?\.txt|vocab *(\(\d+\))?\.bpe)$/i;
const ADDED = /^added_tokens *(\(\d+\))?\.json$/i;
const PART = /\.bin$/i;
/** PyTorch's own files, which the engine tells by their first bytes. */
const PICKLE = /\.(bin|pt|pth|ckpt)$/i;
/** What a Mac puts beside a file on other disks. */
const BESIDE = /^\._/;
const TEXT = /\.txt$/i;
const VOCAB_AS_TEXT = /^vocab *(\(\d+\))?\.txt$/i;
/** A longer JSON is not that of the raw form. */
const RAW_BYTES = 16e6;

/** Whether these files are (part of) a model rather than a text to learn. */
async function isModel(files: readonly File[]): Promise<boolean> {
  const known = [WEIGHTS, INDEX, CONFIG, ...VOCABULARIES];
  const named = files.some(({ name }) => known.some((pattern) => pattern.test(name)));
  return named || (await findRaw(files)) !== null;
}

/** The one file, if it is a run as the list of runs saves it (see run-file.ts); else null. */
export function runAmong([file, more]: readonly File[]): File | null {
  return SITE && more === undefined && file !== undefined && RUN.test(file.name) ? file : null;
}

/** What files are that come together: a model, a run, or texts to learn. */
export async function kindOf(all: readonly File[]): Promise<'model' | 'run' | 'text' | 'texts'> {
  const files = withoutCopies(all);
  if (runAmong(files) !== null) return 'run';
  if (await isModel(files)) return 'model';
  if (files.length < 2) return 'text';
  // By themselves they are texts.
  const parts = [MERGES, PART];
  return files.some(({ name }) => parts.some((pattern) => pattern.test(name))) ? 'model' : 'texts';
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
  const { weights, form } = await findWeights(files);
  const [config, merges, added] = [find(CONFIG), find(MERGES), find(ADDED)];
  const vocab = VOCABULARIES.map(find).find((file) => file !== null) ?? null;
  const parts = new Map(files.map((file) => [file.name, file]));
  return { name: weights.name, files: { weights, form, parts, config, vocab, merges, added } };
}

function withoutCopies(files: readonly File[]): readonly File[] {
  return files.filter(({ name }) => !BESIDE.test(name));
}

/**
 * The file to begin with. One file that holds the whole model goes before those that name others.
 */
async function findWeights(files: readonly File[]): Promise<{ weights: File; form: WeightsForm }> {
  const all = files.filter(({ name }) => WEIGHTS.test(name));
  const index = files.find(({ name }) => INDEX.test(name));
  const whole = index === undefined ? all : all.filter(({ name }) => name === WHOLE);
  const [weights, second] = whole;
  if (second !== undefined) {
    throw failure('several-weights', 'there are several .safetensors files', [], second.name);
  }
  if (weights !== undefined) return { weights, form: 'safetensors' };
  if (index !== undefined) return { weights: index, form: 'index' };
  const raw = await findRaw(files);
  if (raw !== null) return { weights: raw, form: 'raw' };
  const pickle = files.find(({ name }) => PICKLE.test(name));
  if (pickle !== undefined) return { weights: pickle, form: 'safetensors' };
  const [only, more] = files;
  if (only !== undefined && more === undefined && !(await isModel(files))) {
    throw failure('not-a-model', 'this file is no part of a model', [], only.name);
  }
  throw failure('no-weights', 'there is no .safetensors file among these files');
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
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Both lists are emptied as soon as the event is over: taken before anything is waited for.
  const plain = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
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

/** What a file says of its recipe. */
type RecipeFacts = Pick<ModelFacts, 'values' | 'leftOut'>;

/** The recipe with these values, as changes of a preset. */
export function recipeFrom(
  table: OptionTable,
  preset: string,
  { values, leftOut }: RecipeFacts,
): Recipe {
  let recipe: Recipe = { preset, changes: {}, ...(leftOut.length > 0 ? { leftOut } : {}) };
  for (const option of table.options) {
    const value = values[option.name] ?? presetValue(table, preset, option);
    recipe = withChange(table, recipe, option.name, value);
  }
  return recipe;
}

/** The recipe with these values: the preset that comes nearest, and what differs from it. */
export function recipeOf(table: OptionTable, facts: RecipeFacts): Recipe {
  const recipes = table.presets.map((preset) => recipeFrom(table, preset, facts));
  const size = ({ changes }: Recipe): number => Object.keys(changes).length;
  const nearest = recipes.sort((a, b) => size(a) - size(b))[0];
  return nearest ?? { preset: '', changes: {} };
}

/** The name under which a model is saved. */
export function saveName(form: SaveForm, run: string, step: number): string {
  return form === 'checkpoint' || form === 'weights'
    ? `${fileName(form, run, step)}.safetensors`
    : form;
}
