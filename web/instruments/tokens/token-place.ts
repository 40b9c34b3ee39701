/** The chosen token of a text. The shown page of tokens contains it. */
import { signal } from '@preact/signals';
import type { ScoredToken } from '../../data/token-data.ts';

/** Tokens per page. */
const PAGE = 160;

export class TokenPlace {
  /** Index of the chosen token; -1 for the token with the greatest loss on the first page. */
  readonly chosen = signal(-1);

  /** Index of the chosen token in `tokens`, which may belong to another text than the choice. */
  in(tokens: readonly ScoredToken[]): number {
    const chosen = this.chosen.value;
    return chosen < 0 || chosen >= tokens.length ? strangest(tokens.slice(0, PAGE)) : chosen;
  }
}

/** A page of a list of tokens. */
export interface TokenPage {
  /** Index of the page's first token, and the index after its last token. */
  readonly start: number;
  readonly end: number;
}

/** The page with the token at `index` of `count`. */
export function pageOf(index: number, count: number): TokenPage {
  const start = index - (index % PAGE);
  return { start, end: Math.min(count, start + PAGE) };
}

/** Index of the token with the greatest loss. */
function strangest(tokens: readonly ScoredToken[]): number {
  let best = 0;
  for (const [index, { score }] of tokens.entries()) {
    if ((score?.loss ?? -1) > (tokens[best]?.score?.loss ?? -1)) best = index;
  }
  return best;
}
