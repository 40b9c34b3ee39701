/**
 * What the model expected at every token of a text: each a cell whose colour is its loss, and what
 * is known of the chosen one in full.
 */
import { TRACES } from '../../base/form.ts';
import { sentences } from '../../i18n/index.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { disclosure, el, perFrame, setText } from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { ChosenToken } from './chosen-token.ts';
import { cappedText, LossFigures } from './loss-figures.ts';
import { LossScale } from './loss-scale.ts';
import { nameTokens } from './named-token.ts';
import { ScoredText } from './scored-text.ts';
import type { ScoredTextOptions } from './scored-text.ts';
import { TokenCells } from './token-cells.ts';
import { TokenPager } from './token-pager.ts';
import type { TokenPlace } from './token-place.ts';
import { tokenTable } from './token-table.ts';

export interface TokenLossesOptions extends ScoredTextOptions {
  readonly folds: Folds;
  readonly isDark: () => boolean;
  /** Whether a table is to be compared with. */
  readonly onCompare: (wanted: boolean) => void;
  /** To begin with and from then on. */
  readonly place: TokenPlace;
}

export interface TokenLossesData {
  /** Null until there is a model. */
  readonly tokens: readonly ScoredToken[] | null;
  readonly step: number;
  readonly meanLoss: number;
  readonly scored: number;
  readonly omitted: number;
  readonly cut: number;
  /** ln V: the loss of guessing. */
  readonly guessing: number;
  /** Null where this form of the page, or the run, has no table. */
  readonly compares: boolean | null;
  /** What a table loses on each token, in nats; empty where nothing is compared. */
  readonly byTable: readonly (number | null)[];
  /** How the two compare, in the reader's language. */
  readonly beside: string;
  /** What is wrong with the text, in the reader's language. */
  readonly error: string;
}

const NOTHING: TokenLossesData = {
  tokens: null,
  step: 0,
  meanLoss: NaN,
  scored: 0,
  omitted: 0,
  cut: 0,
  guessing: 1,
  compares: null,
  byTable: [],
  beside: '',
  error: '',
};

export class TokenLosses implements View<TokenLossesData> {
  readonly #container: HTMLElement;
  readonly #options: TokenLossesOptions;
  readonly #text: ScoredText;
  readonly #empty = el('p', { class: 'muted' });
  readonly #figures: LossFigures;
  readonly #stamp = el('span', { class: 'stamp' });
  readonly #capped = el('p', { class: 'note' });
  readonly #compares = el('input', { type: 'checkbox' });
  readonly #tick: HTMLElement;
  readonly #beside = el('p', { class: 'note', 'data-part': 'beside-table' });
  readonly #scale: LossScale;
  readonly #cells: TokenCells;
  readonly #pager: TokenPager;
  readonly #chosen: ChosenToken;
  readonly #tableBox: HTMLElement;
  readonly #fold: Disclosure;
  readonly #result: HTMLElement;
  readonly #draw = perFrame(() => this.#show());
  #data = NOTHING;
  /** What the picture was drawn from: while that stays, so does the picture. */
  #drawn: readonly unknown[] = [];

