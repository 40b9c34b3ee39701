/**
 * Text files in other encodings than UTF-8, known by their bytes alone: UTF-16, as Windows writes it, and
 * GB 18030 (with GBK and GB 2312 in it), in which many Chinese texts are kept. What is not certain stays
 * as it is: any bytes can be learned.
 */

export type Encoding = 'utf-16le' | 'utf-16be' | 'gb18030';

/** As much of a file as tells its encoding, in bytes. */
const LOOKED_AT = 65_536;
/** Of two bytes of Latin letters in UTF-16 one is 0: at least so many of all pairs, .. */
const MANY_ZEROS = 0.4;
/** .. and at most so many the other way round. */
const FEW_ZEROS = 0.02;
/** In GBK both bytes of nearly every character are large; in old Western encodings letters stand alone. */
const LARGE_BYTES = 1.8;
/** Fewer characters than this are no evidence. */
const ENOUGH = 20;
/**
 * Characters that are frequent in Chinese, old and new: bytes of Korean or Japanese encodings are characters
 * of GBK, too, but not these.
 */
const FREQUENT =
  /[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年山风花日月天水云春无何]/g;
const OFTEN = 0.06;
/** Characters that text has not. */
const NO_TEXT = /(?![\t-\r])\p{Cc}/u;

/** The text in an encoding; null where the bytes are none in it. */
function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The text of `bytes`, and what it was encoded in; null where that is UTF-8, or not certain. */
export function decodeForeign(
  bytes: Uint8Array,
): { readonly text: string; readonly encoding: Encoding } | null {
  const encoding = encodingOf(bytes);
  const text = encoding === null ? null : decoded(bytes, encoding);
  return encoding === null || text === null || NO_TEXT.test(text) ? null : { text, encoding };
}

function encodingOf(bytes: Uint8Array): Encoding | null {
  const mark = bytes.length % 2 === 0 ? ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0) : 0;
  if (mark === 0xfffe) return 'utf-16le';
  if (mark === 0xfeff) return 'utf-16be';
  const start = bytes.subarray(0, LOOKED_AT);
  if (start.includes(0)) return bytes.length % 2 === 0 ? wideEncodingOf(start) : null;
  return isGbk(start) ? 'gb18030' : null;
}

function wideEncodingOf(start: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [first, second] = zeros.map((count) => count / (start.length / 2));
  if (second! >= MANY_ZEROS && first! <= FEW_ZEROS) return 'utf-16le';
  if (first! >= MANY_ZEROS && second! <= FEW_ZEROS) return 'utf-16be';
  return null;
}

function isGbk(start: Uint8Array): boolean {
  const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;
  const asUtf8 = new TextDecoder().decode(start, { stream: true });
  // A UTF-8 text with a few broken characters is still one.
  const broken = count(asUtf8, /\ufffd/g);
  if (2 * broken < count(asUtf8, /[^\0-\x7f]/g) || broken === 0) return false;
  const text = new TextDecoder('gb18030').decode(start, { stream: true });
  const characters = count(text, /[^\0-\x7f]/gu);
  const large = start.reduce((sum, byte) => sum + (byte > 0xa0 ? 1 : 0), 0);
  const frequent = count(text, FREQUENT);
  return (
    characters >= ENOUGH && large >= LARGE_BYTES * characters && frequent >= OFTEN * characters
  );
}
