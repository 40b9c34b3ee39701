/**
 * Exports our weights to other programs' formats and imports their files, with the module that
 * contains the formats (build/wasm-questions).
 */
import { EngineMemory } from './engine-memory.ts';
import { engineBytes } from './load-engine.ts';

const PIECE = 1 << 16;

let module: WebAssembly.Module | undefined;

/** An imported file of another program; texts that the file lacks are empty. */
export interface Imported {
  readonly config: string;
  readonly vocab: string;
  readonly merges: string;
  readonly added: string;
  /** The content of model.safetensors. */
  readonly weights: Uint8Array<ArrayBuffer>;
}

/** Collects pieces of bytes into one array. */
class Pieces {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  join(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}

export class FormatsEngine extends EngineMemory {
  static create(): FormatsEngine {
    module ??= new WebAssembly.Module(engineBytes('wasm-questions'));
    const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
    const { exports } = new WebAssembly.Instance(module, imports);
    (exports['_initialize'] as () => void)();
    return new FormatsEngine(exports);
  }

  /** Exports our weights (gpt_save_open "weights") to this format. Throws the engine's error. */
  exportAs(weights: Uint8Array, form: string): Uint8Array<ArrayBuffer> {
    const handle = this.pointer('export_open', form, weights.length);
    if (handle === 0) throw new Error(`no form ${form}`);
    const out = new Pieces();
    const answer = (value: number): number =>
      value < 0 ? this.#fail('export_error_json', handle) : value;
    this.borrow(PIECE, (room) => {
      for (let at = 0; this.call('export_done', handle) === 0;) {
        const piece = weights.subarray(at, at + PIECE);
        this.write(room, piece);
        const fed = answer(this.call('export_feed', handle, room, piece.length));
        const got = answer(this.call('export_take', handle, room, PIECE));
        if (fed + got === 0) throw new Error(`${form} stands still at ${at}`);
        out.add(this.bytes(room, got));
        at += fed;
      }
    });
    this.call('export_free', handle);
    return out.join();
  }

  /** Imports another program's file as the files of a transformers folder. */
  importFile(file: Uint8Array): Imported {
    const handle = this.pointer('import_open', file.length);
    const out = new Pieces();
    const answer = (value: number): number =>
      value < 0 ? this.#fail('import_error_json', handle) : value;
    this.borrow(PIECE, (room) => {
      for (let wants, got = 0; (wants = this.call('import_wants', handle)) + got > 0;) {
        const at = this.call('import_at', handle);
        const piece = file.subarray(at, at + Math.min(wants, PIECE));
        this.write(room, piece);
        if (wants > 0) answer(this.call('import_feed', handle, room, piece.length));
        got = answer(this.call('import_take', handle, room, PIECE));
        out.add(this.bytes(room, got));
      }
    });
    const text = (name: string): string => this.text('import_text', [handle, name], 1 << 22);
    const imported = {
      config: text('config.json'),
      vocab: text('vocab.json'),
      merges: text('merges.txt'),
      added: text('added_tokens.json'),
      weights: out.join(),
    };
    this.call('import_free', handle);
    return imported;
  }

  #fail(name: string, handle: number): never {
    throw new Error((JSON.parse(this.text(name, [handle])) as { message: string }).message);
  }
}

/** Exports with a new engine. */
export function exportAs(weights: Uint8Array, form: string): Uint8Array<ArrayBuffer> {
  return FormatsEngine.create().exportAs(weights, form);
}
