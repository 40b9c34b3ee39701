/** A text as bytes: those that it has already, or the UTF-8 of a string. */
import { failure } from './errors.ts';

export function bytesOf(text: Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof text === 'string') return new TextEncoder().encode(text);
  // By its tag, not by instanceof: frames and test runners have classes of their own. Those who
  // call without types would otherwise train on something else, in silence.
  if (Object.prototype.toString.call(text) === '[object Uint8Array]') {
    return text.buffer instanceof ArrayBuffer
      ? (text as Uint8Array<ArrayBuffer>)
      : new Uint8Array(text);
  }
  throw failure('argument', 'the text must be a string or a Uint8Array of its UTF-8', [], 'text');
}

/** One thing, or several, as a list. */
export function listOf<Thing>(things: Thing | readonly Thing[]): readonly Thing[] {
  return Array.isArray(things) ? (things as readonly Thing[]) : [things as Thing];
}
