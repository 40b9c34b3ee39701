/** What the lines of the curve are called, and in which unit their losses are. */
import type { Words } from '../../i18n/index.ts';
import { el } from '../../kit/dom.ts';
import { termButton } from '../../kit/term.ts';
import { randomKey, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossLine, LossLook } from '../../data/loss-data.ts';
import { lineSample } from './earlier-list.ts';

const UNITS = ['nats', 'bits'] as const;

export class LossLegend {
  readonly root = el('ul', { class: 'legend' });
  readonly #words: Words;
  readonly #train: HTMLElement;
  readonly #smoothed: HTMLElement;
  readonly #validation: HTMLElement;
  readonly #earlier = el('li', { class: 'key-earlier' });
  #earlierShown = '';
  readonly #units: readonly {
    readonly unit: LossLook['unit'];
    readonly button: HTMLElement;
    readonly random: HTMLElement;
  }[];

  constructor(words: Words) {
    const { t } = words;
    this.#words = words;
    this.#train = entry('train', t('loss.train'));
    this.#smoothed = entry('smoothed', termButton('smoothed_loss', t('loss.smoothed')));
    this.#validation = entry('validation', termButton('validation', t('loss.validation')));
    // Until there is something to draw they stand as they do for a run without either.
    this.#validation.hidden = true;
    this.#units = UNITS.map((unit) => ({
      unit,
      button: termButton(unit === 'nats' ? 'nat' : 'bits_per_character', t(unitKey(unit))),
      random: entry('random', termButton('random_guessing', t(randomKey(unit)))),
    }));
    this.#showUnit('nats');
    this.root.append(
      ...[this.#train, this.#smoothed, this.#validation, this.#earlier],
      ...this.#units.map(({ random }) => random),
      // The unit stands at the axis too, where nothing can be pressed.
      el('li', { class: 'key-unit' }, ...this.#units.map(({ button }) => button)),
    );
  }

  update({ hasValidation, lines }: LossData, { smoothing, unit }: LossLook): void {
    this.#validation.hidden = !hasValidation;
    // Without smoothing the line joins the very losses of the steps.
    this.#smoothed.hidden = smoothing === 0;
    this.#train.className = `key key-${smoothing === 0 ? 'smoothed' : 'train'}`;
    this.#showEarlier(lines);
    this.#showUnit(unit);
  }

  /** By their numbers: their names are long, and stand at the boxes below. */
  #showEarlier(lines: readonly LossLine[]): void {
    const { t } = this.#words;
    const beside = lines.filter(({ shown }) => shown).map(({ id }) => id);
    this.#earlier.hidden = beside.length === 0;
    if (beside.join() === this.#earlierShown) return;
    this.#earlierShown = beside.join();
    this.#earlier.replaceChildren(
      ...beside.map((id) => el('span', {}, lineSample(id), t('earlier.short', { number: id + 1 }))),
    );
  }

  #showUnit(shown: LossLook['unit']): void {
    for (const { unit, button, random } of this.#units) {
      button.hidden = random.hidden = unit !== shown;
    }
  }
}

function entry(kind: string, text: string | HTMLElement): HTMLLIElement {
  return el('li', { class: `key key-${kind}` }, text);
}
