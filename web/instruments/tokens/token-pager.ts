/** Turns the pages of a text that has more tokens than are shown at once. */
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { pagesOf } from './token-place.ts';
import type { TokenPlace } from './token-place.ts';

export class TokenPager {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #place: TokenPlace;
  readonly #back: HTMLButtonElement;
  readonly #on: HTMLButtonElement;
  readonly #text = el('span', { class: 'stamp' });

  constructor(words: AllWords, place: TokenPlace, turn: (pages: number) => void) {
    this.#words = words;
    this.#place = place;
    const { t } = words;
    this.#back = el('button', { type: 'button', class: 'secondary small' }, t('tokens.page.back'));
    this.#on = el('button', { type: 'button', class: 'secondary small' }, t('tokens.page.on'));
    this.#back.addEventListener('click', () => turn(-1));
    this.#on.addEventListener('click', () => turn(1));
    this.root = el('div', { class: 'pager' }, this.#back, this.#text, this.#on);
  }

  /** Of `count` tokens, `shown` are on the page. */
  show(shown: number, count: number): void {
    const { t, number } = this.#words;
    const { page, first } = this.#place;
    this.root.hidden = pagesOf(count) < 2;
    this.#back.disabled = page === 0;
    this.#on.disabled = page >= pagesOf(count) - 1;
    const ends = { first: number(first + 1), last: number(first + shown) };
    setText(this.#text, t('tokens.page', { ...ends, count: number(count) }));
  }
}
