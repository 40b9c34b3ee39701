/** Decodes UTF-32, which browsers and Node lack. */

/**
 * Decodes all complete 4-byte units; `invalid` returns the text for a unit that is no character.
 */
export function decodeUtf32(
  bytes: Uint8Array,
  isLittle: boolean,
  invalid: () => string = () => '\ufffd',
): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle);
    const isCharacter = point < 0x110000 && (point < 0xd800 || point > 0xdfff);
    text += isCharacter ? String.fromCodePoint(point) : invalid();
  }
  return text;
}
