/**
 * UTF-8 that was read as GBK on its way here ("浣犲ソ" for "你好", "don鈥檛" for "don’t"): found, and read
 * again as it was meant. Pure functions of strings.
 */

/** As much of a text as tells, in characters, and so many of these that are not ASCII. */
const TELLING = 65_536;
const LOOKED_AT = 4096;
/** Characters of three bytes or more that must come out: pairs of bytes make two-byte ones by chance. */
const ENOUGH = 2;
const FROM_THREE_BYTES = 0x800;
/** Three bytes and two have both ended after so many characters of GBK. */
const WHOLE = 3;
/** For each character that cannot be made out, so many must be. */
const CLEAR = 4;
/** The sign for what could not be read; some converters leave a question mark. */
const LOST = '\ufffd';
const END = '(\\ufffd(?![^\\0-\\x7f])|\\?|(?![^\\0-\\x7f]))';
const RUN = new RegExp(`([^\\0-\\x7f]+?)${END}`, 'g');
// The byte order mark becomes the name of an element and the beginning of another character: what follows
// is garbled, whatever else there is.
const MARKED = new RegExp(`(锘[^\\0-\\x7f]+?)${END}`, 'g');
const BYTE_ORDER_MARK = '\ufeff';
const MARK_OF_ASCII = /^\ufeff[\0-\x7f]/;
// 0x80 alone is no character of GBK: browsers and Windows take it for the euro, others leave the sign. The
// euro has two bytes of its own as well: what stands around it tells.
const EURO = '€';
const TWO_BYTE_EURO = /(?<![\xe0-\xef])€(?=[\x80-\xbf])/g;
/** No byte of UTF-8. */
const NO_BYTE = '\xff';

let table: Map<string, string> | null = null;

/** The two bytes of each character of GBK, as characters from U+0000 to U+00FF. */
function bytesByCharacter(): ReadonlyMap<string, string> {
  if (table !== null) return table;
  const pairs: string[] = [];
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      if (trail !== 0x7f) pairs.push(String.fromCharCode(lead, trail));
    }
  }
  // A blank ends each of them, whatever the pair before it is.
  const bytes = Uint8Array.from(pairs.join(' '), (byte) => byte.charCodeAt(0));
  const characters = new TextDecoder('gbk').decode(bytes).split(' ');
  table = new Map(
    characters
      .map((character, at) => [character, pairs[at]!] as const)
      .filter(([character]) => character.length === 1 && character !== EURO),
  ).set(LOST, '\x80');
  return table;
}

/** A run of characters that are not ASCII, as UTF-8. */
interface Reading {
  readonly meant: string;
  /** Characters of three bytes or more that came out, and places where none did. */
  readonly telling: number;
  readonly broken: number;
  /** Whether it ends within a character: its last byte had none to pair with. */
  readonly isCut: boolean;
}

function readAgain(run: string): Reading {
  const known = bytesByCharacter();
  const latin = Array.from(run, (one) => known.get(one) ?? (one === EURO ? one : NO_BYTE));
  const bytes = latin.join('').replace(TWO_BYTE_EURO, '\xa2\xe3').replaceAll(EURO, '\x80');
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const coded = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  const meant = decoder.decode(coded, { stream: true });
  let [telling, broken] = [0, 0];
  for (const character of meant) {
    if (character === LOST) broken++;
    else if (character.codePointAt(0)! >= FROM_THREE_BYTES) telling++;
  }
  return { meant, telling, broken, isCut: decoder.decode() !== '' };
}

/** The first characters of a run that end where one does of what was meant, and those; null for none. */
function exampleIn(run: string): readonly [garbled: string, meant: string] | null {
  const characters = Array.from(run.slice(0, 2 * WHOLE));
  for (let length = 1; length <= WHOLE; length++) {
    const garbled = characters.slice(0, length).join('');
    const { meant, broken, isCut } = readAgain(garbled);
    if (broken === 0 && !isCut) return [garbled, meant];
  }
  return null;
}

function isClear({ telling, broken }: Pick<Reading, 'telling' | 'broken'>): boolean {
  return telling >= ENOUGH && broken * CLEAR <= telling;
}

/** Whether such a run, which begins with what looks like the mark, is garbled indeed. */
function isMarked(read: Reading): boolean {
  return isClear(read) || (read.broken === 0 && MARK_OF_ASCII.test(read.meant));
}

interface AsGbk {
  /** Which runs are garbled, unless they cannot be made out. */
  readonly runs: typeof RUN;
  /** Characters of them; null for all that are not ASCII. */
  readonly count: number | null;
  /** The first of them, and what was meant. */
  readonly example: readonly [garbled: string, meant: string];
}

/** What is garbled so; null for nothing. */
export function garbledAsGbk(text: string): AsGbk | null {
  const example = exampleOfAll(text);
  if (example !== null) return { runs: RUN, count: null, example };
  const marked = [...text.matchAll(MARKED)].filter(([, run]) => isMarked(readAgain(run!)));
  const first = marked[0] === undefined ? null : exampleIn(marked[0][1]!);
  if (first === null) return null;
  const count = marked.reduce((sum, [found]) => sum + found.length, 0);
  return { runs: MARKED, count, example: first };
}

/** The first of the characters of a text that is garbled as a whole, and what was meant; or null. */
function exampleOfAll(text: string): AsGbk['example'] | null {
  let [telling, broken, lookedAt] = [0, 0, 0];
  let example: readonly [string, string] | null = null;
  for (const [, run] of text.slice(0, TELLING).matchAll(RUN)) {
    if (lookedAt >= LOOKED_AT) break;
    const read = readAgain(run!.slice(0, LOOKED_AT));
    lookedAt += run!.length;
    telling += read.telling;
    broken += read.broken;
    if (read.telling > 0) example ??= exampleIn(run!);
  }
  return isClear({ telling, broken }) ? example : null;
}

/** Reads such runs again; where bytes were lost, the sign for that stands. */
export function readAsUtf8(text: string, { runs }: AsGbk): string {
  return text.replace(runs, (found, run: string, end: string) => {
    const read = readAgain(run);
    // Made by chance of what is in order.
    if (runs === MARKED ? !isMarked(read) : read.broken * CLEAR > read.telling) return found;
    const meant = read.meant.replaceAll(BYTE_ORDER_MARK, '');
    return read.isCut ? meant + LOST : meant + end;
  });
}
