/** The colours of losses, from a token that was certain, over guessing, to the strongest colour. */
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { scaleGradient, strongestLoss } from '../../kit/loss-colour.ts';
import { colourScale } from '../../kit/weight-colour.ts';

export class LossScale {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #bar = el('div', { class: 'scale-bar' });
  readonly #guess = el('span', { class: 'scale-tick' });
  readonly #end = el('span', { class: 'scale-tick at-end' });

  constructor(words: AllWords) {
    this.#words = words;
    const { t } = words;
    const zero = el('span', { class: 'scale-tick at-start' }, t('tokens.scale.sure'));
    this.#end.style.left = '100%';
    this.root = el(
      'div',
      { class: 'scale-row loss-scale' },
      el('span', {}, t('tokens.scale')),
      el('div', { class: 'scale' }, this.#bar, zero, this.#guess, this.#end),
    );
  }

  /** `guessing` is the loss of guessing. */
  show(guessing: number, isDark: boolean): void {
    const { t, number } = this.#words;
    const strongest = strongestLoss(guessing);
    setText(this.#guess, t('tokens.scale.guessing', { loss: number(guessing, 2) }));
    setText(this.#end, t('tokens.scale.end', { loss: number(strongest, 1) }));
    this.#guess.style.left = `${String((100 * guessing) / strongest)}%`;
    const gradient = scaleGradient(colourScale(isDark));
    if (this.#bar.style.backgroundImage !== gradient) {
      this.#bar.style.backgroundImage = gradient;
    }
  }
}
