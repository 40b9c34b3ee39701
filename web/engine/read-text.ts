/**
 * Reads a text file like the page, the command line and glasshouse.py: without byte order mark,
 * with LF as line end.
 */
import { withPlainEnds } from '../base/line-ends.ts';
import { failure } from './errors.ts';
import { bytesOf } from './text-bytes.ts';

/**
 * Decodes a file to UTF-8. Without a byte order mark for UTF-16 it must be UTF-8. Throws `argument`
 * if it is neither.
 */
export function readText(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(file);
  const [first, second] = bytes;
  const wide = { 0xfffe: 'utf-16le', 0xfeff: 'utf-16be' }[((first ?? 0) << 8) | (second ?? 0)];
  let text: string;
  try {
    text = new TextDecoder(wide ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    const said = `the text is not ${(wide ?? 'utf-8').toUpperCase()}: convert the file to UTF-8`;
    throw failure('argument', said, [], 'text');
  }
  return new TextEncoder().encode(withPlainEnds(text));
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
