/**
 * Layout of the key (legend) of a picture in lines. Names are never cut, since they may differ only
 * at the end.
 */

/** Width before a name and gap after it, in pixels. */
const SWATCH = 30;
const GAP = 18;

export interface PlacedKey {
  /** Index of the name. */
  readonly index: number;
  readonly left: number;
  /** Line number, from 0. */
  readonly line: number;
  /** The name, split into lines. */
  readonly parts: readonly string[];
}

/**
 * Approximate text width in pixels at font size 13; the exact width depends on the reader's font.
 */
export function textWidth(text: string): number {
  // Chinese characters are twice as wide.
  return Array.from(text).reduce((sum, letter) => sum + (isWide(letter) ? 13.5 : 7.2), 0);
}

const isWide = (letter: string): boolean => letter > '⺀';

/** Places names in lines from `begin` to `right` (pixels); splits names too long for a line. */
export function placeKeys(names: readonly string[], begin: number, right: number): PlacedKey[] {
  let [left, line] = [begin, 0];
  return names.map((name, index) => {
    const parts = inLines(name, right - begin - SWATCH);
    const width = SWATCH + Math.max(...parts.map(textWidth));
    if (left > begin && left + width > right) [left, line] = [begin, line + 1];
    const placed = { index, left, line, parts };
    left += width + GAP;
    // A split name has its lines to itself.
    if (parts.length > 1) [left, line] = [begin, line + parts.length];
    return placed;
  });
}

/** Splits text into lines of at most `room` pixels, between words if possible. */
function inLines(text: string, room: number): string[] {
  const lines = [''];
  // Lines may break after a space, and around any Chinese character.
  for (const word of text.match(/[⺀-\u{10ffff}]|[^ ⺀-\u{10ffff}]+ ?| /gu) ?? []) {
    const now = lines.at(-1) ?? '';
    if (textWidth((now + word).trimEnd()) <= room) {
      lines.splice(-1, 1, now + word);
      continue;
    }
    if (now !== '') lines.push('');
    for (const letter of word) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && textWidth(last + letter) > room) lines.push(letter);
      else lines.splice(-1, 1, last + letter);
    }
  }
  return lines.map((one) => one.trimEnd());
}

/** Total number of lines of a key. */
export function keyLines(keys: readonly PlacedKey[]): number {
  return Math.max(0, ...keys.map(({ line, parts }) => line + parts.length));
}

/** Left edge of a name, after its swatch. */
export function nameLeft({ left }: PlacedKey): number {
  return left + SWATCH;
}
