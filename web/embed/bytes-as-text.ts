/**
 * Bytes as text, one sign for each: hosts compress what they send, which finds what comes again in
 * this and not in base64. From "#" on, without the controls of ASCII and Latin-1, which some
 * readers of text drop.
 */

const FIRST = 0x23;
/**
 * The controls that are passed over: from DEL up to, not including, the blank that does not break.
 */
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
