/** The notes below the curve: learning by heart, a missing validation loss, and odd losses. */
import type { Words } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { termButton } from '../../kit/term.ts';
import { unitFactor } from '../../data/loss-data.ts';
import type { LossData, LossLook } from '../../data/loss-data.ts';
import { lossNotes, memorisingSince } from '../../store/training/loss-reading.ts';

export class LossNotes {
  readonly #words: Words;
  readonly #risen = el('span', {});
  readonly #memorising = el('p', { class: 'note', 'data-part': 'loss-memorising', hidden: true });
  readonly #unheld = el('p', { class: 'note', 'data-part': 'loss-unheld' });
  readonly #notes = el('p', { class: 'note', 'data-part': 'loss-notes' });

  constructor(words: Words) {
    this.#words = words;
    // What the rising curve is called can be looked up there.
    const more = termButton('memorising', words.t('glossary.more'));
    this.#memorising.append(this.#risen, ' ', more);
  }

  get roots(): readonly HTMLElement[] {
    return [this.#memorising, this.#unheld, this.#notes];
  }

  /** `unheld`: why there is no validation loss although there was to be one; or empty. */
  update(data: LossData, look: LossLook, unheld: string): void {
    this.#showMemorising(data, look);
    show(this.#unheld, unheld);
    show(this.#notes, lossNotes(data, look, this.#words));
  }

  #showMemorising({ history, tokensPerCharacter }: LossData, look: LossLook): void {
    const { t, number } = this.#words;
    const best = memorisingSince(history);
    this.#memorising.hidden = best === null;
    if (best === null) return;
    const loss = best.loss * unitFactor(look, tokensPerCharacter.validation);
    setText(this.#risen, t('loss.memorising', { loss: number(loss, 2), step: number(best.step) }));
  }
}

/** A note without text is hidden. */
function show(note: HTMLElement, text: string): void {
  setText(note, text);
  note.hidden = text === '';
}
