/** What the lines of the curve are called. */
import type { Words } from '../../i18n/index.ts';
import { el } from '../../kit/dom.ts';
import { randomKey } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';

const UNITS = ['nats', 'bits'] as const;

export class LossLegend {
  readonly root = el('ul', { class: 'legend' });
  /** Earlier runs by their numbers: their names are long, and stand at the boxes below. */
  readonly earlier = el('li', { class: 'key-earlier', hidden: true });
  readonly #train: HTMLElement;
  readonly #smoothed: HTMLElement;
  readonly #validation: HTMLElement;
  readonly #random: HTMLElement[];

  constructor({ t }: Words) {
    this.#train = entry('train', t('loss.train'));
    this.#smoothed = entry('smoothed', t('loss.smoothed'));
    this.#validation = entry('validation', t('loss.validation'));
    // Until there is something to draw they stand as they do for a run without either.
    this.#validation.hidden = true;
    this.#random = UNITS.map((unit) => entry('random', t(randomKey(unit))));
    this.#showUnit('nats');
    this.root.append(this.#train, this.#smoothed, this.#validation, this.earlier, ...this.#random);
  }

  update({ hasValidation }: LossData, { smoothing, unit }: LossState): void {
    this.#validation.hidden = !hasValidation;
    // Without smoothing the line joins the very losses of the steps.
    this.#smoothed.hidden = smoothing === 0;
    this.#train.className = `key key-${smoothing === 0 ? 'smoothed' : 'train'}`;
    this.#showUnit(unit);
  }

  #showUnit(shown: LossState['unit']): void {
    for (const [index, element] of this.#random.entries()) element.hidden = UNITS[index] !== shown;
  }
}

function entry(kind: string, text: string): HTMLLIElement {
  return el('li', { class: `key key-${kind}` }, text);
}
