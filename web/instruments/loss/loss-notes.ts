/**
 * The notes below the curve: what to do about a run that ended badly, with the button for it;
 * learning by heart; a missing validation loss; and odd losses.
 */
import type { Words } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { termButton } from '../../kit/term.ts';
import { unitFactor } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';
import { lossNotes, memorisingSince } from '../../store/training/loss-reading.ts';

export interface NotedData extends LossData {
  /** Why there is no validation loss although there was to be one; empty where that is not so. */
  readonly unheld: string;
  /**
   * The learning rate of a run that ended worse than guessing, above its preset's; null for any
   * other.
   */
  readonly largeRate: { readonly rate: number; readonly usual: number } | null;
}

export class LossNotes {
  readonly roots: readonly HTMLElement[];
  readonly #words: Words;
  readonly #spoken: HTMLElement;
  readonly #advice = el('span', {});
  readonly #button = el('button', { type: 'button', class: 'link' });
  readonly #adviceLine = note('advice', this.#advice, ' ', this.#button);
  /** What was advised aloud last. */
  #advised = '';
  readonly #risen = el('span', {});
  readonly #memorising: HTMLElement;
  readonly #unheld = note('unheld');
  readonly #notes = note('notes');

  /**
   * `spoken` says advice aloud, and stands among the notes; `onAdvice`: it is to be followed;
   * `onCompare`: text that the model never saw is to be compared; null where that cannot be.
   */
  constructor(
    words: Words,
    spoken: HTMLElement,
    onAdvice: () => void,
    onCompare: (() => void) | null,
  ) {
    this.#words = words;
    this.#spoken = spoken;
    this.#button.textContent = words.t('run.gentler');
    this.#button.addEventListener('click', onAdvice);
    // What the rising curve is called can be looked up there.
    const more = termButton('memorising', words.t('glossary.more'));
    const compare = el(
      'button',
      { type: 'button', class: 'link' },
      words.t('loss.memorising.compare'),
    );
    compare.hidden = onCompare === null;
    compare.addEventListener('click', () => onCompare?.());
    this.#memorising = note('memorising', this.#risen, ' ', compare, ' ', more);
    this.#memorising.hidden = true;
    this.roots = [this.#adviceLine, spoken, this.#memorising, this.#unheld, this.#notes];
  }

  update(data: NotedData, look: LossState): void {
    this.#showAdvice(data);
    this.#showMemorising(data, look);
    setNote(this.#unheld, data.unheld);
    setNote(this.#notes, lossNotes(data, look, this.#words));
  }

  /** Said aloud once, when it comes. */
  #showAdvice({ largeRate }: NotedData): void {
    const { t, short } = this.#words;
    this.#adviceLine.hidden = largeRate === null;
    const rates = largeRate && { rate: short(largeRate.rate), usual: short(largeRate.usual) };
    const said = rates === null ? '' : t('runs.good.rate', rates);
    setText(this.#advice, said);
    if (said === this.#advised) return;
    if (said !== '' || this.#spoken.textContent === this.#advised) setText(this.#spoken, said);
    this.#advised = said;
  }

  #showMemorising({ history, tokensPerCharacter }: LossData, look: LossState): void {
    const { t, number } = this.#words;
    const best = memorisingSince(history);
    this.#memorising.hidden = best === null;
    if (best === null) return;
    const loss = best.loss * unitFactor(look, tokensPerCharacter.validation);
    setText(this.#risen, t('loss.memorising', { loss: number(loss, 2), step: number(best.step) }));
  }
}

function note(part: string, ...children: (Node | string)[]): HTMLElement {
  return el('p', { class: 'note', 'data-part': `loss-${part}` }, ...children);
}

/** A note without text is hidden. */
function setNote(element: HTMLElement, text: string): void {
  setText(element, text);
  element.hidden = text === '';
}
