/**
 * Groups neighbouring byte tokens that form whole characters only together: a byte vocabulary needs
 * three tokens for 猫. Each token keeps its own position and bytes; views show the character beside
 * them.
 */
import type { AttentionToken } from './attention-data.ts';

/** Tokens from `start` up to but not including `end`. */
export interface TokenGroup {
  readonly start: number;
  readonly end: number;
  /**
   * The character, or several if a token has bytes of two; empty for a single token, and for bytes
   * that form no complete character.
   */
  readonly text: string;
}

/** Splits all `tokens` into groups, in order. */
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
      // The previous bytes never form a character; this token may start another one.
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

/** The text of `tokens`; BOS adds nothing. */
export function textOf(tokens: readonly AttentionToken[]): string {
  const encoder = new TextEncoder();
  const bytes = tokens.flatMap(({ kind, hex, text }): Iterable<number>[] =>
    kind === 'bytes' ? [bytesOf(hex)] : kind === 'text' ? [encoder.encode(text)] : [],
  );
  return new TextDecoder().decode(Uint8Array.from(bytes.flatMap((some) => [...some])));
}

/** Number of characters that start in `hex`: bytes that are no UTF-8 continuation bytes. */
export function charactersIn(hex: string): number {
  return bytesOf(hex).reduce((count, byte) => count + ((byte & 0xc0) === 0x80 ? 0 : 1), 0);
}

/** Decodes UTF-8; `whole` is false if the last character is incomplete. Null for invalid bytes. */
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
