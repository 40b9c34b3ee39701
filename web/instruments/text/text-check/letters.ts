/**
 * Characters that are not what they look like: those that nobody sees, letters in several pieces,
 * and several letters in one piece. Pure functions of strings.
 */
import type { Found } from './change.ts';

// How terminals are told of colours and places (ECMA-48, 5.4).
const TERMINAL = '\\x1b\\[[0-?]*[ -/]*[@-~]';
// Soft hyphens, word joiners and byte order marks: no script needs them to be read. A soft hyphen
// at the end of a line is left for the two halves of its word to be joined.
const NEEDLESS = '[\\u2060\\ufeff]|\\u00ad(?![ \\t]*\\n)';
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
const HIDDEN_IN_ONE_DIRECTION = new RegExp(`${HIDDEN}|\\p{Bidi_Control}`, 'gmu');
const HIDDEN_IN_TWO_DIRECTIONS = new RegExp(HIDDEN, 'gmu');
// Hebrew, Arabic and their neighbours, and Adlam: code units, because all of a text is searched.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\ud83a[\udd00-\udd5f]/;
/** What is shown on either side of a hidden character, and the most code units that it takes. */
const BEFORE = /[^\n]{0,12}$/u;
const BEHIND = /^[^\n]{0,12}/u;
const BESIDE = 24;

/** A letter with marks behind it, or the parts of a Korean syllable. */
const PIECES = /\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?/gu;
/** Occurs in each of these. */
const PIECE = /[\p{M}\u1100-\u1112]/u;
/** Letters that a printer joins in one sign: of Latin, and of Armenian. */
const LIGATURES = /[\ufb00-\ufb06\ufb13-\ufb17]/g;
const LIGATURE = new RegExp(LIGATURES.source);
/** What belongs to the character before it. */
const ATTACHED = /[\u200d\u200c\p{M}\u1161-\u1175\u11a8-\u11c2]/u;

/** Whether the code unit of `text` at this place belongs to the character before it. */
export function isAttached(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0xdc00 && unit < 0xe000) || ATTACHED.test(text[at] ?? '');
}

/** Matches the characters of `text` that nobody sees and that no letter needs. */
export function hiddenIn(text: string): RegExp {
  return RIGHT_TO_LEFT.test(text) ? HIDDEN_IN_TWO_DIRECTIONS : HIDDEN_IN_ONE_DIRECTION;
}

/**
 * The matches of `pattern`, and the text around the first of them as it is and as `cure` makes it;
 * null if absent.
 */
function around(text: string, pattern: RegExp, cure: (part: string) => string): Found | null {
  const all = [...text.matchAll(pattern)];
  const [first] = all;
  if (first === undefined) return null;
  const end = first.index + first[0].length;
  const [head] = BEFORE.exec(text.slice(Math.max(0, first.index - BESIDE), first.index))!;
  const [tail] = BEHIND.exec(text.slice(end, end + BESIDE))!;
  const before = `${head}${first[0]}${tail}`;
  return { count: all.length, change: { before, after: cure(before) } };
}

/** What `pattern`, that of `hiddenIn`, finds in a part of the text; null if nothing. */
export function hiddenCharacters(part: string, pattern: RegExp): Found | null {
  return around(part, pattern, (one) => one.replace(pattern, ''));
}

export function removeHidden(text: string): string {
  return text.replace(hiddenIn(text), '');
}

/** The letters of `text` that stand in more pieces than necessary; null if absent. */
export function lettersInPieces(text: string): Found | null {
  if (!PIECE.test(text)) return null;
  const all = [...text.matchAll(PIECES)].filter(([pieces]) => joined(pieces) !== pieces);
  const [before = ''] = all[0] ?? [];
  return all.length === 0 ? null : { count: all.length, change: { before, after: joined(before) } };
}

/** Puts these letters together; others stay as they are. */
export function joinLetters(text: string): string {
  return text.replace(PIECES, joined);
}

export function hasLigatures(text: string): boolean {
  return LIGATURE.test(text);
}

/** Finds ligatures, signs of several letters such as ﬁ; null if absent. */
export function ligaturesIn(text: string): Found | null {
  return hasLigatures(text) ? around(text, LIGATURES, partLigatures) : null;
}

/** Writes the letters of ligatures one by one; signs such as ² stay as they are. */
export function partLigatures(text: string): string {
  return text.replace(LIGATURES, (one) => one.normalize('NFKC'));
}

/**
 * A letter in as few characters as Unicode has for it (NFC, UAX 15); one that has no fewer stays.
 */
function joined(pieces: string): string {
  const whole = pieces.normalize('NFC');
  return Array.from(whole).length < Array.from(pieces).length ? whole : pieces;
}
