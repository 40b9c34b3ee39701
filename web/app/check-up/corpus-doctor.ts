/**
 * Looks a text over before it is learned, and mends what can be mended: pure functions of strings.
 * The examination is a generator that stops after every few thousand characters, so that whoever runs
 * it decides when the page may draw.
 */

import { hear, isConversation, startTalk, stampsOf } from './chat-log.ts';
import { findHidden, idleAmong, isAttached, lettersInPieces } from './letters.ts';
import {
  NOT_GARBLED,
  countRuined,
  garbledCharacters,
  garbledGbk,
  isBeyondAscii,
  isGarbled,
  readPiece,
  weigh,
} from './mojibake.ts';
import { garbledAsGbk } from './utf8-as-gbk.ts';

/** A character with how often it occurs. */
export interface Counted {
  readonly character: string;
  readonly count: number;
}

/** A long line that an earlier one says already: the characters before each of them. */
export interface Repeat {
  readonly first: number;
  readonly at: number;
}

export interface Findings {
  /** Code points. */
  readonly characters: number;
  readonly distinct: number;
  /** Characters that occur at most RARE times, the rarest first. */
  readonly rare: readonly Counted[];
  /** Characters that occur more often. */
  readonly common: ReadonlySet<string>;
  /** Lines that are not empty. */
  readonly lines: number;
  /** Of these, how many an earlier line says already. */
  readonly duplicates: number;
  /** Of lines that stand there twice or more: how many different ones stand there so many times. */
  readonly copies: ReadonlyMap<number, number>;
  /** Those repeats that are no chance in running text either. */
  readonly repeats: readonly Repeat[];
  /** Length of the middle and of the longest line, in code points. */
  readonly medianLine: number;
  readonly longestLine: number;
  /** Lengths at evenly spaced ranks, the shortest first. */
  readonly lengths: readonly number[];
  /** The most UTF-8 bytes of a line. */
  readonly longestBytes: number;
  /** Lines more than ten times (and 200 characters) longer than the middle one. */
  readonly longLines: number;
  /** Lines of a single character. */
  readonly shortLines: number;
  /** Whether the lines stand in the order of the alphabet, or from its end to its beginning. */
  readonly sorted: boolean;
  /** Line ends of the two kinds: CR LF (or CR alone), and LF. */
  readonly carriageReturns: number;
  readonly lineFeeds: number;
  /** Dates and times that stand beside messages, with one of them; null where there are none. */
  readonly stamps: { readonly count: number; readonly example: string } | null;
  /** Whether people talk in turns. */
  readonly conversation: boolean;
  /** Tags and entities that look like left-overs of a web page. */
  readonly markup: number;
  /** Places that `tidySpace` changes, line ends aside; of a garbled text, those that mending leaves. */
  readonly untidy: number;
  /** Marks of Chinese sentences that are narrow, where others of them are wide. */
  readonly narrow: {
    readonly count: number;
    /** Which marks. */
    readonly marks: readonly string[];
    /** Whether the text has wide ones. */
    readonly wide: boolean;
  };
  /** Characters whose UTF-8 was read as something else, with one of them; null where there are none. */
  readonly garbled: { readonly count: number; readonly example: readonly [string, string] } | null;
  /** Signs that stand for characters which were lost. */
  readonly lost: number;
  /** What else stands where characters were lost, with some of it; null where there is none. */
  readonly ruined: { readonly count: number; readonly example: string } | null;
  /** Characters that nobody sees and that say nothing, with one of them; null where there are none. */
  readonly hidden: { readonly count: number; readonly example: string } | null;
  /** Letters in more pieces than need be, with one of them put together; null where there are none. */
  readonly pieces: {
    readonly count: number;
    readonly example: string;
    /** Whether the text has some of them in one piece, too. */
    readonly both: boolean;
  } | null;
}

