/**
 * Windows-1252, in which old programs of Western Europe keep their texts: known where a text is no UTF-8,
 * and read. Pure functions of bytes.
 */
import { NO_TEXT } from '../text-encoding.ts';
import { HIGH, ONE, readAgain } from './mojibake.ts';

export interface Western {
  /** Bytes that are no UTF-8. */
  readonly count: number;
  /** A word with some of them, as it shows and as it would be read. */
  readonly example: readonly [shown: string, meant: string];
}

/** Of what comes out, at least this part has to be what words and sentences are made of. */
const WORDS = 0.9;
const BEYOND_ASCII = /[^\0-\x7f]/g;
const OF_WORDS = /[\p{L}\p{P}\u00a0°€]/u;
/** Letters in a row that no Western word has: they are of another script, in an encoding of its own. */
const FOREIGN = /[À-ÖØ-öø-ÿ]{4,}/g;
const WORD = /\p{L}{0,12}[À-ÖØ-öø-ÿ]\p{L}{0,12}/u;
/** What such texts have as UTF-8; of others, bytes such as those of "é »" are one by chance. */
const IN_UTF8 = /[\u00a0-\u024f\u2010-\u2044€™\ufeff]/;

/** Each byte as a character. */
function latinOf(bytes: Uint8Array): string {
  const latin = new TextDecoder('windows-1252').decode(bytes);
  // Not every program that runs this tells it from Latin-1.
  return latin.replace(/[\x80-\x9f]/g, (one) => HIGH[one.charCodeAt(0) - 0x80]!);
}

function readUtf8(latin: string): string | null {
  const meant = readAgain(latin);
  return meant !== null && IN_UTF8.test(meant) ? meant : null;
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.join('').length ?? 0;
}

/** What a text is that should be read so; null for any other. */
export function westernIn(bytes: Uint8Array): Western | null {
  const latin = latinOf(bytes);
  let utf8 = 0;
  const rest = latin.replace(ONE, (one) => {
    if (readUtf8(one) === null) return one;
    utf8++;
    return ' ';
  });
  const made = rest.match(BEYOND_ASCII) ?? [];
  // A UTF-8 text with a few broken characters is still one.
  if (made.length === 0 || made.length < utf8) return null;
  if (2 * count(latin, BEYOND_ASCII) > latin.length || NO_TEXT.test(latin)) return null;
  const words = made.filter((one) => OF_WORDS.test(one)).length;
  if (words < WORDS * made.length || 2 * count(rest, FOREIGN) > made.length) return null;
  const meant = WORD.exec(rest)?.[0] ?? made[0]!;
  return { count: made.length, example: [meant.replace(BEYOND_ASCII, '\ufffd'), meant] };
}

/** Reads it; what is UTF-8 in it stays what it is. */
export function readWestern(bytes: Uint8Array): string {
  return latinOf(bytes).replace(ONE, (one) => readUtf8(one) ?? one);
}
