/** The slider that looks back at earlier steps of the run. */
import type { Words } from '../../i18n/index.ts';
import type { AttentionData } from '../../data/attention-data.ts';
import { el, freshId, range, setAttribute, setText } from '../../kit/dom.ts';

export interface LookBackData {
  readonly attention: AttentionData | null;
  /**
   * The probes of this run on this text that can be looked back at, in order; the last is
   * `attention`.
   */
  readonly history: readonly AttentionData[];
  /** The step that is looked back at, as far as the history has it; null follows the run. */
  readonly lookBack: number | null;
}

/** The probe that is shown: the newest, or the one that is looked back at. */
export function shownProbe({ attention, history, lookBack }: LookBackData): AttentionData | null {
  if (lookBack === null) return attention;
  // When the history was thinned out, the nearest before it; of another text it may have none.
  return history.filter((entry) => entry.step <= lookBack).at(-1) ?? attention;
}

export class LookBack {
  /** From top to bottom. */
  readonly parts: readonly HTMLElement[];
  readonly #words: Words;
  readonly #slider: HTMLInputElement;
  readonly #row: HTMLElement;
  readonly #stamp = el('span', { class: 'stamp' });
  readonly #note = el('p', { id: freshId('look-back-note'), class: 'note' });
  #history: readonly AttentionData[] = [];

  /** `onLookAt` takes the step to look back at; null for the newest. */
  constructor(words: Words, onLookAt: (step: number | null) => void) {
    this.#words = words;
    const id = freshId('look-back');
    this.#slider = range({ id, min: 0, max: 0, value: 0, 'aria-describedby': this.#note.id });
    const label = el('label', { for: id }, words.t('attention.back'));
    this.#row = el('div', { class: 'look-back' }, label, this.#slider, this.#stamp);
    this.parts = [this.#row, this.#note];
    this.#slider.addEventListener('input', () => {
      const index = Number(this.#slider.value);
      const isLast = index >= this.#history.length - 1;
      onLookAt(isLast ? null : (this.#history[index]?.step ?? null));
    });
  }

  update(data: LookBackData): void {
    const { history } = data;
    this.#history = history;
    const shown = shownProbe(data);
    this.#row.hidden = shown === null;
    this.#note.hidden = shown === null;
    setText(this.#note, this.#about(data));
    this.#slider.disabled = history.length < 2;
    setAttribute(this.#slider, 'max', String(Math.max(0, history.length - 1)));
    const at = shown === null ? -1 : history.indexOf(shown);
    this.#slider.value = String(at < 0 ? history.length - 1 : at);
    const { number, t } = this.#words;
    const step = t('attention.step', { step: number(shown?.step ?? 0) });
    setText(this.#stamp, step);
    setAttribute(this.#slider, 'aria-valuetext', step);
  }

  /**
   * How one looks back, or why one can look back no further: a line in any case, so that nothing
   * moves.
   */
  #about({ attention, history }: LookBackData): string {
    const { number, t } = this.#words;
    const from = history[0]?.step ?? 0;
    const isBefore = attention === null || (attention.step === 0 && from === 0);
    if (isBefore) return t('attention.back.before');
    const step = number(from);
    if (history.length < 2) return t('attention.back.none', { step });
    return from === 0 ? t('attention.back.how') : t('attention.back.from', { step });
  }
}
