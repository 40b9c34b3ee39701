/** Encodes the reader's own text for lessons, once per version. */
import { useEffect, useState } from 'preact/hooks';
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { sha256 } from '../../store/sha256.ts';
import {
  BESIDE_LIMIT,
  packText,
  tooLongToShare,
  UNPACKED_LIMIT,
} from '../../store/text/packed-text.ts';
import { useInstrument } from '../component.tsx';
import type { SharedText } from './snippets.ts';

/** The encoded text or its error; both null while it is encoded, or for a sample text. */
interface ReadText {
  readonly text: SharedText | null;
  readonly error: GlasshouseError | null;
}
const UNREAD: ReadText = { text: null, error: null };

/** Encodes the reader's own text once per version, byte for byte, so that receipts agree. */
export function useTextToShare(): ReadText {
  const { state, actions } = useInstrument();
  const version = state.source === 'own' ? state.version : null;
  const [{ of, read }, setRead] = useState({ of: version, read: UNREAD });
  useEffect(() => {
    let isCurrent = version !== null;
    const set = (text: SharedText | null, error: GlasshouseError | null): void => {
      if (isCurrent) setRead({ of: version, read: { text, error } });
    };
    if (isCurrent) {
      actions
        .readBytes()
        .then((bytes) => sharedText(bytes, fileNameOf(state.fileName)))
        .then(
          (text) => set(text, null),
          (thrown: unknown) => set(null, asError(thrown)),
        );
    }
    return () => {
      isCurrent = false;
    };
  }, [version]);
  return of === version ? read : UNREAD;
}

/** Why markup cannot contain a text: too long, or markup would change its bytes. */
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

/** The bytes as text; null if markup cannot express them, such as a NUL. */
function asUtf8(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The name of the text's file, reduced to letters, digits and "._-", which a link may contain. */
function fileNameOf(fileName: string): string {
  const plain = fileName.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  return plain === '' ? 'text.txt' : plain;
}
