/** Breaks a line into rows: between words, beside Chinese and Japanese characters, or in a word. */
import { characters } from '../../base/characters.ts';

const WIDE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef`;
/** Punctuation that never begins a row, because it belongs to the character before it. */
const CLOSING = String.raw`[，。、！？；：”’）》〉」』】…—]*`;
/** White space, a wide character with the punctuation after it, or a word. */
const PIECE = new RegExp(String.raw`\s+|[${WIDE}]${CLOSING}|[^\s${WIDE}]+`, 'gu');

/** Splits `text` into rows no wider than `width`; `measure` returns the width of a text. */
export function wrapText(
  text: string,
  width: number,
  measure: (text: string) => number,
): readonly string[] {
  const fits = (row: string): boolean => measure(row.trimEnd()) <= width;
  const rows = [''];
  const add = (piece: string): boolean => {
    const row = `${rows.at(-1) ?? ''}${piece}`;
    if (fits(row)) rows[rows.length - 1] = row;
    return fits(row);
  };
  for (const piece of text.match(PIECE) ?? []) {
    if (add(piece)) continue;
    if (rows.at(-1) !== '') rows.push('');
    if (add(piece.trimStart())) continue;
    // Splits a word that is wider than a row.
    for (const letter of characters(piece)) {
      if (add(letter)) continue;
      rows.push(letter);
    }
  }
  return rows.map((row) => row.trimEnd()).filter((row) => row !== '');
}

/** The beginning of `text` that fits with an ellipsis; the whole text if it fits without. */
export function shorten(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  const letters = characters(text);
  while (letters.length > 0 && measure(`${letters.join('').trimEnd()}…`) > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}