/** A character that occurs no more often can hardly be learned. */
export const RARE = 2;
/** Characters up to which a line is short. */
export const SHORT_LINE = 64;
/** Lines from which on short ones are a list, and the share of them that may be long all the same. */
const LIST_LINES = 20;
const FEW_LONG = 0.2;
/** UTF-8 bytes from which on a line that stands twice in running text is no speaker's name or refrain. */
export const TELLING_LINE = 20;
/** What decoders write in place of what they cannot read. */
const REPLACEMENT = 0xfffd;
/** Lines from which on an order is no chance, and the code units of each that are compared. */
const ORDERED_LINES = 20;
const COMPARED = 64;
/** Lengths of lines that are told, so that they need not all be kept. */
const RANKS = 64;
/** Code units between two stops. */
const SLICE = 16_384;
/** Code units that a character has behind its first at most, before what belongs together is cut. */
const MOST_ATTACHED = 64;

/** Entities of the characters from U+00A0 on, in their order (HTML 4.01, 24.2.1). */
const LATIN = [
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3',
  'acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde',
  'Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute',
  'Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde',
  'auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute',
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
]
  .join(' ')
  .split(' ');
/** Entities of web pages that are known here: only what can be taken out counts as a left-over. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN.map((name, at) => [name, String.fromCharCode(0xa0 + at)])),
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '' },
  ...{ hellip: '…', ndash: '–', mdash: '—', bull: '•', trade: '™', euro: '€' },
  ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
  ...{ lsaquo: '‹', rsaquo: '›', OElig: 'Œ', oelig: 'œ' },
};
/** Elements of web pages, old ones as well: what else stands between such signs is the text's own. */
const ELEMENTS = [
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote',
  'body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir',
  'div dl dt em embed fieldset figcaption figure font footer form frame frameset g h[1-6] head header',
  'hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta',
  'meter nav nobr noframes noscript object ol optgroup option output p param path picture pre progress q',
  'rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub',
  'summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video',
  'wbr xmp',
]
  .join(' ')
  .replaceAll(' ', '|');
const TAG = `</?(?:${ELEMENTS})(?:[\\s/][^<>\\n]{0,200})?>`;
const ENTITY = `&(${Object.keys(ENTITIES).join('|')}|#\\d{1,6}|#x[0-9a-f]{1,5});`;
const TAGS = new RegExp(TAG, 'gi');
const ENTITIES_USED = new RegExp(ENTITY, 'gi');
const MARKUP = new RegExp(`${TAG}|${ENTITY}`, 'gi');
/** Of these, those that browsers begin a new line for, and those that end a cell of a table. */
const BLOCKS = [
  'address article aside blockquote br center dd details dialog dir div dl dt fieldset figcaption figure',
  'footer form h[1-6] header hgroup hr legend li main menu nav ol optgroup option p pre section summary',
  'table tbody tfoot thead title tr ul',
]
  .join(' ')
  .replaceAll(' ', '|');
const BLOCK = `</?(?:${BLOCKS})(?:[\\s/][^<>\\n]{0,200})?>[ \\t]*`;
const LINE_BREAK = new RegExp(`(?:${BLOCK})+(\\r?\\n)?`, 'gi');
const CELL_END = /<\/t[dh]\s*>[ \t]*(?=<t[dh]\b)/gi;
const LINE_BEGINS = /(?:^|\n)[ \t]*$/;
/** As much of the line before a tag as is looked at for that. */
const INDENTED = 64;
// Blanks but the space and line ends; the byte order mark is none.
const BLANKS = /[^\S \r\n\ufeff]/gu;
// A blank where Chinese has none: between its punctuation, which is wide by itself, and what follows.
const NEEDLESS =
  '[ ](?<=\\p{sc=Han}[。，、！？；：」』”’）》】…]{1,3}[ ])(?=[「『“‘（《【]?\\p{sc=Han})';
