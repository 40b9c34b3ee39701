/** How far the wide forms of what a keyboard has are from these, in Unicode. */
const TO_WIDE = 0xfee0;

/** The wide form of a character, or the plain one of a wide; empty if absent. */
export function widthTwin(character: string): string {
  if (/[!-~]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + TO_WIDE);
  if (/[\uff01-\uff5e]/.test(character))
    return String.fromCharCode(character.charCodeAt(0) - TO_WIDE);
  return '';
}
