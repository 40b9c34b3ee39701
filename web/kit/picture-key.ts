/**
 * The key of a picture, set in lines: names are never cut, since what tells them apart may come
 * last.
 */

/** What stands before a name, to its right, and from one line to the next, in pixels. */
const SWATCH = 30;
const GAP = 18;

export interface PlacedKey {
  /** Of the names, from 0. */
  readonly index: number;
  readonly left: number;
  /** Lines are counted from 0. */
  readonly line: number;
  /** Its words, one entry for each line they take. */
  readonly parts: readonly string[];
}

/** The width of text at 13 pixels, about: the exact one is known only where it is shown. */
export function textWidth(text: string): number {
  // Chinese letters are twice as wide.
  return Array.from(text).reduce((sum, letter) => sum + (isWide(letter) ? 13.5 : 7.2), 0);
}

const isWide = (letter: string): boolean => letter > '⺀';

/** From left to right, in as many lines as it takes; what is too long for one takes several. */
export function placeKeys(names: readonly string[], begin: number, right: number): PlacedKey[] {
  let [left, line] = [begin, 0];
  return names.map((name, index) => {
    const parts = inLines(name, right - begin - SWATCH);
    const width = SWATCH + Math.max(...parts.map(textWidth));
    if (left > begin && left + width > right) [left, line] = [begin, line + 1];
    const placed = { index, left, line, parts };
    left += width + GAP;
    // Nothing stands beside the lines of a long one.
    if (parts.length > 1) [left, line] = [begin, line + parts.length];
    return placed;
  });
}

/**
 * Text in lines of at most `room`: broken between words, and within one only where it is longer.
 */
function inLines(text: string, room: number): string[] {
  const lines = [''];
  // A line can end after a space, and before or after a letter of Chinese.
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

/** Lines of a key altogether. */
export function keyLines(keys: readonly PlacedKey[]): number {
  return Math.max(0, ...keys.map(({ line, parts }) => line + parts.length));
}

/** Where the name of a key begins. */
export function nameLeft({ left }: PlacedKey): number {
  return left + SWATCH;
}
