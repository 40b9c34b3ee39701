/** What each token of a text costs at A and at B: coloured by the difference, and as a table. */
import type { AllWords } from '../../i18n/index.ts';
import { axisLabel } from '../../data/attention-data.ts';
import { comingLabel } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { disclosure, el, perFrame, setText, table } from '../../kit/dom.ts';
import type { Disclosure } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { gainColour } from '../../kit/loss-colour.ts';
import { signed } from './change-map.ts';
import type { Moment } from './compared.ts';

export interface TokenChangesData {
  readonly a: Moment;
  readonly b: Moment;
  /** The loss of guessing, which has the strongest colour. */
  readonly guessing: number;
}

/** A token with its loss at A and at B; null where nothing comes before it. */
interface TokenChange {
  readonly label: string;
  readonly losses: readonly [number, number] | null;
}

export class TokenChanges {
  readonly root = el('section');
  readonly #words: AllWords;
  readonly #isDark: () => boolean;
  readonly #mean = el('p', { 'data-part': 'moments-mean' });
  // For eyes alone: the table says the same.
  readonly #cells = el('div', { class: 'moments-tokens', translate: 'no', 'aria-hidden': 'true' });
  readonly #tableBox: HTMLElement;
  readonly #details: Disclosure;
  readonly #draw = perFrame(() => {
    this.#show();
  });
  #data: TokenChangesData | null = null;

  constructor(words: AllWords, folds: Folds, isDark: () => boolean) {
    const { t } = words;
    this.#words = words;
    this.#isDark = isDark;
    this.#tableBox = el('div', {
      class: 'table-scroll',
      tabindex: '0',
      role: 'region',
      translate: 'no',
      'aria-label': t('moments.losses.table'),
    });
    this.#details = folds.keep(
      'moments.losses',
      disclosure('data', t('moments.losses.table'), this.#draw.request, this.#tableBox),
    );
    this.root.append(
      el('h3', {}, t('moments.losses')),
      this.#mean,
      this.#cells,
      el('p', { class: 'note' }, t('moments.losses.key')),
      this.#details.root,
    );
  }

  update(data: TokenChangesData | null): void {
    this.#data = data;
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
  }

  #show(): void {
    const data = this.#data;
    this.root.hidden = data === null;
    if (data === null) return;
    const { t, number } = this.#words;
    const [before, after] = [data.a.meanLoss, data.b.meanLoss];
    const values = { before: number(before, 2), after: number(after, 2) };
    setText(this.#mean, Number.isNaN(before) ? '' : t('moments.losses.mean', values));
    const changes = changesOf(data);
    this.#cells.replaceChildren(...changes.map((one) => this.#cell(one, data.guessing)));
    if (!this.#details.isOpen()) return;
    const rows = changes.map(({ label, losses }) => [
      label,
      ...(losses === null
        ? ['–', '–', '–']
        : [number(losses[0], 2), number(losses[1], 2), this.#difference(losses, 2)]),
    ]);
    const heads = [t('moments.losses.token'), 'A', 'B', t('moments.change')];
    this.#tableBox.replaceChildren(table(t('moments.losses.table'), heads, rows));
  }

  #cell({ label, losses }: TokenChange, guessing: number): HTMLElement {
    const cell = el(
      'span',
      { class: 'moments-token' },
      el('span', { class: 'glyph' }, label),
      el('span', { class: 'cell-loss' }, losses === null ? '·' : this.#difference(losses, 1)),
    );
    if (losses === null) return cell;
    const { background, ink } = gainColour(losses[0] - losses[1], guessing, this.#isDark());
    cell.style.backgroundColor = background;
    cell.style.color = ink;
    return cell;
  }

  /** B minus A. */
  #difference([before, after]: readonly [number, number], digits: number): string {
    const size = this.#words.number(Math.abs(after - before), digits);
    return signed(size, Number(size) === 0 ? 0 : after - before);
  }
}

function changesOf({ a, b }: TokenChangesData): TokenChange[] {
  return b.tokens.map(({ token, score }: ScoredToken, index) => {
    const before = a.tokens[index]?.score ?? null;
    const isScored = score !== null && before !== null;
    return {
      label: score === null ? axisLabel(token) : comingLabel(token),
      losses: isScored ? [before.loss, score.loss] : null,
    };
  });
}
