/**
 * Decodes the bytes of a file to UTF-8 without byte order mark and with LF line ends (unless the
 * reader keeps others), so that field, text check and engine get the same characters. A byte order
 * mark decides the encoding; bytes valid as UTF-8 are UTF-8; UTF-16 and UTF-32 are detected here;
 * otherwise a detector ranks the encodings.
 */
import { decoderOf } from './encodings.ts';

/** How a file was decoded. */
export interface Reading {
  readonly encoding: string;
  /** Likely encodings, best first. */
  readonly candidates: readonly string[];
  /** Bytes of an incomplete character at the end, left out of the text. */
  readonly leftOver: number;
  /** Number of undecodable characters, each U+FFFD in the text. */
  readonly unreadable: number;
  /** Line ends other than LF and CR LF: their number and names. */
  readonly ends: { readonly count: number; readonly names: readonly string[] };
  /** Whether these line ends were kept. */
  readonly keepsEnds: boolean;
}

/** The reader's choice of decoding; an empty encoding means detection. */
export interface ReadingChoice {
  readonly encoding: string;
  readonly keepsEnds: boolean;
}

/** Ranks the encodings of bytes that are not UTF-8. */
export type Rank = (bytes: Uint8Array) => string[] | Promise<string[]>;
/** Yields to the event loop. */
export type Pause = () => Promise<void>;

/** Bytes decoded between two pauses; a multiple of four. */
const PIECE = 262_144;
/** Bytes inspected to detect UTF-16 and UTF-32 without a byte order mark. */
const LOOKED_AT = 65_536;
/** Number of candidates offered first. */
const OFFERED = 5;

/** Byte order marks; UTF-32 precedes UTF-16, because its mark begins with the mark of UTF-16. */
const MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Control characters that do not occur in text. */
const CONTROL = /(?![\t-\r])\p{Cc}/gu;
/** Control characters that UTF-8 texts may have: NUL between names, ESC before terminal colours. */
const CONTROL_OF_TEXT = new Set(['\0', '\u001b']);
/** Share of control characters above which bytes are no text. */
const MOST_CONTROLS = 0.08;
const END_NAMES: Readonly<Record<string, string>> = {
  '\r': 'CR',
  '\u0085': 'NEL',
  '\u2028': 'U+2028',
  '\u2029': 'U+2029',
};

export interface Decoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether `bytes` equals the original bytes. */
  readonly same: boolean;
  readonly reading: Reading;
}

/** Decodes `bytes` as the reader chose; calls `pause` between pieces. */
export async function decodeText(
  bytes: Uint8Array<ArrayBuffer>,
  choice: ReadingChoice,
  rank: Rank,
  pause: Pause = () => Promise.resolve(),
): Promise<Decoded> {
  const found = await findEncodings(bytes, rank, pause);
  const encoding = choice.encoding === '' ? found[0]! : choice.encoding;
  const candidates = [...new Set([...found.slice(0, OFFERED), encoding])];
  const { keepsEnds } = choice;
  const mark = MARKS.find((one) => one[0] === encoding && startsWith(bytes, one[1]))?.[1] ?? [];
  const cut = leftOverOf(bytes, encoding);
  const body = bytes.subarray(mark.length, bytes.length - cut);
  const decoder = decoderOf(encoding);
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const names = new Set<string>();
  let [count, unreadable, leftOver] = [0, 0, cut];
  let [held, changed] = ['', encoding !== 'utf-8'];
  /** Length of the beginning of `body` that needs no change; only later pieces are encoded anew. */
  let plain = 0;
  const take = (text: string, end: number): void => {
    unreadable += text.match(/\ufffd/g)?.length ?? 0;
    const lines = text.replaceAll('\r\n', '\n');
    const ended = lines.replaceAll(/[\r\u0085\u2028\u2029]/g, (end) => {
      count += 1;
      names.add(END_NAMES[end]!);
      return keepsEnds ? end : '\n';
    });
    changed ||= ended !== text;
    if (!changed && unreadable === 0) {
      plain = end;
      return;
    }
    if (pieces.length === 0) pieces.push(body.subarray(0, plain));
    pieces.push(encoder.encode(ended));
  };
  for (let at = 0; at < body.length; at += PIECE) {
    if (at > 0) await pause();
    const read = body.subarray(0, at + PIECE);
    const text = held + decoder.decode(read.subarray(at));
    // Holds back a CR, or an incomplete character, until the next piece is decoded.
    held = text.endsWith('\r') ? '\r' : '';
    const end = read.length - leftOverOf(read, encoding) - held.length;
    take(held === '' ? text : text.slice(0, -1), end);
  }
  take(held, body.length);
  if (decoder.decode() !== '') leftOver += 1;
  if (encoding === 'utf-8' && unreadable > 0 && (await isUtf8(body, pause))) unreadable = 0;
  else changed ||= unreadable > 0;
  const whole = body.length === bytes.length ? bytes : null;
  const read = changed ? await joined(pieces) : (whole ?? body.slice());
  return {
    bytes: read,
    // Another encoding may have the same bytes for this text.
    same: read.length === bytes.length && (!changed || isSame(read, bytes)),
    reading: {
      encoding,
      candidates,
      leftOver,
      unreadable,
      ends: { count, names: [...names] },
      keepsEnds,
    },
  };
}