// Blanks in a row are one place, whatever they are.
const UNTIDY = new RegExp(`[ ]*(?:(?:${BLANKS.source})[ ]*)+|[ ]{2,}|^[ ]|[ ]$|${NEEDLESS}`, 'gu');
/** The wide marks of Chinese sentences, by their narrow twins. */
const WIDE: Readonly<Record<string, string>> = {
  ...{ ',': '，', '.': '。', ';': '；', ':': '：', '?': '？', '!': '！' },
  ...{ '｡': '。', '､': '、' },
};
// A narrow mark of a Chinese sentence: behind a Chinese character, and perhaps what closes a quotation or
// another mark. A point in an ellipsis, or before the ending of a name, is none. What it ends may have
// been set off by a blank, which wide marks have in them.
const NARROW = new RegExp(
  '(?<=\\p{sc=Han}[」』”’）》】，。；：？！,;:?!]{0,2})(?:[,;:?!]|\\.(?![.\\w]))([ ](?=\\p{sc=Han}))?|[｡､]',
  'gu',
);
// A line that is empty once its blanks are tidied.
const EMPTY = /^[^\S\ufeff]*$/u;

/** Examines `text`; yields now and then, and returns what it found. */
export function* examine(text: string): Generator<undefined, Findings> {
  const counts = new Map<number, number>();
  const lengths: number[] = [];
  /** The characters before each line, where it stands first. */
  const seen = new Map<string, number>();
  const times = new Map<string, number>();
  const repeats: Repeat[] = [];
  const narrow = new Map<string, number>();
  let garbling = NOT_GARBLED;
  const ruined = { count: 0, example: '' };
  const hidden = new Map<string, number>();
  /** Letters in pieces, by what they are in one. */
  const pieces = new Map<string, number>();
  let longestBytes = 0;
  let characters = 0;
  let duplicates = 0;
  let carriageReturns = 0;
  let lineFeeds = 0;
  let markup = 0;
  let untidy = 0;
  /** How many of these are there if the text is garbled. */
  let untidyRead = 0;
  /** Empty lines since the last one that is not; where the text begins, none is to stand there. */
  let emptyLines = 1;
  const order = { up: 0, down: 0, last: '' };
  const talk = startTalk();
  let worked = 0;
  let at = 0;
  while (at < text.length) {
    let end = at;
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
    const line = text.slice(at, end);
    let length = 0;
    let bytes = 0;
    // One line may be a whole book: it is read in pieces.
    for (let from = 0; from < line.length;) {
      const until = pieceEnd(line, from);
      const piece = line.slice(from, until);
      const counted = countCharacters(piece, counts);
      length += counted.characters;
      bytes += counted.bytes;
      markup += piece.match(MARKUP)?.length ?? 0;
      for (const [mark] of piece.matchAll(NARROW)) {
        narrow.set(mark[0]!, (narrow.get(mark[0]!) ?? 0) + 1);
      }
      // Only the last piece ends where the line does.
      const places = untidyPlaces(line.slice(from, until + 1));
      const weighed = weigh(piece, garbling);
      const read = weighed.made > garbling.made;
      untidy += places;
      untidyRead += read ? untidyPlaces(readPiece(line.slice(from, until + 1))) : places;
      garbling = weighed;
      const { count, example } = countRuined(piece);
      ruined.count += count;
      if (ruined.example === '') ruined.example = example;
      findHidden(piece, hidden);
      for (const letter of lettersInPieces(piece)) {
        pieces.set(letter, (pieces.get(letter) ?? 0) + 1);
      }
      worked += until - from;
      from = until;
      if (worked >= SLICE) {
        worked = 0;
        yield undefined;
      }
    }
    if (length > 0) {
      lengths.push(length);
      follow(order, line);
      hear(talk, line);
      longestBytes = Math.max(longestBytes, bytes);
      const first = seen.get(line);
      if (first === undefined) seen.set(line, characters);
      else {
        duplicates++;
        times.set(line, (times.get(line) ?? 1) + 1);
        if (bytes >= TELLING_LINE) repeats.push({ first, at: characters });
      }
    }
    if (!EMPTY.test(line)) emptyLines = 0;
    else if (++emptyLines === 2) {
      untidy++;
      untidyRead++;
    }
    characters += length;
    worked += 16;
    if (text[end] === '\r') {
      carriageReturns++;
      characters++;
      at = end + (text[end + 1] === '\n' ? 2 : 1);
    } else {
      if (end < text.length) {
        lineFeeds++;
        characters++;
      }
      at = end + 1;
    }
  }
  yield undefined;
  const byLength = Float64Array.from(lengths).sort();
  const medianLine = byLength[byLength.length >> 1] ?? 0;
  const copies = new Map<number, number>();
  for (const count of times.values()) copies.set(count, (copies.get(count) ?? 0) + 1);
  let [letters, beyond] = [0, 0];
  for (const [point, count] of counts) {
    if (point > 0x7f) beyond += count;
    if (isBeyondAscii(point)) letters += count;
  }
  const [gbk, asGbk] = [garbledGbk(text), garbledAsGbk(text)];
  let garbled: Findings['garbled'] = null;
  if (gbk !== null) garbled = { count: beyond >> 1, example: gbk };
  else if (asGbk !== null) garbled = { ...asGbk, count: asGbk.count ?? beyond };
  else if (isGarbled(garbling, letters)) {
    garbled = { count: garbledCharacters(garbling, beyond), example: garbling.example };
  }
  return {
    characters,
    distinct: counts.size + (lineFeeds + carriageReturns > 0 ? 1 : 0),
    ...byFrequency(counts),
    lines: lengths.length,
    duplicates,
    copies,
    repeats,
    medianLine,
    longestLine: byLength[byLength.length - 1] ?? 0,
    lengths: atRanks(byLength),
    longestBytes,
    longLines: lengths.filter((length) => length > Math.max(200, 10 * medianLine)).length,
    shortLines: lengths.filter((length) => length === 1).length,
    sorted: isSorted(order),
    stamps: stampsOf(talk, lengths.length),
    conversation: isConversation(talk, lengths.length),
    carriageReturns,
    lineFeeds,
    markup,
    untidy: garbled === null ? untidy : untidyRead,
    narrow: amongWide(narrow, (mark) => counts.has(mark.codePointAt(0)!)),
    garbled,
    lost: counts.get(REPLACEMENT) ?? 0,
    ruined: ruined.count > 0 ? ruined : null,
    hidden: idleAmong(hidden, counts.keys(), garbled !== null),
    pieces: amongWhole(pieces, (letter) => counts.has(letter.codePointAt(0)!)),
  };
}

