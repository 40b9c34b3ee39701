/** The colours of losses, from a token that was certain, over guessing, to the strongest colour. */
import { TRACES } from '../../base/form.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { gainGradient, scaleGradient, strongestLoss } from '../../kit/loss-colour.ts';
import { colourScale } from '../../kit/weight-colour.ts';

export class LossScale {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #bar = el('div', { class: 'scale-bar' });
  readonly #name = el('span', {});
  readonly #start = el('span', { class: 'scale-tick at-start' });
  readonly #guess = el('span', { class: 'scale-tick' });
  readonly #end = el('span', { class: 'scale-tick at-end' });

  constructor(words: AllWords) {
    this.#words = words;
    this.#end.style.left = '100%';
    this.root = el(
      'div',
      { class: 'scale-row loss-scale' },
      this.#name,
      el('div', { class: 'scale' }, this.#bar, this.#start, this.#guess, this.#end),
    );
  }

  /** `guessing` is the loss of guessing; or of gains over a table, where both ends are. */
  show(guessing: number, isCompared: boolean, isDark: boolean): void {
    const { t, number } = this.#words;
    const strongest = strongestLoss(guessing);
    const loss = number(guessing, isCompared ? 1 : 2);
    setText(this.#name, t(isCompared ? 'tokens.scale.gain' : 'tokens.scale'));
    setText(this.#start, isCompared ? `−${loss}` : t('tokens.scale.sure'));
    setText(this.#guess, isCompared ? '0' : t('tokens.scale.guessing', { loss }));
    const end = t('tokens.scale.end', { loss: number(strongest, 1) });
    setText(this.#end, isCompared ? `+${loss}` : end);
    this.#guess.style.left = isCompared ? '50%' : `${String((100 * guessing) / strongest)}%`;
    const gradient =
      TRACES && isCompared ? gainGradient(isDark) : scaleGradient(colourScale(isDark));
    if (this.#bar.style.backgroundImage !== gradient) {
      this.#bar.style.backgroundImage = gradient;
    }
  }
}
