/**
 * Encodes bytes as text, one character per byte. Unlike base64 this keeps repetitions visible to
 * the compression of a host. Characters begin at "#" and skip control characters, which some text
 * readers drop.
 */

const FIRST = 0x23;
/** The skipped range: DEL and the C1 controls. */
const [GAP, AFTER] = [0x7f, 0xa0];

export function textOfBytes(bytes: Uint8Array): string {
  const signs = Array.from(bytes, (byte) => {
    const code = byte + FIRST;
    return String.fromCharCode(code < GAP ? code : code + AFTER - GAP);
  });
  return signs.join('');
}

export function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length }, (_, at) => {
    const code = text.charCodeAt(at);
    return (code < GAP ? code : code - AFTER + GAP) - FIRST;
  });
}
