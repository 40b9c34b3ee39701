/**
 * A text in a link: compressed with a checksum (zlib, RFC 1950), in base64url (RFC 4648 section 5);
 * older links have raw deflate (RFC 1951). A link is untrusted input: unpacking is limited in time
 * and memory and gives a text or a clear error.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';

/** Maximum length of a packed text that learning platforms and messengers still transmit. */
export const PACKED_LIMIT = 60_000;
/** Maximum bytes of a text in a link, since few characters can expand to many bytes. */
export const UNPACKED_LIMIT = 1_000_000;
/** Maximum bytes of a text file beside the page. */
export const BESIDE_LIMIT = 16e6;

/** Packs a text; throws `share-size`, or `share-packed` if it is only too long for a link. */
export async function packText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length > UNPACKED_LIMIT) throw tooLongToShare(bytes.length);
  const packed = await transform(bytes, new CompressionStream('deflate'), Infinity);
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  const letters = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  if (letters.length > PACKED_LIMIT) {
    const { length } = letters;
    throw failure('share-packed', `a text is too long for a link: ${length}`, [
      length,
      PACKED_LIMIT,
    ]);
  }
  return letters;
}

/** Whether the bytes begin with a zlib header. */
const hasChecksum = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;

/**
 * Unpacks a text. Throws `link-size`, `link-text`, or `link-browser` if the browser cannot
 * decompress. Tries again without one or two underscores at the end, which may be Markdown's
 * emphasis around the link.
 */
export async function unpackText(packed: string): Promise<Uint8Array<ArrayBuffer>> {
  if (packed.length > PACKED_LIMIT) throw tooLong(packed.length, PACKED_LIMIT);
  for (let marks = 0; ; marks++) {
    try {
      return await unpack(packed.slice(0, packed.length - marks));
    } catch (thrown) {
      if (asError(thrown).code !== 'link-text' || marks === 2 || packed.at(-1 - marks) !== '_') {
        throw thrown;
      }
    }
  }
}

async function unpack(packed: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (!/^[\w-]*$/.test(packed)) throw new Error('other letters than those of base64url');
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = unpacking(hasChecksum(bytes) ? 'deflate' : 'deflate-raw');
    return await transform(bytes, stream, UNPACKED_LIMIT);
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'GlasshouseError') throw thrown;
    throw failure('link-text', `the text in this link cannot be read: ${String(thrown)}`);
  }
}

function unpacking(format: CompressionFormat): DecompressionStream {
  try {
    return new DecompressionStream(format);
  } catch (thrown) {
    throw failure('link-browser', `this browser does not know ${format}: ${String(thrown)}`);
  }
}

/** The error for a text of `size` bytes where `most` fit. */
export function tooLongToShare(size: number, most = UNPACKED_LIMIT): GlasshouseError {
  return failure('share-size', `a text is too long to be shared: ${size}`, [size, most]);
}

function tooLong(size: number, limit: number): Error {
  return failure('link-size', `a text in a link is too long: ${size} > ${limit}`, [size, limit]);
}

/** Runs `bytes` through `stream`; throws as soon as the output exceeds `limit`. */
async function transform(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = stream.writable.getWriter();
  // The read loop reports a failure while writing.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = stream.readable.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = (await reader.read()) as ReadableStreamReadResult<Uint8Array>;
    if (done) break;
    size += value.length;
    if (size > limit) {
      // A decompression bomb may take long to cancel, so this is not awaited.
      reader.cancel().catch(() => undefined);
      throw tooLong(size, limit);
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
