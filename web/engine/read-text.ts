/**
 * A text file as the page, the command line and glasshouse.py read it: without its byte order mark,
 * and with lines that end in LF.
 */
import { withPlainEnds } from '../base/line-ends.ts';
import { failure } from './errors.ts';
import { bytesOf } from './text-bytes.ts';

/**
 * The text of a file as UTF-8. A mark may say UTF-16; without one it is UTF-8. Throws `argument`
 * for bytes that are no such text.
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

/** The bytes of a text as they lie and, where that is something else, as its file is read. */
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