/** What is said of letters in pieces, where a text may have them in one, too. */
function amongWhole(
  pieces: ReadonlyMap<string, number>,
  has: (letter: string) => boolean,
): Findings['pieces'] {
  const letters = [...pieces.keys()];
  const [first] = letters;
  if (first === undefined) return null;
  const twin = letters.find((letter) => Array.from(letter).length === 1 && has(letter));
  const count = [...pieces.values()].reduce((sum, one) => sum + one, 0);
  return { count, example: twin ?? first, both: twin !== undefined };
}

/** Of narrow marks those whose wide twins the text has as well. */
function amongWide(
  narrow: ReadonlyMap<string, number>,
  has: (mark: string) => boolean,
): Findings['narrow'] {
  const mixed = [...narrow].filter(([mark]) => has(WIDE[mark]!));
  return {
    count: mixed.reduce((sum, [, count]) => sum + count, 0),
    marks: mixed.map(([mark]) => mark),
    wide: Object.values(WIDE).some(has),
  };
}

/** The values in the middle of so many equal parts of a sorted list; all of a shorter one. */
function atRanks(sorted: Float64Array): number[] {
  const parts = Math.min(RANKS, sorted.length);
  return Array.from(
    { length: parts },
    (_, part) => sorted[Math.floor(((part + 0.5) / parts) * sorted.length)]!,
  );
}

