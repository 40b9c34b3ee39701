/** Which token of a text is looked at; the page of its tokens is the one with that token. */
import { signal } from '@preact/signals';
import type { ScoredToken } from '../../data/token-data.ts';

/** Tokens that are shown at once; longer texts have pages. */
const PAGE = 160;

export class TokenPlace {
  /** Index of the chosen token; -1 for the one of the first page that surprised the model most. */
  readonly chosen = signal(-1);

  /** The index of the chosen token of `tokens`, which may be another text. */
  in(tokens: readonly ScoredToken[]): number {
    const chosen = this.chosen.value;
    return chosen < 0 || chosen >= tokens.length ? strangest(tokens.slice(0, PAGE)) : chosen;
  }
}

/** A page of a list of tokens. */
export interface TokenPage {
  /** Index of its first token, and the index after its last one. */
  readonly start: number;
  readonly end: number;
}

/** The page with the token at `index` of `count`. */
export function pageOf(index: number, count: number): TokenPage {
  const start = index - (index % PAGE);
  return { start, end: Math.min(count, start + PAGE) };
}

/** The token with the greatest loss: where there is most to see. */
function strangest(tokens: readonly ScoredToken[]): number {
  let best = 0;
  for (const [index, { score }] of tokens.entries()) {
    if ((score?.loss ?? -1) > (tokens[best]?.score?.loss ?? -1)) best = index;
  }
  return best;
}
