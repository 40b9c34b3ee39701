/**
 * Characters that are not what they look like: those that nobody sees, and letters in several pieces.
 * Pure functions of strings.
 */

// They say in which direction letters are to be read: nothing, where all of them go one way.
const DIRECTION = '\\p{Bidi_Control}';
// Letters that stand by themselves, whatever is beside them.
const ALONE =
  '\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}0-9';
const OTHERS = [
  // Control characters that are no blanks.
  '(?!\\s)\\p{Cc}',
  // Hyphens that only show where a line is broken, signs without width, those of formulas and notes that
  // are not drawn, and empty letters.
  '[\\u034f\\u00ad\\u200b\\u2060-\\u2064\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
  // Letters that nobody sees, but for those that a flag is made of.
  '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]*)[\\u{e0001}\\u{e0020}-\\u{e007f}]',
  // Joiners between what cannot be joined.
  `(?<=[${ALONE}\\s])[\\u200c\\u200d]+(?=[${ALONE}\\s\\p{P}]|$)`,
].join('|');
const HIDDEN = new RegExp(`${OTHERS}|${DIRECTION}`, 'gu');
const HIDDEN_BUT_DIRECTION = new RegExp(OTHERS, 'gu');
const IS_DIRECTION = new RegExp(DIRECTION, 'u');
// These are also what garbled characters are made of.
const ABOVE_ASCII = /[\u0080-\u009f\u00ad]/u;
const RIGHT_TO_LEFT =
  /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u;
const ESCAPE = '\x1b';
const BELL = '\x07';
const BACKSPACE = '\b';
// How terminals are told of colours, links, titles and alphabets (ECMA-48, 5.3 to 5.6).
const TERMINAL = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\\r\\n]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}[ -/]+[0-~]`,
    `${ESCAPE}[0-9<=>DEHMc]`,
  ].join('|'),
  'g',
);
const STRUCK_LINE = new RegExp(`[^\\r\\n]*${BACKSPACE}[^\\r\\n]*`, 'g');
// They part what stands beside them.
const SEPARATORS = '\x1c\x1d\x1e\x1f\x85';
const SEPARATOR = new RegExp(`[${SEPARATORS}]`, 'g');
/** A letter with marks behind it, or the parts of a Korean syllable. */
const PIECES = /\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?/gu;
/** What there is in any of these. */
const PIECE = /[\p{M}\u1100-\u1112]/u;
/** What belongs to the character before it. */
const ATTACHED = /[\u200d\u200c\p{M}\u1161-\u1175\u11a8-\u11c2]/u;

/** Whether the code unit of `text` at this place belongs to the character before it. */
export function isAttached(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0xdc00 && unit < 0xe000) || ATTACHED.test(text[at] ?? '');
}

/** Adds the characters of `text` that nobody sees to `found`, with how often they occur. */
export function findHidden(text: string, found: Map<string, number>): void {
  for (const [hidden] of text.matchAll(HIDDEN)) {
    for (const one of hidden) found.set(one, (found.get(one) ?? 0) + 1);
  }
}

/** Of those that were found in a text of these characters, the ones that say nothing there. */
export function idleAmong(
  found: ReadonlyMap<string, number>,
  characters: Iterable<number>,
  isGarbled: boolean,
): { readonly count: number; readonly example: string } | null {
  if (found.size === 0) return null;
  const directed = hasRightToLeft(characters);
  const idle = [...found].filter(
    ([one]) => !(isGarbled && ABOVE_ASCII.test(one)) && !(directed && IS_DIRECTION.test(one)),
  );
  const [first] = idle;
  if (first === undefined) return null;
  return { count: idle.reduce((sum, [, count]) => sum + count, 0), example: first[0] };
}

function hasRightToLeft(characters: Iterable<number>): boolean {
  for (const point of characters) {
    if (RIGHT_TO_LEFT.test(String.fromCodePoint(point))) return true;
  }
  return false;
}

/** Takes out what `idleAmong` finds, with what only tells a terminal how to draw. */
export function removeHidden(text: string): string {
  const hidden = RIGHT_TO_LEFT.test(text) ? HIDDEN_BUT_DIRECTION : HIDDEN;
  return text
    .replace(TERMINAL, '')
    .replace(STRUCK_LINE, withoutStruck)
    .replace(SEPARATOR, ' ')
    .replace(hidden, '');
}

/** A line without the characters that its backspaces take back. */
function withoutStruck(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === BACKSPACE) kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

/** The letters of `text` that stand in more pieces than need be, each in as few as there can be. */
export function* lettersInPieces(text: string): Generator<string> {
  if (!PIECE.test(text)) return;
  for (const [pieces] of text.matchAll(PIECES)) {
    const whole = joined(pieces);
    if (whole !== pieces) yield whole;
  }
}

/** Puts these letters together; others stay as they are. */
export function joinLetters(text: string): string {
  return text.replace(PIECES, joined);
}

/** A letter in as few characters as Unicode has for it (NFC, UAX 15); one that has no fewer stays. */
function joined(pieces: string): string {
  const whole = pieces.normalize('NFC');
  return Array.from(whole).length < Array.from(pieces).length ? whole : pieces;
}