function untidyPlaces(text: string): number {
  return text.match(UNTIDY)?.length ?? 0;
}

/** How many lines come after the one before them in the alphabet, and how many before it. */
interface LineOrder {
  up: number;
  down: number;
  last: string;
}

/** Takes the next line in; equal ones say nothing. */
function follow(order: LineOrder, line: string): void {
  const now = line.slice(0, COMPARED).toLowerCase();
  if (order.last !== '' && now > order.last) order.up++;
  if (now < order.last) order.down++;
  order.last = now;
}

/** A heading, or a letter with an accent, may stand out of order. */
function isSorted({ up, down }: LineOrder): boolean {
  return up + down >= ORDERED_LINES - 1 && Math.min(up, down) * 20 <= up + down;
}

/** Adds the code points of `text` to `counts`, and tells how many there are, and bytes of UTF-8. */
function countCharacters(
  text: string,
  counts: Map<number, number>,
): { characters: number; bytes: number } {
  let characters = 0;
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    counts.set(point, (counts.get(point) ?? 0) + 1);
    characters++;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return { characters, bytes };
}

/**
 * Lines of the part held out for validation that stand in the part that is learned, too. Line by line,
 * chance says which lines are held out: then it is as many as there are on average.
 */
export function leakedLines(findings: Findings, heldOut: number, byLine: boolean): number {
  if (!byLine) {
    const cut = findings.characters * (1 - heldOut);
    return findings.repeats.filter(({ first, at }) => first < cut && at >= cut).length;
  }
  let expected = 0;
  for (const [copies, lines] of findings.copies) {
    // A copy is held out, and not all of the others with it.
    expected += lines * copies * heldOut * (1 - heldOut ** (copies - 1));
  }
  return Math.round(expected);
}

/** What is rare, the rarest first, and what is not. */
function byFrequency(counts: ReadonlyMap<number, number>): Pick<Findings, 'rare' | 'common'> {
  const rare: Counted[] = [];
  const common = new Set<string>();
  for (const [point, count] of [...counts].sort(([a, m], [b, n]) => m - n || a - b)) {
    const character = String.fromCodePoint(point);
    if (count <= RARE) rare.push({ character, count });
    else common.add(character);
  }
  return { rare, common };
}

/** Where a piece of a line ends: not within a character, and after a word if there is one. */
function pieceEnd(line: string, from: number): number {
  if (line.length - from <= SLICE) return line.length;
  const space = line.lastIndexOf(' ', from + SLICE);
  if (space > from) return space + 1;
  let end = from + SLICE;
  while (end < from + SLICE + MOST_ATTACHED && isAttached(line, end)) end++;
  return end;
}

/** Keeps the first of equal lines of so many UTF-8 bytes. */
export function removeDuplicates(text: string, fromBytes = 1): string {
  const seen = new Set<string>();
  return text
    .split('\n')
    .filter((line) => {
      const known = seen.has(line) && countCharacters(line, new Map()).bytes >= fromBytes;
      seen.add(line);
      return !known;
    })
    .join('\n');
}

/** Signs that have a plain form which says the same. */
const PLAIN: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '…': '...',
  '−': '-',
};

/** What mending would put in place of a rare character: a plain form, a blank, or nothing. */
export interface Replacement {
  readonly character: string;
  readonly plain: string;
}

