/**
 * How much of its text the model continues word for word: figures of the newest step that was
 * looked at, a choice to draw all of them below the loss curve, and a table of them.
 */
import type { Memorised } from '../../data/loss-history.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { disclosure, el, setText, table } from '../../kit/dom.ts';
import type { Disclosure } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import type { SharesMark } from '../../kit/layers.ts';

export interface MemorisedData {
  /** In the order of their steps. */
  readonly points: readonly Memorised[];
  /** How many prompts of either part of the text there are, and the most tokens of one. */
  readonly prompts: { readonly train: number; readonly heldOut: number; readonly tokens: number };
  /** Whether sequences are lines. */
  readonly documents: boolean;
  /** Whether they are drawn below the loss curve. */
  readonly drawn: boolean;
}

export class MemorisedPart {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #drawn = el('input', { type: 'checkbox' });
  readonly #said = el('p', { 'data-part': 'memorised-said' });
  readonly #prompt = el('p', { class: 'note' });
  readonly #tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  readonly #table: Disclosure;
  #data: MemorisedData | null = null;
  /** The last point in the table. */
  #shown: Memorised | null = null;

  constructor(words: AllWords, folds: Folds, onDrawn: (drawn: boolean) => void) {
    const { t } = words;
    this.#words = words;
    this.#drawn.addEventListener('change', () => {
      onDrawn(this.#drawn.checked);
    });
    const title = t('memorised.table');
    this.#tableBox.setAttribute('aria-label', title);
    const fold = disclosure('data', title, () => this.#showTable(), this.#tableBox);
    this.#table = folds.keep('memorised.table', fold);
    this.root = el(
      'div',
      { class: 'memorised' },
      el('h3', {}, t('memorised.title')),
      this.#said,
      this.#prompt,
      el('label', { class: 'tick' }, this.#drawn, el('span', {}, t('memorised.draw'))),
      this.#table.root,
    );
  }

  /** Null without a run. */
  update(data: MemorisedData | null): void {
    this.#data = data;
    this.root.hidden = data === null || data.points.length === 0;
    if (data === null || this.root.hidden) return;
    const { t } = this.#words;
    const { tokens } = data.prompts;
    this.#drawn.checked = data.drawn;
    setText(this.#said, memorisedText(data, this.#words));
    setText(this.#prompt, t(data.documents ? 'memorised.lines' : 'memorised.stream', { tokens }));
    this.#showTable();
  }

  #showTable(): void {
    const { t, number } = this.#words;
    if (this.#data === null || !this.#table.isOpen()) return;
    const { points, prompts } = this.#data;
    // Points are only added, or others: a reader may have scrolled, or selected a figure.
    const shown = points.at(-1) ?? null;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const heads = [t('loss.col.steps'), t('memorised.train')];
    if (prompts.heldOut > 0) heads.push(t('memorised.held-out'));
    const rows = points.map(({ step, train, heldOut }) =>
      [number(step), percent(train, this.#words), percent(heldOut, this.#words)].slice(
        0,
        heads.length,
      ),
    );
    this.#tableBox.replaceChildren(table(t('memorised.caption'), heads, rows));
  }
}

/** The newest figures; empty before there are any. */
export function memorisedText(
  { points, prompts }: Pick<MemorisedData, 'points' | 'prompts'>,
  words: AllWords,
): string {
  const { t, number } = words;
  const last = points.at(-1);
  if (last === undefined) return '';
  const train = { share: percent(last.train, words), count: prompts.train };
  const heldOut = { share: percent(last.heldOut, words), count: prompts.heldOut };
  const said = [t('memorised.said', { step: number(last.step), ...train })];
  if (prompts.heldOut > 0) said.push(t('memorised.said.held-out', heldOut));
  return sentences(said, words);
}

/** The curves, to be drawn below the losses. */
export function memorisedMark(points: readonly Memorised[], { t }: AllWords): SharesMark {
  const isHeldOut = points.some(({ heldOut }) => Number.isFinite(heldOut));
  return {
    title: t(isHeldOut ? 'memorised.chart' : 'memorised.chart.train'),
    shares: points.map(({ step, train, heldOut }) => ({ step, full: train, dashed: heldOut })),
  };
}

const percent = (share: number, { number }: AllWords): string =>
  Number.isFinite(share) ? `${number(Math.round(100 * share))}%` : '–';
