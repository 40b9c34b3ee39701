/** What to do about a run that ended badly or too soon to be watched, with the button that does it. */
import type { Words } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';

/** A run at a slower speed. */
export interface SlowerRun {
  /** Steps a second. */
  readonly pace: number;
  /** It ended before anybody could watch it; otherwise there is only room kept to say so. */
  readonly wanted: boolean;
}

export interface Advised {
  /** The first run, at a speed at which it can be watched; null where that is not to be offered. */
  readonly slower: SlowerRun | null;
  /**
   * The learning rate of a run that ended worse than guessing, above its preset's; null for any
   * other.
   */
  readonly largeRate: { readonly rate: number; readonly usual: number } | null;
}

export class LossAdvice {
  readonly root: HTMLElement;
  readonly #words: Words;
  readonly #spoken: HTMLElement;
  readonly #text = el('span', {});
  readonly #button = el('button', { type: 'button', class: 'link' });
  #said = '';

  /** `spoken` says it aloud. */
  constructor(words: Words, spoken: HTMLElement, onPress: () => void) {
    this.#words = words;
    this.#spoken = spoken;
    this.#button.addEventListener('click', onPress);
    const attributes = { class: 'note', 'data-part': 'loss-advice' };
    this.root = el('p', attributes, this.#text, ' ', this.#button);
  }

  /**
   * Has room from the start: nothing moves down when it is said. Said aloud once, when it comes.
   */
  update({ slower, largeRate }: Advised): void {
    const wanted = largeRate !== null || slower?.wanted === true;
    this.root.hidden = largeRate === null && slower === null;
    this.root.style.visibility = wanted ? '' : 'hidden';
    this.#write({ slower, largeRate });
    const said = wanted ? this.#text.textContent : '';
    if (said === this.#said) return;
    if (said !== '' || this.#spoken.textContent === this.#said) setText(this.#spoken, said);
    this.#said = said;
  }

  #write({ slower, largeRate }: Advised): void {
    const { t, short } = this.#words;
    if (largeRate !== null) {
      const { rate, usual } = largeRate;
      setText(this.#text, t('runs.good.rate', { rate: short(rate), usual: short(usual) }));
      setText(this.#button, t('run.gentler'));
    } else if (slower !== null) {
      setText(this.#text, t('loss.slower'));
      setText(this.#button, t('loss.slower.again', { pace: slower.pace }));
    }
  }
}