  /** Creates the view in `container`. */
  constructor(container: HTMLElement, options: TokenLossesOptions) {
    this.#container = container;
    this.#options = options;
    const { words, place, folds } = options;
    const title = words.t('tokens.table');
    container.append(el('p', { class: 'lead' }, words.t('tokens.lead')));
    this.#text = new ScoredText(container, options);
    this.#figures = new LossFigures(words);
    this.#scale = new LossScale(words);
    this.#cells = new TokenCells(words, place, (index) =>
      this.#moveTo((count) => place.choose(index, count)),
    );
    this.#pager = new TokenPager(words, place, (pages) =>
      this.#moveTo((count) => place.turn(pages, count)),
    );
    this.#chosen = new ChosenToken(words);
    this.#tableBox = el('div', {
      class: 'table-scroll',
      tabindex: 0,
      role: 'region',
      'aria-label': title,
    });
    this.#fold = folds.keep(
      'tokens.table',
      disclosure('data', title, () => this.#draw.request(), this.#tableBox),
    );
    this.#compares.addEventListener('change', () => options.onCompare(this.#compares.checked));
    const compare = TRACES ? words.t('tokens.compare') : '';
    this.#tick = el('label', { class: 'tick' }, this.#compares, el('span', {}, compare));
    const head = el('div', { class: 'head-row' }, this.#figures.root, this.#stamp);
    const main = el('div', { class: 'token-main' }, head, this.#capped, this.#tick);
    main.append(
      this.#beside,
      this.#scale.root,
      this.#cells.root,
      this.#pager.root,
      this.#cells.hint,
      this.#fold.root,
    );
    this.#result = el('div', { class: 'token-result' }, main, this.#chosen.root);
    container.append(this.#empty, this.#result);
    this.#show();
  }

  update(next: TokenLossesData): void {
    const isMistake = next.tokens === null && next.error !== '';
    this.#data = isMistake ? { ...this.#data, error: next.error } : next;
    this.#draw.request();
  }

  /** Shows another text in the field. */
  setField(text: string): void {
    this.#text.set(text);
  }

  resize(): void {
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#container.replaceChildren();
  }

  /** Looks at another place of the text, and shows it at once. */
  #moveTo(move: (count: number) => void): void {
    const count = this.#data.tokens?.length ?? 0;
    if (count === 0) return;
    move(count);
    this.#show();
  }

  #show(): void {
    const { tokens, error, compares, byTable, beside } = this.#data;
    const { t } = this.#options.words;
    this.#text.tell(this.#note(), error !== '');
    this.#empty.hidden = tokens !== null || error !== '';
    setText(this.#empty, t(this.#text.isBlank() ? 'tokens.blank' : 'tokens.empty'));
    this.#result.hidden = tokens === null;
    this.#tick.hidden = compares === null;
    this.#compares.checked = compares === true;
    this.#beside.hidden = beside === '';
    setText(this.#beside, beside);
    if (tokens === null) return;
    const { place, isDark } = this.#options;
    place.settle(tokens);
    const state = [tokens, byTable, place.chosen, place.page, isDark(), this.#fold.isOpen()];
    if (state.every((value, index) => value === this.#drawn[index])) return;
    this.#drawn = state;
    this.#showTokens(tokens);
  }

  /** What is wrong with the text, or what of it is left out. */
  #note(): string {
    const { tokens, omitted, cut, error } = this.#data;
    const { words } = this.#options;
    const { t } = words;
    // A slip of the finger does not blank what was there; whose tokens these are is said.
    if (error !== '') return sentences([error, tokens === null ? '' : t('tokens.before')], words);
    const parts = [
      omitted > 0 ? t('tokens.omitted', { count: omitted }) : '',
      cut > 0 ? t('tokens.cut', { count: cut }) : '',
    ];
    return sentences(parts, words);
  }

  #showTokens(tokens: readonly ScoredToken[]): void {
    const { words, place } = this.#options;
    const { meanLoss, scored, step, guessing, byTable } = this.#data;
    const isDark = this.#options.isDark();
    const named = nameTokens(tokens, byTable, words);
    const shown = place.onPage(named);
    const capped = cappedText(tokens, words);
    this.#figures.show(tokens, meanLoss, scored);
    this.#capped.hidden = capped === '';
    setText(this.#capped, capped);
    setText(this.#stamp, words.t('tokens.step', { step: words.number(step) }));
    this.#scale.show(guessing, byTable.length > 0, isDark);
    this.#cells.show(named, guessing, isDark);
    this.#chosen.show(named, place.chosen, guessing);
    this.#pager.show(shown.length, tokens.length);
    if (this.#fold.isOpen()) this.#tableBox.replaceChildren(tokenTable(shown, words));
  }
}