/** A loop: a callback per byte would take 0.3 s for 50 MB. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at === a.length;
}

async function joined(pieces: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Whether the decoded text has too many control characters to be text. */
export function isBinary(text: string, encoding: string): boolean {
  const found = text.match(CONTROL) ?? [];
  const counted = encoding === 'utf-8' ? found.filter((one) => !CONTROL_OF_TEXT.has(one)) : found;
  return counted.length > MOST_CONTROLS * text.length;
}

/** Decodes UTF-8, with a pause after each piece; stops soon after `most` UTF-16 units. */
export async function textOfUtf8(
  bytes: Uint8Array,
  pause: Pause,
  most = Infinity,
): Promise<string> {
  // Keeps a byte order mark: the engine learns it as a character.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (let at = 0; at < bytes.length && text.length < most; at += PIECE) {
    if (at > 0) await pause();
    text += decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
  }
  return text.length < most ? text + decoder.decode() : text;
}

/** Whether all bytes are valid UTF-8; pauses after each piece. */
export async function isUtf8(bytes: Uint8Array, pause: Pause): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += PIECE) {
      if (at > 0) await pause();
      decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** Possible encodings, best first. */
async function findEncodings(bytes: Uint8Array, rank: Rank, pause: Pause): Promise<string[]> {
  const marked = MARKS.find(([, mark]) => startsWith(bytes, mark));
  if (marked !== undefined) return [marked[0]];
  const wide = wideEncodingOf(bytes.subarray(0, LOOKED_AT));
  if (wide !== null) return [wide];
  const body = bytes.subarray(0, bytes.length - leftOverOf(bytes, 'utf-8'));
  // A last letter in another encoding may look like the first byte of a cut UTF-8 character.
  const isLetter = bytes.length - body.length === 1 && !hasMultibyte(body);
  if (!isLetter && (await isUtf8(body, pause))) return ['utf-8'];
  const ranked = await rank(bytes);
  return isMostlyUtf8(bytes) ? ['utf-8', ...ranked] : [...ranked, 'utf-8'];
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

function hasMultibyte(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte > 127);
}

/** Whether most of the bytes beyond ASCII are valid UTF-8. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte > 127),
  );
  const text = new TextDecoder().decode(bytes.subarray(first, first + LOOKED_AT), { stream: true });
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return 2 * count(/\ufffd/g) < count(/[^\0-\x7f]/g);
}

/** Number of bytes of an incomplete character at the end. */
function leftOverOf(bytes: Uint8Array, encoding: string): number {
  if (encoding.startsWith('utf-16')) {
    const odd = bytes.length % 2;
    const high = bytes.at(encoding === 'utf-16le' ? -1 - odd : -2 - odd) ?? 0;
    // The first half of a surrogate pair.
    return high >> 2 === 0xd8 >> 2 ? odd + 2 : odd;
  }
  if (encoding.startsWith('utf-32')) return bytes.length % 4;
  if (encoding !== 'utf-8') return 0;
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes.at(-count)!;
    if (byte < 0x80 || byte > 0xf4) return 0;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > count ? count : 0;
  }
  return 0;
}

/**
 * Minimum share, in UTF-16 or UTF-32, of the two most frequent high bytes (alphabets) or of East
 * Asian characters.
 */
const MOSTLY = 0.75;
const EAST_ASIAN =
  /[\n\r -~\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-〿！-￮]/gu;

/** Detects UTF-16 and UTF-32 without a byte order mark; null if neither. */
function wideEncodingOf(start: Uint8Array): string | null {
  if (start.length < 4 || !start.some((byte) => byte < 7)) return null;
  const isAlphabet = (isHigh: (at: number) => boolean): boolean => {
    const counts = new Map<number, number>();
    let all = 0;
    for (let at = 0; at < start.length; at++) {
      if (!isHigh(at)) continue;
      all += 1;
      counts.set(start[at]!, (counts.get(start[at]!) ?? 0) + 1);
    }
    const [a = 0, b = 0] = [...counts.entries()]
      .filter(([value]) => value < 0x31)
      .map(([, count]) => count)
      .sort((one, other) => other - one);
    return a + b >= MOSTLY * all;
  };
  const orders = [
    ['utf-32le', (at: number) => at % 4 > 1],
    ['utf-32be', (at: number) => at % 4 < 2],
    ['utf-16le', (at: number) => at % 2 === 1],
    ['utf-16be', (at: number) => at % 2 === 0],
  ] as const;
  for (const [encoding, isHigh] of orders) {
    const text = decoderOf(encoding).decode(start.subarray(0, start.length & ~3 || 4));
    if (/(?![\t-\r\x85])\p{Cc}|[\ufffd\ufffe]/u.test(text)) continue;
    const eastAsian = (text.match(EAST_ASIAN) ?? []).join('').length;
    if (isAlphabet(isHigh) || (hasMultibyte(start) && eastAsian >= MOSTLY * text.length)) {
      return encoding;
    }
  }
  return null;
}
