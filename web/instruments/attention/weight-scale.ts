/** The scale below a map of weights: every colour with the weight that it stands for. */
import type { Words } from '../../i18n/index.ts';
import { el } from '../../kit/dom.ts';
import {
  colourScale,
  cssColour,
  placeOfWeight,
  WEIGHT_TICKS,
  weightAt,
} from '../../kit/weight-colour.ts';

/** Colours that the bar runs through. */
const STOPS = 13;

export class WeightScale {
  readonly root: HTMLElement;
  readonly #bar = el('span', { class: 'scale-bar', 'aria-hidden': 'true' });
  readonly #isDark: () => boolean;

  constructor(words: Words, isDark: () => boolean) {
    this.#isDark = isDark;
    const ticks = WEIGHT_TICKS.map((weight) => {
      const tick = el('span', { class: 'scale-tick' }, words.short(weight));
      tick.style.left = `${String(100 * placeOfWeight(weight))}%`;
      return tick;
    });
    const scale = el('span', { class: 'scale' }, this.#bar, ...ticks);
    this.root = el(
      'div',
      { class: 'scale-row' },
      el('span', {}, words.t('attention.scale')),
      scale,
    );
    this.paint();
  }

  /** Paints the bar in the colours of the theme. */
  paint(): void {
    const colours = Array.from({ length: STOPS }, (_, index) =>
      cssColour(colourScale(this.#isDark()), weightAt(index / (STOPS - 1))),
    );
    this.#bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
  }
}
