/**
 * UTF-8, or Chinese in GBK, that was read as Windows-1252 or Latin-1 on its way here ("Ã©" for "é"): found
 * with few false alarms, and read again as it was meant, as is what `utf8-as-gbk.ts` finds. Pure functions
 * of strings.
 */
import { isGbk } from '../text-encoding.ts';
import { garbledAsGbk, readAsUtf8 } from './utf8-as-gbk.ts';

/** What Windows-1252 has at 0x80 to 0x9F; where it has nothing, the control character stays. */
export const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTES = new Map(Array.from(HIGH, (character, index) => [character, 0x80 + index]));

// A character of UTF-8 in which every byte has become a character: a first one, and one to three more.
const REST = `[\u0080-\u00bf${HIGH}]`;
const SEQUENCE = `(?:[\u00c2-\u00df]${REST}|[\u00e0-\u00ef]${REST}{2}|[\u00f0-\u00f4]${REST}{3})`;
const RUN = new RegExp(`${SEQUENCE}+`, 'g');
export const ONE = new RegExp(SEQUENCE, 'g');
/** What may follow a letter in a text that is in order: quotation marks, dashes, blanks, small signs. */
const AFTER_WORD = /[\u00a0\u00ad«»‹›“”„‚‘’–—…]/;
const SMALL_SIGN = /[™®©¹²³ºª°·•†‡‰½¼¾¡¿§¶]/;
/** "Â" and "Ã" begin all garbled letters of Western Europe, and hardly end a word themselves. */
const WESTERN = /^[ÂÃ]/;
/** Of the letters beyond ASCII, one in so many must be garbled: a text may speak of such letters. */
const SHARE = 20;
/** Characters that must speak for it. */
const ENOUGH = 2;
/** So many garbled characters in a row are a word of another script. */
const WORD = 3;
const LETTER = /\p{L}/u;
// Within a word: a capital "Â" or "Ã" with a sign, right beside small letters, or a quotation mark as
// three characters. Quotation marks that stand around one of them say that it is meant as it is.
const SMALL = /[a-z]/;
const IN_WORD = /^[ÂÃ][^\u2010-\u2027‹›«»]$/;
const GARBLED_MARK = /^â€/;
// "à" whose second half, a no-break space, has become a plain blank: behind a small letter or by itself,
// and before what comes after another blank, or without any. Of a single blank nobody knows: "í" loses
// its second half, too.
const HALF_LOST = /(?<![^\s'’\p{Ll}])Ã (?=[ ,.)])/gu;
const CAPITAL = /\p{Lu}/u;
/** The mark that some programs begin a file with: where files were put together it stands anywhere. */
const BYTE_ORDER_MARK = '\ufeff';
// The sign for what could not be read, saved as UTF-8 and then read as GBK; and memory that a program had
// never filled, read as GBK. By themselves a few in a row may be meant as they are, of what is very hot.
const RUIN = /(?:[烫燙]{3,})?(?:[锟錕]斤拷|屯{4,}|[烫燙]{6,})(?:[锟錕]斤拷|屯{3,}|[烫燙]{3,})*/g;
const RUIN_SHOWN = 3;
const BLANK = /[\u00a0\u00ad]/;
/** As much of a text as tells whether it is Chinese in GBK that was read as Latin-1, in characters. */
const TELLING = 65_536;
const FIRST_PAIR = /[^\0-\x7f]{2}/;
const BEYOND_ASCII = /[^\0-\x7f]/u;

/** The bytes that Windows-1252 or Latin-1 made these characters of; null where it has not made all. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = BYTES.get(text[at]!) ?? text.charCodeAt(at);
    if (byte > 0xff) return null;
    bytes[at] = byte;
  }
  return bytes;
}

/**
 * A text as it was meant if all of it is Chinese in GBK that was read as Latin-1; null for any other.
 * Pairs of such characters look like UTF-8 here and there.
 */
function readAsGbk(text: string): string | null {
  const start = bytesOf(text.slice(0, TELLING));
  if (start === null || !isGbk(start)) return null;
  const bytes = bytesOf(text);
  return bytes === null ? null : new TextDecoder('gb18030').decode(bytes);
}

/** The first garbled character of such a text, and what was meant; null for any other. */
export function garbledGbk(text: string): readonly [garbled: string, meant: string] | null {
  const meant = readAsGbk(text);
  if (meant === null) return null;
  return [FIRST_PAIR.exec(text)?.[0] ?? '', BEYOND_ASCII.exec(meant)?.[0] ?? ''];
}

/** What speaks for a garbled text. */
export interface Garbling {
  /** Garbled characters that are read again for certain, and those that are where all others are. */
  readonly mended: number;
  readonly doubtful: number;
  /** Characters beyond ASCII that all of these are made of. */
  readonly made: number;
  /** Characters that can hardly stand there, behind such a letter, by intention. */
  readonly signs: number;
  /** Garbled characters within words: few of them tell, however much else there is. */
  readonly certain: number;
  /** How many of these hold no blank, which may well follow a capital letter. */
  readonly solid: number;
  /** How many of them are letters, which would otherwise count as being in order. */
  readonly letters: number;
  /** The first garbled character as it stands there, and as it was meant; empty where there is none. */
  readonly example: readonly [garbled: string, meant: string];
}

/** Nothing garbled. */
export const NOT_GARBLED: Garbling = {
  ...{ mended: 0, doubtful: 0, made: 0, signs: 0, certain: 0, solid: 0, letters: 0 },
  example: ['', ''],
};

/** How many characters of a piece only stand where others are gone for good, with the first few of them. */
export function countRuined(text: string): { readonly count: number; readonly example: string } {
  const found = text.match(RUIN) ?? [];
  return { count: found.join('').length, example: found[0]?.slice(0, RUIN_SHOWN) ?? '' };
}

/** Takes these characters out. */
export function removeRuined(text: string): string {
  return text.replace(RUIN, '');
}

/** Weighs a piece of a text, and adds it to what was found before. */
export function weigh(text: string, before: Garbling = NOT_GARBLED): Garbling {
  let { mended, doubtful, made, signs, certain, solid, letters, example } = before;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    for (const sequence of sequencesOf(run, text, index)) {
      if (sequence.meant === sequence.garbled) continue;
      made += sequence.garbled.length;
      if (sequence.mended) mended++;
      else doubtful++;
      if (sequence.certain) certain++;
      if (sequence.certain && !BLANK.test(sequence.garbled)) solid++;
      if (!sequence.telling) continue;
      signs += sequence.garbled.length - 1;
      letters += lettersIn(sequence.garbled);
      if (example[0] === '') example = [sequence.garbled, sequence.meant];
    }
  }
  // These speak for nothing by themselves, but nor do they say that a text is in order.
  const lost = text.match(HALF_LOST)?.length ?? 0;
  mended += lost;
  made += lost;
  letters += lost;
  return { mended, doubtful, made, signs, certain, solid, letters, example };
}

/** How many characters `mendGarbled` reads again, in a text of so many characters beyond ASCII. */
export function garbledCharacters({ mended, doubtful, made }: Garbling, beyond: number): number {
  return made === beyond ? mended + doubtful : mended;
}

/** Whether so much speaks for it, in a text of so many letters beyond ASCII, that it should be said. */
export function isGarbled({ signs, certain, solid, letters }: Garbling, ofAll: number): boolean {
  if (certain >= ENOUGH) return true;
  // A single one, where all other letters are plain: beside others somebody may speak of both.
  if (solid > 0 && ofAll === letters) return true;
  return signs >= ENOUGH && signs * SHARE >= ofAll - letters;
}

/** Whether a code point is a letter beyond ASCII. */
export function isBeyondAscii(point: number): boolean {
  return point > 0x7f && LETTER.test(String.fromCodePoint(point));
}

function lettersIn(text: string): number {
  let count = 0;
  for (const character of text) if (isBeyondAscii(character.codePointAt(0)!)) count++;
  return count;
}

interface Sequence {
  readonly garbled: string;
  readonly meant: string;
  /** Whether it is hardly ever written by intention. */
  readonly telling: boolean;
  /** Whether it never is, in a text of any language. */
  readonly certain: boolean;
  /** Whether it is read again also where others are in order. */
  readonly mended: boolean;
}

/** The garbled characters of a run that stands at `index` in `text`. */
function sequencesOf(run: string, text: string, index: number): Sequence[] {
  const all = run.match(ONE) ?? [];
  let at = index;
  return all.map((garbled) => {
    const before = text[at - 1] ?? '';
    at += garbled.length;
    const after = text[at] ?? '';
    const meant = readAgain(garbled);
    if (meant === null) {
      return { garbled, meant: garbled, telling: false, certain: false, mended: false };
    }
    const certain =
      all.length >= WORD ||
      meant === BYTE_ORDER_MARK ||
      (IN_WORD.test(garbled) && (SMALL.test(before) || SMALL.test(after))) ||
      (GARBLED_MARK.test(garbled) && (LETTER.test(before) || LETTER.test(after)));
    const telling = certain || all.length > 1 || isTelling(garbled);
    // A word in capitals may well end in such a letter, with a quotation mark behind it.
    const isEnd = CAPITAL.test(before) && !LETTER.test(after) && !BLANK.test(garbled);
    return {
      ...{ garbled, meant, telling, certain },
      mended: telling || (WESTERN.test(garbled) && !isEnd),
    };
  });
}

/** Whether a sequence that stands alone is hardly ever written by intention. */
function isTelling(sequence: string): boolean {
  return Array.from(sequence.slice(1)).some(
    (sign) => !AFTER_WORD.test(sign) && (WESTERN.test(sequence) || !SMALL_SIGN.test(sign)),
  );
}

/** The characters that the bytes of `text` make as UTF-8, or null where they make none. */
export function readAgain(text: string): string | null {
  const bytes = Uint8Array.from(
    text,
    (character) => BYTES.get(character) ?? character.charCodeAt(0),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Reads again what was garbled, as often as it was. Where all of the text can be read again, all of it
 * is; otherwise only what can hardly stand there by intention.
 */
export function mendGarbled(text: string): string {
  const meant = readAsGbk(text);
  if (meant !== null) return meant;
  const asGbk = garbledAsGbk(text);
  if (asGbk !== null) return readAsUtf8(text, asGbk);
  let mended = text;
  while (isGarbled(weigh(mended), lettersIn(mended))) {
    const whole = isAllGarbled(mended);
    mended = readRuns(mended, whole);
  }
  return mended;
}

/** A piece of a garbled text as `mendGarbled` would read it, where not all of that is garbled. */
export function readPiece(piece: string): string {
  let [before, after] = ['', piece];
  while (after !== before) [before, after] = [after, readRuns(after, false)];
  return after;
}

function readRuns(text: string, whole: boolean): string {
  return text
    .replace(RUN, (run, index: number) =>
      sequencesOf(run, text, index)
        .map((one) => (whole || one.mended ? one.meant.replace(BYTE_ORDER_MARK, '') : one.garbled))
        .join(''),
    )
    .replace(HALF_LOST, 'à');
}

/** Whether everything beyond ASCII is part of a garbled character. */
function isAllGarbled(text: string): boolean {
  const left = text
    .replace(ONE, (one) => (readAgain(one) === null ? one : ''))
    .replace(HALF_LOST, '');
  return !/[^\0-\x7f]/.test(left);
}
