/** What the losses of all tokens come to: their mean, and what else it can be told as. */
import type { AllWords } from '../../i18n/index.ts';
import { LARGEST_LOSS, LEAST_PROBABILITY } from '../../data/loss-data.ts';
import { bitsPerCharacterOf } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { el, setText } from '../../kit/dom.ts';
import { termButton } from '../../kit/term.ts';

/** The figures, each with the term that explains it. */
const TERMS = {
  mean: 'loss',
  bits: 'bits_per_character',
  perplexity: 'perplexity',
  scored: null,
} as const;

type Figure = keyof typeof TERMS;

export class LossFigures {
  readonly root = el('dl', { class: 'token-facts' });
  readonly #words: AllWords;
  readonly #mean: HTMLElement;
  readonly #bits: HTMLElement;
  readonly #perplexity: HTMLElement;
  readonly #scored: HTMLElement;

  constructor(words: AllWords) {
    this.#words = words;
    this.#mean = this.#add('mean');
    this.#bits = this.#add('bits');
    this.#perplexity = this.#add('perplexity');
    this.#scored = this.#add('scored');
  }

  #add(name: Figure): HTMLElement {
    const text = this.#words.t(`tokens.${name}`);
    const term = TERMS[name];
    const value = el('dd', {});
    const label = el('dt', {}, term === null ? text : termButton(term, text));
    this.root.append(el('div', {}, label, value));
    return value;
  }

  /** `meanLoss` is that of the `scored` ones among the tokens. */
  show(tokens: readonly ScoredToken[], meanLoss: number, scored: number): void {
    const { t, number, short } = this.#words;
    setText(this.#mean, t('tokens.nats', { value: number(meanLoss, 3) }));
    setText(this.#bits, number(bitsPerCharacterOf(tokens), 2));
    setText(this.#perplexity, short(Math.exp(meanLoss)));
    setText(this.#scored, number(scored));
  }
}

/** Says if one of the tokens is so unlikely that its loss does not tell how unlikely; or empty. */
export function cappedText(tokens: readonly ScoredToken[], { t, number }: AllWords): string {
  const isCapped = ({ score }: ScoredToken): boolean =>
    score !== null && score.probability < LEAST_PROBABILITY;
  return tokens.some(isCapped) ? t('tokens.capped', { loss: number(LARGEST_LOSS, 2) }) : '';
}
