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
/** Fewer characters than this are no evidence unless they speak for it more plainly, and these never. */
const ENOUGH = 20;
const FEW = 4;
/**
 * Characters that are frequent in Chinese, old and new: bytes of Korean or Japanese encodings are characters
 * of GBK, too, but not these.
 */
const FREQUENT =
  /[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年山风花日月天水云春无何]/g;
const OFTEN = 0.06;
/** In a short text all have to be such as are written daily, and so many of these or marks of sentences. */
const VERY_OFTEN = 0.3;
const MARKS = /[，。！？]/g;
// GB 2312: its marks, and the characters of its first level.
const DAILY = /^(?:[\0-\x7f]|[\xa1-\xa3\xb0-\xd7][\xa1-\xfe])*$/;
/** Characters that text has not. */
export const NO_TEXT = /(?![\t-\r])\p{Cc}/u;

/** Bytes that are read between two chances for the page to draw. */
const PIECE = 262_144;

/** Lets others work. */
type Pause = () => Promise<void>;

/**
 * `bytes` as UTF-8, and what they were encoded in; null where that is UTF-8, or not certain. Pauses after
 * each piece of a long text.
 */
export async function recode(
  bytes: Uint8Array,
  pause: Pause,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: Encoding } | null> {
  const encoding = encodingOf(bytes);
  if (encoding === null) return null;
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const isText = await decode(bytes, encoding, pause, (text) => {
    pieces.push(encoder.encode(text));
    return !NO_TEXT.test(text);
  });
  if (!isText) return null;
  return { bytes: new Uint8Array(await new Blob(pieces).arrayBuffer()), encoding };
}

/** Whether all of `bytes` are UTF-8. Pauses after each piece. */
export function isUtf8(bytes: Uint8Array, pause: Pause): Promise<boolean> {
  return decode(bytes, 'utf-8', pause, () => true);
}

/**
 * Gives `take` the text of `bytes`, piece by piece, as long as it answers that it goes on. Whether all of it
 * was taken: false, too, where bytes are none in the encoding.
 */
async function decode(
  bytes: Uint8Array,
  encoding: string,
  pause: Pause,
  take: (text: string) => boolean,
): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await pause();
    let text: string;
    try {
      const stream = at + PIECE < bytes.length;
      text = decoder.decode(bytes.subarray(at, at + PIECE), { stream });
    } catch {
      return false;
    }
    if (!take(text)) return false;
  }
  return true;
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

/** Whether these bytes, the beginning of a text that is no UTF-8, are Chinese in GBK. */
export function isGbk(start: Uint8Array): boolean {
  const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;
  const asUtf8 = new TextDecoder().decode(start, { stream: true });
  // A UTF-8 text with a few broken characters is still one.
  const broken = count(asUtf8, /\ufffd/g);
  if (2 * broken < count(asUtf8, /[^\0-\x7f]/g) || broken === 0) return false;
  const text = new TextDecoder('gb18030').decode(start, { stream: true });
  const characters = count(text, /[^\0-\x7f]/gu);
  const large = start.reduce((sum, byte) => sum + (byte > 0xa0 ? 1 : 0), 0);
  const frequent = count(text, FREQUENT);
  if (characters < ENOUGH) {
    const latin = Array.from(start, (byte) => String.fromCharCode(byte)).join('');
    const often = frequent + count(text, MARKS);
    return characters >= FEW && often >= VERY_OFTEN * characters && DAILY.test(latin);
  }
  return large >= LARGE_BYTES * characters && frequent >= OFTEN * characters;
}
