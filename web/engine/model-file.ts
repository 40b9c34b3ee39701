/**
 * Reads a model from files into the engine in pieces: a file of gigabytes is never in memory twice.
 */
import { factsOf, failure } from './errors.ts';
import type { ByteRange } from './left-out.ts';
import type { Option } from './options.ts';
import type { FileSource, ModelFacts, ModelFiles } from './trainer.ts';
import type { Engine } from './binding/engine.ts';
import type { EngineLoader } from './binding/loader.ts';
import type { EngineModel } from './binding/model.ts';
import type { EngineRecipe } from './binding/recipe.ts';

/** Bytes read at a time. */
const PIECE = 4 << 20;
/** Maximum bytes of a config or vocabulary; longer ones cannot be genuine. */
const SMALL_FILE = 16e6;

/**
 * Model options that may change when weights come from a file: a shorter context, and those used
 * only for initialisation.
 */
const OPEN_WITH_FILE: readonly string[] = ['context', 'init_std', 'residual_init'];

/** A file whose header was read, up to byte `end`; its data waits until the model is allocated. */
interface Header {
  readonly file: Blob;
  readonly end: number;
}

/** A model whose headers were read. The caller frees it. */
export class OpenedFile {
  readonly loader: EngineLoader;
  readonly #recipe: EngineRecipe;
  readonly #headers: readonly Header[];

  constructor(recipe: EngineRecipe, loader: EngineLoader, headers: readonly Header[]) {
    this.#recipe = recipe;
    this.loader = loader;
    this.#headers = headers;
  }

  /** Facts of the header; `options`: names of all options. */
  facts(options: readonly string[]): ModelFacts {
    const raw = JSON.parse(this.loader.factsJson()) as {
      resumable: boolean;
      forkable: boolean;
      step: number;
      text_bytes: number;
      note: string;
    };
    const values = Object.fromEntries(options.map((name) => [name, this.#recipe.get(name)]));
    const { resumable, forkable, step, text_bytes: textBytes, note } = raw;
    const leftOut = this.#recipe.leftOut();
    return { values, leftOut, resumable, forkable, step, textBytes, note };
  }

  /** Sets an option of its recipe; throws if the weights do not allow another value. */
  want({ name, group }: Option, value: number): void {
    if (this.#recipe.get(name) === value) return;
    if (name === 'tokenizer' || (group === 'model' && !OPEN_WITH_FILE.includes(name))) {
      throw failure('file-model', `${name} belongs to the model in the file`, [], name);
    }
    this.#recipe.set(name, value);
  }

  /** Sets the bytes that training skips; a resumed run accepts no other list than its own. */
  leaveOut(ranges: readonly ByteRange[]): void {
    this.#recipe.leaveOut(ranges);
  }

  /** Throws if the options contradict each other. */
  check(): void {
    this.#recipe.check();
  }

  /** Reads the weights; call after `loader.begin`. */
  async finish(): Promise<EngineModel> {
    for (const { file, end } of this.#headers) {
      for (let at = end; at < file.size; at += PIECE) {
        this.loader.feed(await readBytes(file, at, Math.min(at + PIECE, file.size)));
      }
    }
    return this.loader.finish();
  }

  free(): void {
    this.loader.free();
    this.#recipe.free();
  }
}

/** Reads the headers of all weights files. */
export async function openModel(engine: Engine, files: ModelFiles): Promise<OpenedFile> {
  const { form = 'safetensors' } = files;
  const weights = asBlob(files.weights, 'weights');
  const [config, vocab, merges, added] = (['config', 'vocab', 'merges', 'added'] as const).map(
    (name) => {
      const file = files[name];
      return file ? asBlob(file, name) : null;
    },
  );
  const recipe = engine.recipe('gpt2');
  let loader: EngineLoader | null = null;
  try {
    if (vocab) await setVocabulary(recipe, vocab, merges, added);
    if (config && form !== 'raw') recipe.importConfig(await readSmall(config));
    loader = recipe.load(form, weights.size);
    const headers = [await readHeader(loader, weights)];
    for (const [name, file] of namedParts(loader, files)) {
      loader.next(file.size);
      headers.push(await readHeader(loader, file, name));
    }
    return new OpenedFile(recipe, loader, headers);
  } catch (thrown) {
    loader?.free();
    recipe.free();
    throw thrown;
  }
}

/** Converts bytes to a Blob: callers in Node mostly have bytes. */
export function asBlob(file: FileSource, name: string): Blob {
  if (ArrayBuffer.isView(file)) return new Blob([file]);
  const given = file as Partial<Blob> | null | undefined;
  if (typeof given?.slice === 'function' && typeof given.size === 'number') return file;
  throw failure('argument', `${name} must be a Blob, a File or bytes`, [], name);
}

async function setVocabulary(
  recipe: EngineRecipe,
  vocab: Blob,
  merges: Blob | null | undefined,
  added: Blob | null | undefined,
): Promise<void> {
  const read = async (file: Blob | null | undefined): Promise<Uint8Array | null> =>
    file ? readSmall(file) : null;
  const parts = [await readSmall(vocab), await read(merges), await read(added)] as const;
  try {
    recipe.setBpe(...parts);
  } catch (thrown) {
    const lacks = factsOf(thrown);
    if (lacks.code !== 'argument') throw thrown;
    // Only a tokenizer.json needs no merges file.
    throw failure('part-missing', `${lacks.subject} belongs to this model`, [], 'merges.txt');
  }
}

/** Feeds the header of a file; raw files have none. */
async function readHeader(loader: EngineLoader, file: Blob, name = ''): Promise<Header> {
  let end = 0;
  while (loader.readsHeader()) {
    const piece = await readBytes(file, end, end + PIECE);
    if (piece.length === 0) {
      // Shorter than the length field: the engine refuses longer files that end in their header.
      throw failure('file-header', 'the file is shorter than any header', [], name);
    }
    end += loader.feed(piece);
  }
  return { file, end };
}

/** The files named in the weights, in that order; throws if one is missing. */
function namedParts(loader: EngineLoader, { parts }: ModelFiles): [string, Blob][] {
  const found: [string, Blob][] = [];
  for (let index = 0; ; index++) {
    const name = loader.fileName(index);
    if (name === null) return found;
    const part = parts?.get(name);
    if (part === undefined) {
      throw failure('part-missing', `${name} belongs to this model and is missing`, [], name);
    }
    found.push([name, asBlob(part, name)]);
  }
}

function readSmall(file: Blob): Promise<Uint8Array> {
  if (file.size > SMALL_FILE) {
    const name = (file as Partial<File>).name ?? '';
    throw failure('file', `${name} is longer than a file of this name can be`, [], name);
  }
  return readBytes(file, 0, file.size);
}

export async function readBytes(file: Blob, from: number, to: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer());
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const name = (file as Partial<File>).name ?? '';
    throw failure('file-read', `the file could not be read: ${reason}`, [], name);
  }
}
