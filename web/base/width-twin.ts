/** Distance in Unicode from an ASCII character to its full-width form. */
const TO_WIDE = 0xfee0;

/** The full-width form of an ASCII character, and the reverse; empty if it has neither. */
export function widthTwin(character: string): string {
  if (/[!-~]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + TO_WIDE);
  if (/[\uff01-\uff5e]/.test(character))
    return String.fromCharCode(character.charCodeAt(0) - TO_WIDE);
  return '';
}
