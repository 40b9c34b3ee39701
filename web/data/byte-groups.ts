/**
 * Which tokens of a row belong together because only all of them are a character: a byte vocabulary
 * writes 猫 with three. Each keeps its own place and its own bytes; the character is named beside
 * them.
 */
import type { AttentionToken } from './attention-data.ts';

/** Tokens from `start` up to, not including, `end`. */
export interface TokenGroup {
  readonly start: number;
  readonly end: number;
  /** What they are together; empty for a single token, and for bytes that never become whole. */
  readonly text: string;
}

/** Splits `tokens` into groups, in order, without leaving any out. */
export function groupBytes(tokens: readonly AttentionToken[]): TokenGroup[] {
  const groups: TokenGroup[] = [];
  let start = 0;
  let hex = '';
  const close = (end: number, text: string): void => {
    if (end > start) groups.push({ start, end, text });
    start = end;
    hex = '';
  };
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'bytes') {
      close(index, '');
      close(index + 1, '');
      continue;
    }
    let decoded = decode(hex + token.hex);
    if (decoded === null) {
      // What came before stays unfinished; this may begin another character.
      close(index, '');
      decoded = decode(token.hex);
    }
    hex += token.hex;
    if (decoded === null) close(index + 1, '');
    else if (decoded.whole) close(index + 1, decoded.text);
  }
  close(tokens.length, '');
  return groups;
}

/** The text that `tokens` are of; the beginning is none of it. */
export function textOf(tokens: readonly AttentionToken[]): string {
  const encoder = new TextEncoder();
  const bytes = tokens.flatMap(({ kind, hex, text }): Iterable<number>[] =>
    kind === 'bytes' ? [bytesOf(hex)] : kind === 'text' ? [encoder.encode(text)] : [],
  );
  return new TextDecoder().decode(Uint8Array.from(bytes.flatMap((some) => [...some])));
}

/** How many characters begin in these bytes: all bytes but those that go on with one. */
export function charactersIn(hex: string): number {
  return bytesOf(hex).reduce((count, byte) => count + ((byte & 0xc0) === 0x80 ? 0 : 1), 0);
}

/** The text of valid UTF-8 and whether it ends with a whole character; null for all else. */
function decode(hex: string): { text: string; whole: boolean } | null {
  const bytes = bytesOf(hex);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(bytes, { stream: true });
    try {
      decoder.decode();
      return { text, whole: true };
    } catch {
      return { text, whole: false };
    }
  } catch {
    return null;
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
