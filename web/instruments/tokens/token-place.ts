/** Which token of a text is looked at, and on which page of its tokens. */
import type { ScoredToken } from '../../data/token-data.ts';

/** Tokens that are shown at once; longer texts have pages. */
const PAGE = 160;

export class TokenPlace {
  /** The chosen token; -1 for the one that surprised the model most. */
  chosen = -1;
  page = 0;

  /** Index of the first token of the page. */
  get first(): number {
    return this.page * PAGE;
  }

  /** Chooses the token at `index`, or the nearest of `count` tokens, and turns to its page. */
  choose(index: number, count: number): void {
    this.chosen = Math.min(count - 1, Math.max(0, index));
    this.page = Math.floor(this.chosen / PAGE);
  }

  /** Chooses the first token of the page that is `pages` further on. */
  turn(pages: number, count: number): void {
    this.choose((this.page + pages) * PAGE, count);
  }

  /** Comes to lie in `tokens`, which may be another text. */
  settle(tokens: readonly ScoredToken[]): void {
    if (this.chosen < 0 || this.chosen >= tokens.length) this.chosen = strangest(tokens);
    this.page = Math.min(this.page, Math.max(0, pagesOf(tokens.length) - 1));
  }

  /** The part of a list of all tokens that is on the page. */
  onPage<One>(all: readonly One[]): One[] {
    return all.slice(this.first, this.first + PAGE);
  }
}

/** How many pages `count` tokens take. */
export function pagesOf(count: number): number {
  return Math.ceil(count / PAGE);
}

/** The token with the greatest loss: where there is most to see. */
function strangest(tokens: readonly ScoredToken[]): number {
  let best = 0;
  for (const [index, { score }] of tokens.entries()) {
    if ((score?.loss ?? -1) > (tokens[best]?.score?.loss ?? -1)) best = index;
  }
  return best;
}
