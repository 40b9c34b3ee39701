/**
 * Reads a model from files into the engine, piece by piece: even a file of gigabytes is never in
 * memory a second time.
 */
import { failure } from './errors.ts';
import type { Option } from './options.ts';
import type { ModelFacts, ModelFiles } from './trainer.ts';
import type { Engine, EngineLoader, EngineModel, EngineRecipe } from './wasm.ts';

/** Bytes that are read at a time. */
const PIECE = 4 << 20;
/** Longer configurations and vocabularies are not what they are called. */
const SMALL_FILE = 16e6;

/** Options of models that weights from a file leave open: a smaller context, and what was before them. */
const FREE: readonly string[] = ['context', 'init_std', 'residual_init'];

/** A file whose header has been read. Free it. */
export class OpenedFile {
  readonly loader: EngineLoader;
  readonly #recipe: EngineRecipe;
  readonly #weights: Blob;
  #at: number;

  constructor(recipe: EngineRecipe, loader: EngineLoader, weights: Blob, at: number) {
    this.#recipe = recipe;
    this.loader = loader;
    this.#weights = weights;
    this.#at = at;
  }

  /** What the file says of itself; `options` are the names of all options. */
  facts(options: readonly string[]): ModelFacts {
    const raw = JSON.parse(this.loader.factsJson()) as {
      resumable: boolean;
      step: number;
      text_bytes: number;
      note: string;
    };
    const values = Object.fromEntries(options.map((name) => [name, this.#recipe.get(name)]));
    const { resumable, step, text_bytes: textBytes, note } = raw;
    return { values, resumable, step, textBytes, note };
  }

  /** Changes an option of its recipe, where that is another value; throws where the weights forbid it. */
  want({ name, group }: Option, value: number): void {
    if (this.#recipe.get(name) === value) return;
    if (name === 'tokenizer' || (group === 'model' && !FREE.includes(name))) {
      throw failure('file-model', `${name} belongs to the model in the file`, [], name);
    }
    this.#recipe.set(name, value);
  }

  /** Throws when the options do not fit together. */
  check(): void {
    this.#recipe.check();
  }

  /** Reads the rest, after the loader's begin. */
  async finish(): Promise<EngineModel> {
    while (this.#at < this.#weights.size) {
      const piece = await readBytes(this.#weights, this.#at, this.#at + PIECE);
      this.loader.feed(piece);
      this.#at += piece.length;
    }
    return this.loader.finish();
  }

  free(): void {
    this.loader.free();
    this.#recipe.free();
  }
}

/** Reads as far as the header of the weights goes. */
export async function openModel(engine: Engine, files: ModelFiles): Promise<OpenedFile> {
  const { weights, config, vocab, merges } = files;
  const recipe = engine.recipe('gpt2');
  let loader: EngineLoader | null = null;
  try {
    if (vocab !== null && merges !== null) recipe.setBpe(await small(vocab), await small(merges));
    if (config !== null) recipe.importConfig(await small(config));
    loader = recipe.load(weights.size);
    let at = 0;
    while (!loader.hasHeader()) {
      const piece = await readBytes(weights, at, at + PIECE);
      if (piece.length === 0) {
        throw failure('truncated', 'the file ends within its header', [weights.size, at + 1]);
      }
      at += loader.feed(piece);
    }
    return new OpenedFile(recipe, loader, weights, at);
  } catch (thrown) {
    loader?.free();
    recipe.free();
    throw thrown;
  }
}

function small(file: Blob): Promise<Uint8Array> {
  if (file.size > SMALL_FILE) {
    const name = (file as Partial<File>).name ?? '';
    throw failure('file', `${name} is too long to be what it is called`, [], name);
  }
  return readBytes(file, 0, file.size);
}

async function readBytes(file: Blob, from: number, to: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer());
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const name = (file as Partial<File>).name ?? '';
    throw failure('file-read', `the file could not be read: ${reason}`, [], name);
  }
}
