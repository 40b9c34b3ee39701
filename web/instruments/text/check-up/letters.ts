/**
 * Characters that are not what they look like: those that nobody sees, and letters in several
 * pieces. Pure functions of strings.
 */
import type { Change } from './change.ts';

// How terminals are told of colours and places (ECMA-48, 5.4).
const TERMINAL = '\\x1b\\[[0-?]*[ -/]*[@-~]';
// Soft hyphens, word joiners and byte order marks: no script needs them to be read.
const NEEDLESS = '[\\u00ad\\u2060\\ufeff]';
// Letters of flags, which belong to a flag only.
const TAGS = '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]*)[\\u{e0001}\\u{e0020}-\\u{e007f}]';
// Spaces without width and joiners, only beside letters that are written apart and never joined:
// Persian and the scripts of India join with them, those of Southeast Asia tell words apart, emoji
// are made of them.
const APART =
  '\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}0-9\\s\\p{P}';
const JOINERS = `(?<=^|[${APART}])[\\u200b-\\u200d]+(?=[${APART}]|$)`;
const HIDDEN = [TERMINAL, NEEDLESS, TAGS, JOINERS].join('|');
// Directions of writing: nothing, if all letters go one way.
const DIRECTION = '\\p{Bidi_Control}';
const HIDDEN_IN_ONE_DIRECTION = new RegExp(`${HIDDEN}|${DIRECTION}`, 'gmu');
const HIDDEN_IN_TWO = new RegExp(HIDDEN, 'gmu');
const IS_DIRECTION = new RegExp(`^${DIRECTION}`, 'u');
const RIGHT_TO_LEFT =
  /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u;
/** Characters that are shown on either side of a hidden one. */
const BESIDE = 12;
/** Halves of surrogate pairs at the ends of what is shown. */
const HALF_CHARACTERS = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;

/** A letter with marks behind it, or the parts of a Korean syllable. */
const PIECES = /\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?/gu;
/** Occurs in each of these. */
const PIECE = /[\p{M}\u1100-\u1112]/u;
/** What belongs to the character before it. */
const ATTACHED = /[\u200d\u200c\p{M}\u1161-\u1175\u11a8-\u11c2]/u;

/** Whether the code unit of `text` at this place belongs to the character before it. */
export function isAttached(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0xdc00 && unit < 0xe000) || ATTACHED.test(text[at] ?? '');
}

/** Hidden characters of a kind: how many, the first of them, and the text around it. */
export interface Hidden {
  count: number;
  first: string;
  around: string;
}

/**
 * Adds the hidden characters of `text` to `found`: those of direction apart, which others may need.
 */
export function findHidden(text: string, found: { any: Hidden; direction: Hidden }): void {
  for (const match of text.matchAll(HIDDEN_IN_ONE_DIRECTION)) {
    const kind = IS_DIRECTION.test(match[0]) ? found.direction : found.any;
    if (kind.count++ > 0) continue;
    const end = match.index + match[0].length;
    kind.first = match[0];
    const around = text.slice(Math.max(0, match.index - BESIDE), end + BESIDE);
    kind.around = around.replace(HALF_CHARACTERS, '');
  }
}

/** What can be removed of it from a text of these characters; null if nothing. */
export function removable(
  { any, direction }: { readonly any: Hidden; readonly direction: Hidden },
  characters: Iterable<number>,
): { readonly count: number; readonly example: string; readonly change: Change } | null {
  const kinds = hasRightToLeft(characters) ? [any] : [any, direction];
  const first = kinds.find(({ count }) => count > 0);
  if (first === undefined) return null;
  const pattern = kinds.length === 1 ? HIDDEN_IN_TWO : HIDDEN_IN_ONE_DIRECTION;
  return {
    count: kinds.reduce((sum, { count }) => sum + count, 0),
    example: first.first,
    change: { before: first.around, after: first.around.replace(pattern, '') },
  };
}

function hasRightToLeft(characters: Iterable<number>): boolean {
  for (const point of characters) {
    if (RIGHT_TO_LEFT.test(String.fromCodePoint(point))) return true;
  }
  return false;
}

/** Removes what `removable` counts. */
export function removeHidden(text: string): string {
  return text.replace(RIGHT_TO_LEFT.test(text) ? HIDDEN_IN_TWO : HIDDEN_IN_ONE_DIRECTION, '');
}

/**
 * The letters of `text` that stand in more pieces than necessary, and each in as few as possible.
 */
export function* lettersInPieces(text: string): Generator<{ pieces: string; whole: string }> {
  if (!PIECE.test(text)) return;
  for (const [pieces] of text.matchAll(PIECES)) {
    const whole = joined(pieces);
    if (whole !== pieces) yield { pieces, whole };
  }
}

/** Puts these letters together; others stay as they are. */
export function joinLetters(text: string): string {
  return text.replace(PIECES, joined);
}

/**
 * A letter in as few characters as Unicode has for it (NFC, UAX 15); one that has no fewer stays.
 */
function joined(pieces: string): string {
  const whole = pieces.normalize('NFC');
  return Array.from(whole).length < Array.from(pieces).length ? whole : pieces;
}
