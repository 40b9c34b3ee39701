/** The bytes of a text; a string becomes UTF-8. */
import { failure } from './errors.ts';

export function bytesOf(text: Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof text === 'string') return new TextEncoder().encode(text);
  // Compares the tag, since frames and test runners have their own Uint8Array. Refuses other types,
  // because an untyped caller would silently train on other bytes.
  if (Object.prototype.toString.call(text) === '[object Uint8Array]') {
    return text.buffer instanceof ArrayBuffer
      ? (text as Uint8Array<ArrayBuffer>)
      : new Uint8Array(text);
  }
  throw failure('argument', 'the text must be a string or a Uint8Array of its UTF-8', [], 'text');
}

/** One item, or several, as a list. */
export function listOf<Thing>(things: Thing | readonly Thing[]): readonly Thing[] {
  return Array.isArray(things) ? (things as readonly Thing[]) : [things as Thing];
}