// What words and sentences are made of, and whatever a keyboard has. Joiners without width belong
// to the letters or pictures beside them. Without its sign nobody would know of a character that was lost.
const KEPT = /[\p{L}\p{M}\p{N}\p{P}\p{Sc} -~]|\u200c|\u200d|\ufffd/u;
// These are marks by name, but only say how a sign is drawn.
const DRAWING = /\ufe0e|\ufe0f|\u20e3/u;
const WITHOUT_WIDTH = /[\p{Cf}\p{M}\p{Emoji_Modifier}]|(?!\s)\p{Cc}/u;
// Letters that words are told apart by with blanks.
const SPACED = /[\p{L}\p{M}\p{N}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
// What stands right behind a word.
const CLOSING = /[.,;:!?)\]]/;
// A picture with all that says how it is drawn and what it is joined to, or a flag.
const DRESS = '[\\ufe0e\\ufe0f\\u20e3\\p{Emoji_Modifier}\\u{e0020}-\\u{e007f}]*';
const PICTURE = `\\p{Extended_Pictographic}${DRESS}`;
const UNIT = new RegExp(`${PICTURE}(?:\\u200d${PICTURE})*|\\p{Regional_Indicator}{2}|[^]`, 'gu');
const FIGURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/**
 * What can be put in place of rare characters. Letters, digits and punctuation that have no common
 * plain form are not among them: without them words and sentences would not be the same.
 */
export function replacementsFor({
  rare,
  common,
}: Pick<Findings, 'rare' | 'common'>): Replacement[] {
  const replacements: Replacement[] = [];
  for (const { character } of rare) {
    const plain = plainOf(character, common);
    if (plain !== character) replacements.push({ character, plain });
  }
  return replacements;
}

function plainOf(character: string, common: ReadonlySet<string>): string {
  const plain = PLAIN[character];
  if (plain !== undefined) return plain;
  if (character !== ' ' && /\s/u.test(character) && !WITHOUT_WIDTH.test(character)) return ' ';
  if (/\p{P}/u.test(character)) return character;
  // An accent goes, its letter stays; in other scripts a mark makes it another letter.
  const bare = character
    .normalize('NFKD')
    .replace(/([\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu, '$1')
    .normalize('NFC');
  // What would be written must not be as rare, or blank.
  if (bare.trim() !== '' && Array.from(bare).every((letter) => common.has(letter))) return bare;
  return KEPT.test(character) && !DRAWING.test(character) ? character : '';
}

/**
 * Puts plain forms in place of rare characters until there is nothing left to replace: with a
 * picture of several characters that goes, another one may become rare.
 */
export function replaceRare(text: string): string {
  let mended = text;
  for (;;) {
    const counts = new Map<number, number>();
    countCharacters(mended.replace(/[\r\n]/g, ''), counts);
    const replacements = replacementsFor(byFrequency(counts));
    if (replacements.length === 0) return mended;
    mended = replaceOnce(mended, replacements);
  }
}

/** What stands where something was left out. */
type Gap = 'none' | 'joined' | 'sign' | 'blank';

function replaceOnce(text: string, replacements: readonly Replacement[]): string {
  const plains = new Map(replacements.map(({ character, plain }) => [character, plain]));
  const points = replacements.map(({ character }) => character.codePointAt(0)!.toString(16));
  const concerned = new RegExp(`[${points.map((point) => `\\u{${point}}`).join('')}]`, 'u');
  // What is rare stands in few lines: the others need not be taken apart.
  return text.replace(/[^\r\n]+/g, (line) =>
    concerned.test(line) ? replaceInLine(line, plains) : line,
  );
}

function replaceInLine(line: string, plains: ReadonlyMap<string, string>): string {
  let out = '';
  /** The last character but blanks, and how many blanks are to follow it. */
  let last = '';
  let blanks = 0;
  let gap: Gap = 'none';
  /** Writes what follows a gap: never two blanks, none at an end of a line, no words run together. */
  const write = (character: string): void => {
    if (gap !== 'none') {
      const stands = blanks > 0 || last === '';
      if (character === ' ' && stands) return;
      const apart = gap === 'blank' || (gap === 'sign' && isSpaced(last) && isSpaced(character));
      if (CLOSING.test(character)) blanks = 0;
      else if (apart && !stands && character !== ' ') blanks = 1;
    }
    gap = 'none';
    if (character === ' ') blanks++;
    else {
      out += ' '.repeat(blanks) + character;
      last = character;
      blanks = 0;
    }
  };
  for (const [unit] of line.matchAll(UNIT)) {
    const characters = Array.from(unit);
    if (characters.some((one) => FIGURE.test(one) && plains.get(one) === '')) {
      if (gap !== 'blank') gap = 'sign';
      continue;
    }
    for (const character of characters) {
      const plain = plains.get(character);
      if (plain === undefined) write(character);
      else if (plain === ' ') gap = 'blank';
      else if (plain !== '') for (const one of plain) write(one);
      else if (!WITHOUT_WIDTH.test(character)) gap = gap === 'blank' ? gap : 'sign';
      else if (gap === 'none') gap = 'joined';
    }
  }
  return gap === 'none' ? out + ' '.repeat(blanks) : out;
}

function isSpaced(character: string): boolean {
  return SPACED.test(character) && !UNSPACED.test(character);
}

/**
 * One kind of line end, plain spaces, none where a line begins or ends, none behind the wide punctuation
 * of Chinese, at most one empty line in a row, and none before the first.
 */
export function tidySpace(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n\ufeff]+/g, ' ')
    .replace(/^ +| +$/gm, '')
    .replace(new RegExp(NEEDLESS, 'gu'), '')
    .replace(/^\n+/, '')
    .replace(/\n{3,}/g, '\n\n');
}

