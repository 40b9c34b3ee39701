/**
 * Characters that differ from their appearance: invisible characters, letters in several pieces,
 * and ligatures. Pure functions of strings.
 */
import type { Found } from './change.ts';

// Control sequences of terminals (ECMA-48, 5.4).
const TERMINAL = '\\x1b\\[[0-?]*[ -/]*[@-~]';
// Soft hyphens, word joiners and byte order marks, which no script needs. A soft hyphen at the end
// of a line stays, because it marks a broken word.
const NEEDLESS = '[\\u2060\\ufeff]|\\u00ad(?![ \\t]*\\n)';
// Tag characters outside of flag emoji.
const TAGS = '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]*)[\\u{e0001}\\u{e0020}-\\u{e007f}]';
// Zero-width spaces and joiners, only beside letters of scripts that never need them. Persian and
// Indic scripts join with them, Southeast Asian scripts separate words with them, and emoji contain
// them.
const APART =
  '\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}0-9\\s\\p{P}';
const JOINERS = `(?<=^|[${APART}])[\\u200b-\\u200d]+(?=[${APART}]|$)`;
const HIDDEN = [TERMINAL, NEEDLESS, TAGS, JOINERS].join('|');
// Direction marks have no effect if all letters have the same direction.
const HIDDEN_IN_ONE_DIRECTION = new RegExp(`${HIDDEN}|\\p{Bidi_Control}`, 'gmu');
const HIDDEN_IN_TWO_DIRECTIONS = new RegExp(HIDDEN, 'gmu');
// Hebrew, Arabic and related scripts, and Adlam; as code units, because whole texts are searched.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\ud83a[\udd00-\udd5f]/;
/** Characters shown before and after a hidden character, and their maximum code units. */
const BEFORE = /[^\n]{0,12}$/u;
const BEHIND = /^[^\n]{0,12}/u;
const BESIDE = 24;

/** A letter followed by marks, or the parts of a Korean syllable. */
const PIECES = /\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?/gu;
/** A character that occurs in every match of PIECES. */
const PIECE = /[\p{M}\u1100-\u1112]/u;
/** Ligatures of Latin and Armenian letters. */
const LIGATURES = /[\ufb00-\ufb06\ufb13-\ufb17]/g;
const LIGATURE = new RegExp(LIGATURES.source);
/** Characters that belong to the character before them. */
const ATTACHED = /[\u200d\u200c\p{M}\u1161-\u1175\u11a8-\u11c2]/u;

/**
 * Whether the code unit at `at` continues the character before it: a low surrogate, a mark, a
 * joiner, or a part of a Korean syllable after the first.
 */
export function isAttached(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0xdc00 && unit < 0xe000) || ATTACHED.test(text[at] ?? '');
}

/** The pattern of invisible characters in `text` that no letter needs. */
export function hiddenIn(text: string): RegExp {
  return RIGHT_TO_LEFT.test(text) ? HIDDEN_IN_TWO_DIRECTIONS : HIDDEN_IN_ONE_DIRECTION;
}

/** Number of matches of `pattern`, and the first change that `cure` makes; null if none. */
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

/** Invisible characters in a part of the text; `pattern` comes from `hiddenIn`. Null if absent. */
export function hiddenCharacters(part: string, pattern: RegExp): Found | null {
  return around(part, pattern, (one) => one.replace(pattern, ''));
}

export function removeHidden(text: string): string {
  return text.replace(hiddenIn(text), '');
}

/** Letters of `text` in more pieces than necessary; null if absent. */
export function lettersInPieces(text: string): Found | null {
  if (!PIECE.test(text)) return null;
  const all = [...text.matchAll(PIECES)].filter(([pieces]) => joined(pieces) !== pieces);
  const [before = ''] = all[0] ?? [];
  return all.length === 0 ? null : { count: all.length, change: { before, after: joined(before) } };
}

/** Composes letters from their pieces; other characters stay. */
export function joinLetters(text: string): string {
  return text.replace(PIECES, joined);
}

export function hasLigatures(text: string): boolean {
  return LIGATURE.test(text);
}

/** Ligatures in `text`, such as ﬁ; null if absent. */
export function ligaturesIn(text: string): Found | null {
  return hasLigatures(text) ? around(text, LIGATURES, partLigatures) : null;
}

/** Replaces ligatures by their letters; signs such as ² stay. */
export function partLigatures(text: string): string {
  return text.replace(LIGATURES, (one) => one.normalize('NFKC'));
}

/** Composes a letter (NFC, UAX 15); unchanged if this does not reduce the number of characters. */
function joined(pieces: string): string {
  const whole = pieces.normalize('NFC');
  return Array.from(whole).length < Array.from(pieces).length ? whole : pieces;
}
