/**
 * Reads a text file like the page, the command line and glasshouse.py: without byte order mark,
 * with LF as line end.
 */
import { withPlainEnds } from '../base/line-ends.ts';
import { decodeUtf32 } from '../base/utf-32.ts';
import { failure } from './errors.ts';
import { bytesOf } from './text-bytes.ts';

/** Byte order marks of other encodings than UTF-8; the longer first. */
const MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Converts a file to UTF-8. Without a byte order mark of UTF-16 or UTF-32 the file must be UTF-8.
 * Throws `argument` if the bytes are invalid in the encoding.
 */
export function readText(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(file);
  const found = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  const encoding = found?.[0] ?? 'utf-8';
  let text: string;
  try {
    text = encoding.startsWith('utf-32')
      ? utf32(bytes.subarray(4), encoding === 'utf-32le')
      : new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const said = `the text is not ${encoding.toUpperCase()}: convert the file to UTF-8, or read it as it is`;
    throw failure('argument', said, [], 'text');
  }
  return new TextEncoder().encode(withPlainEnds(text));
}

function utf32(bytes: Uint8Array, isLittle: boolean): string {
  const refuse = (): never => {
    throw new TypeError('not a character');
  };
  return bytes.length % 4 === 0 ? decodeUtf32(bytes, isLittle, refuse) : refuse();
}

/** The bytes as they are, and, if different, as `readText` reads them. */
export function readingsOf(text: Uint8Array | string): Uint8Array<ArrayBuffer>[] {
  const asItLies = bytesOf(text);
  try {
    const read = readText(asItLies);
    const isSame =
      read.length === asItLies.length && read.every((byte, at) => byte === asItLies[at]);
    return isSame ? [asItLies] : [asItLies, read];
  } catch {
    return [asItLies];
  }
}