/** Marks of Chinese sentences wide wherever the text has them wide elsewhere. */
export function widenMarks(text: string): string {
  return text.replace(NARROW, (found) => {
    const wide = WIDE[found[0]!]!;
    return text.includes(wide) ? wide : found;
  });
}

/**
 * Puts lines that are not empty in an order of chance, always the same one for the same text. Line ends
 * and empty lines stay where they are.
 */
export function shuffleLines(text: string): string {
  const parts = text.split(/(\r\n?|\n)/);
  const places: number[] = [];
  // Every other part is a line end.
  for (let at = 0; at < parts.length; at += 2) if (parts[at] !== '') places.push(at);
  let seed = places.length;
  for (let left = places.length; left > 1; left--) {
    // mulberry32 (Tommy Ettinger), public domain.
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    const other = places[Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * left)]!;
    const last = places[left - 1]!;
    [parts[last], parts[other]] = [parts[other]!, parts[last]!];
  }
  return parts.join('');
}

/**
 * Takes tags out, and then puts characters in place of entities, once, as browsers do: what was escaped
 * (`&lt;b&gt;`) was to be read as it is. What stood on lines of its own does so afterwards.
 */
export function stripMarkup(text: string): string {
  let before: string;
  let after = text;
  do {
    before = after;
    after = before
      .replace(LINE_BREAK, (tags, lineEnd: string | undefined, at: number) => {
        if (lineEnd !== undefined) return lineEnd;
        const isEnd = at + tags.length === before.length;
        const line = before.slice(Math.max(0, at - INDENTED), at);
        return isEnd || LINE_BEGINS.test(line) ? '' : '\n';
      })
      .replace(CELL_END, ' ')
      .replace(TAGS, '');
  } while (after !== before);
  return after.replace(ENTITIES_USED, (_, entity: string) => decoded(entity));
}

/** What an entity stands for; nothing for numbers that are no character. */
function decoded(entity: string): string {
  if (!entity.startsWith('#')) return ENTITIES[entity] ?? ENTITIES[entity.toLowerCase()] ?? '';
  const point = /^#x/i.test(entity) ? parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
  return isCharacter ? String.fromCodePoint(point) : '';
}

/** Whether the lines are short, a few that stand out aside. */
export function hasShortLines({ lines, medianLine, longLines }: Findings): boolean {
  return medianLine <= SHORT_LINE && longLines <= lines * FEW_LONG;
}

/** The preset that a text of this shape suits: lists of short lines, or prose and what people say in turns. */
export function suitablePreset(findings: Findings): string {
  const { lines, conversation } = findings;
  const isList = lines >= LIST_LINES && hasShortLines(findings) && !conversation;
  return isList ? 'microgpt' : 'tinygpt';
}
