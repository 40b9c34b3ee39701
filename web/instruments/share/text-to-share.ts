/** Encodes the reader's own text for lessons, once per version. */
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

/** Version of a sample text, which needs no encoding. */
const NO_VERSION = -1;

/** Both are null while encoding. */
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

  /** `onRead` is called once the text is encoded, or has failed. */
  constructor(context: LaterContext, onRead: () => void) {
    this.#context = context;
    this.#onRead = onRead;
  }

  /** The encoded text; starts encoding a new version. */
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

  /** Encodes the exact bytes: another text would give other receipts. */
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

/** Why a text cannot be in markup: too long, or changed by markup. */
export function whyNotInMarkup(size: number): GlasshouseError {
  if (size > UNPACKED_LIMIT) return tooLongToShare(size);
  return failure('share-bytes', 'the text is not UTF-8, or has a NUL');
}

/** Encodes a text; throws `share-size` if it is too long for every form. */
async function sharedText(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<SharedText> {
  if (bytes.length > BESIDE_LIMIT) throw tooLongToShare(bytes.length, BESIDE_LIMIT);
  const text = bytes.length > UNPACKED_LIMIT ? null : asUtf8(bytes);
  try {
    return { text, packed: await packText(bytes), file: null };
  } catch {
    return { text, packed: '', file: { name, sha256: await sha256(new Blob([bytes])) } };
  }
}

/** Null if markup cannot express the bytes, such as a NUL. */
function asUtf8(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The text's file name reduced to characters that links may have. */
function fileNameOf(fileName: string): string {
  const plain = fileName.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  return plain === '' ? 'text.txt' : plain;
}
