/** The reader's own text in all the ways in which a lesson can hold it; read once per version. */
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { sha256 } from '../../store/sha256.ts';
import {
  BESIDE_LIMIT,
  packText,
  tooLongToShare,
  UNPACKED_LIMIT,
} from '../../store/text/packed-text.ts';
import type { LaterContext } from '../panel.ts';
import type { SharedText } from './snippets.ts';

/** A sample text, which no lesson needs to hold. */
const NO_VERSION = -1;

/** Both are null while the text is being packed. */
interface ReadText {
  readonly text: SharedText | null;
  readonly error: GlasshouseError | null;
}
const UNREAD: ReadText = { text: null, error: null };

export class TextToShare {
  readonly #context: LaterContext;
  readonly #onRead: () => void;
  #version = NO_VERSION;
  #read = UNREAD;

  /** `onRead` is called when the text is there, or cannot be. */
  constructor(context: LaterContext, onRead: () => void) {
    this.#context = context;
    this.#onRead = onRead;
  }

  /** The text as far as it has been read; begins to read one that is new. */
  now(): ReadText {
    const { state } = this.#context;
    const version = state.source === 'own' ? state.version : NO_VERSION;
    if (version !== this.#version) {
      this.#version = version;
      this.#read = UNREAD;
      if (version !== NO_VERSION) void this.#begin(version);
    }
    return this.#read;
  }

  /** Reads the text, byte for byte: another text would be another lesson, with other receipts. */
  async #begin(version: number): Promise<void> {
    const { state, actions } = this.#context;
    let read: ReadText;
    try {
      const text = await sharedText(await actions.readBytes(), fileNameOf(state.fileName));
      read = { text, error: null };
    } catch (thrown) {
      read = { text: null, error: asError(thrown) };
    }
    if (version !== this.#version) return;
    this.#read = read;
    this.#onRead();
  }
}

/** Why a text cannot stand in markup: it is too long, or markup would change it. */
export function whyNotInMarkup(size: number): GlasshouseError {
  if (size > UNPACKED_LIMIT) return tooLongToShare(size);
  return failure('share-bytes', 'the text is not UTF-8, or has a NUL');
}

/**
 * A text in all the ways in which a lesson can hold it; throws `share-size` if the text is too long
 * for all of them.
 */
async function sharedText(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<SharedText> {
  if (bytes.length > BESIDE_LIMIT) throw tooLongToShare(bytes.length, BESIDE_LIMIT);
  const text = bytes.length > UNPACKED_LIMIT ? null : asUtf8(bytes);
  try {
    return { text, packed: await packText(bytes), file: null };
  } catch {
    return { text, packed: '', file: { name, sha256: await sha256(new Blob([bytes])) } };
  }
}

/** Null for what markup would not keep: it has no way to write a NUL. */
function asUtf8(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A name that links may have: that of the text's own file, as far as that is one. */
function fileNameOf(fileName: string): string {
  const plain = fileName.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  return plain === '' ? 'text.txt' : plain;
}
