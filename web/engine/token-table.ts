/** The tokens of a model in displayable form, and texts cut to a number of tokens. */
import type { Token } from './trainer.ts';
import type { EngineModel } from './binding/model.ts';

const encoder = new TextEncoder();

/** The beginning of a text, cut to a number of tokens. */
export interface FittedText {
  readonly bytes: Uint8Array;
  /** Tokens left out at the end. */
  readonly omitted: number;
}

/** Invalid after the model is freed. */
export class TokenTable {
  readonly #model: EngineModel;
  readonly #bos: number;
  readonly #known = new Map<number, Token>();

  constructor(model: EngineModel) {
    this.#model = model;
    this.#bos = model.get('bos');
  }

  token(id: number): Token {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const token = describeToken(id, this.#model.tokenBytes(id), id === this.#bos);
    this.#known.set(id, token);
    return token;
  }

  /** The tokens of `ids`, in order. */
  tokens(ids: ArrayLike<number>): Token[] {
    return Array.from(ids, (id) => this.token(id));
  }

  /** Ids of `text`, without BOS. */
  encode(text: string): Int32Array {
    return this.#model.encode(encoder.encode(text));
  }

  /** The first tokens of `text`, at most `maxTokens` and at most the context, including BOS. */
  fit(text: string, maxTokens: number): FittedText {
    const bytes = encoder.encode(text);
    const ids = this.#model.encode(bytes);
    // BOS takes a position of the context if sequences are documents.
    const bos = this.#model.get('sequences') === 1 ? 1 : 0;
    const room = Math.max(1, Math.min(maxTokens, this.#model.get('context')) - bos);
    if (ids.length <= room) return { bytes, omitted: 0 };
    return { bytes: bytes.subarray(0, this.#byteLength(ids, room)), omitted: ids.length - room };
  }

  /** Length in bytes of the first `count` of `ids`. */
  #byteLength(ids: Int32Array, count: number): number {
    let bytes = 0;
    for (const id of ids.subarray(0, count)) bytes += this.#model.tokenBytes(id).length;
    return bytes;
  }
}

/** A token in displayable form: its text, or its bytes if they form no complete character. */
export function describeToken(id: number, bytes: Uint8Array, isBos: boolean): Token {
  const hex = hexOf(bytes);
  if (isBos) return { id, text: '', kind: 'bos', hex };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { id, text, kind: 'text', hex };
  } catch {
    return { id, text: '', kind: 'bytes', hex };
  }
}

/** Two hexadecimal digits per byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}
