/** A text as bytes: those that it has already, or the UTF-8 of a string. */
import { failure } from './errors.ts';

export function bytesOf<Bytes extends Uint8Array>(
  text: Bytes | string,
): Bytes | Uint8Array<ArrayBuffer> {
  if (typeof text === 'string') return new TextEncoder().encode(text);
  // Those who call without types would otherwise train on something else, in silence.
  if ((text as unknown) instanceof Uint8Array) return text;
  throw failure('argument', 'the text must be a string or a Uint8Array of its UTF-8', [], 'text');
}
