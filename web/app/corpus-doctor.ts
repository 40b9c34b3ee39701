/**
 * Looks a text over before it is learned, and mends what can be mended: pure functions of strings.
 * The examination is a generator that stops after every few thousand characters, so that whoever runs
 * it decides when the page may draw.
 */

/** A character with how often it occurs. */
export interface Counted {
  readonly character: string;
  readonly count: number;
}

export interface Findings {
  /** Code points. */
  readonly characters: number;
  readonly distinct: number;
  /** Characters that occur at most RARE times, the rarest first. */
  readonly rare: readonly Counted[];
  /** Lines that are not empty. */
  readonly lines: number;
  /** Of these, how many an earlier line says already. */
  readonly duplicates: number;
  /** Length of the middle and of the longest line, in code points. */
  readonly medianLine: number;
  readonly longestLine: number;
  /** Lines more than ten times (and 200 characters) longer than the middle one. */
  readonly longLines: number;
  /** Lines of a single character. */
  readonly shortLines: number;
  /** Line ends of the two kinds: CR LF (or CR alone), and LF. */
  readonly carriageReturns: number;
  readonly lineFeeds: number;
  /** Tags and entities that look like left-overs of a web page. */
  readonly markup: number;
  /** Tabs, unusual or invisible blanks, blanks at line ends, and runs of blanks. */
  readonly untidy: number;
}

/** A character that occurs no more often can hardly be learned. */
export const RARE = 2;
/** Code units between two stops. */
const SLICE = 16_384;

const MARKUP = /<\/?[a-zA-Z][^<>\n]{0,200}>|&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});/g;
// Blanks but the space and line ends, marks without width, and control characters.
const BLANKS = /[^\S \r\n]|[\u200b\u2060\ufeff]|(?!\s)\p{Cc}/gu;
const UNTIDY = new RegExp(`(?:${BLANKS.source})+|[ ]{2,}|[ ]+(?=[\\r\\n]|$)`, 'gu');

/** Examines `text`; yields now and then, and returns what it found. */
export function* examine(text: string): Generator<undefined, Findings> {
  const counts = new Map<number, number>();
  const lengths: number[] = [];
  const seen = new Set<string>();
  let characters = 0;
  let duplicates = 0;
  let carriageReturns = 0;
  let lineFeeds = 0;
  let markup = 0;
  let untidy = 0;
  let worked = 0;
  let at = 0;
  while (at < text.length) {
    let end = at;
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
    const line = text.slice(at, end);
    let length = 0;
    // One line may be a whole book: it is read in pieces.
    for (let from = 0; from < line.length;) {
      const until = pieceEnd(line, from);
      for (const character of line.slice(from, until)) {
        const point = character.codePointAt(0)!;
        counts.set(point, (counts.get(point) ?? 0) + 1);
        length++;
      }
      const piece = line.slice(from, until);
      markup += piece.match(MARKUP)?.length ?? 0;
      untidy += piece.match(UNTIDY)?.length ?? 0;
      worked += until - from;
      from = until;
      if (worked >= SLICE) {
        worked = 0;
        yield undefined;
      }
    }
    characters += length;
    if (length > 0) {
      lengths.push(length);
      if (seen.has(line)) duplicates++;
      else seen.add(line);
    }
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
  const sorted = Float64Array.from(lengths).sort();
  const medianLine = sorted[sorted.length >> 1] ?? 0;
  const rare = [...counts]
    .filter(([, count]) => count <= RARE)
    .sort(([a, m], [b, n]) => m - n || a - b)
    .map(([point, count]) => ({ character: String.fromCodePoint(point), count }));
  return {
    characters,
    distinct: counts.size + (lineFeeds + carriageReturns > 0 ? 1 : 0),
    rare,
    lines: lengths.length,
    duplicates,
    medianLine,
    longestLine: sorted[sorted.length - 1] ?? 0,
    longLines: lengths.filter((length) => length > Math.max(200, 10 * medianLine)).length,
    shortLines: lengths.filter((length) => length === 1).length,
    carriageReturns,
    lineFeeds,
    markup,
    untidy,
  };
}

/** Where a piece of a line ends: not within a character, and after a word if there is one. */
function pieceEnd(line: string, from: number): number {
  if (line.length - from <= SLICE) return line.length;
  const space = line.lastIndexOf(' ', from + SLICE);
  if (space > from) return space + 1;
  const low = line.charCodeAt(from + SLICE);
  return from + SLICE + (low >= 0xdc00 && low < 0xe000 ? 1 : 0);
}

/** Keeps the first of equal lines. */
export function removeDuplicates(text: string): string {
  const seen = new Set<string>();
  return text
    .split('\n')
    .filter((line) => {
      const known = line !== '' && seen.has(line);
      seen.add(line);
      return !known;
    })
    .join('\n');
}

/** Signs that have a plain form which says the same. */
const PLAIN: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '−': '-',
};

/** Puts a plain form in place of rare characters, or nothing where there is none. */
export function replaceRare(text: string, rare: readonly Counted[]): string {
  const rares = new Set(rare.map(({ character }) => character));
  let out = '';
  for (const character of text) {
    if (!rares.has(character)) out += character;
    else {
      // An accent goes, its letter stays, unless the letter is as rare.
      const plain = PLAIN[character] ?? character.normalize('NFKD').replace(/\p{M}/gu, '');
      if (plain !== character)
        out += Array.from(plain)
          .filter((letter) => !rares.has(letter))
          .join('');
    }
  }
  return out;
}

/** One kind of line end, plain spaces, none at the end of a line, at most one empty line. */
export function tidySpace(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u200b\u2060\ufeff]|(?!\s)\p{Cc}/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ +$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Takes tags out and puts characters in place of entities. */
export function stripMarkup(text: string): string {
  return text.replace(MARKUP, (found) => {
    if (!found.startsWith('&')) return '';
    const name = found.slice(1, -1);
    if (name.startsWith('#')) {
      const point = name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1));
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
    }
    return ENTITIES[name] ?? found;
  });
}

/** The preset that a text of this shape suits: lists of short lines, or prose. */
export function suitablePreset({ lines, medianLine, longLines }: Findings): string {
  const isList = lines >= 20 && medianLine <= 64 && longLines === 0;
  return isList ? 'microgpt' : 'tinygpt';
}
