/** What may come next, before and after the dice are set. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { comingName, doubtText, fullBar } from '../../data/token-data.ts';
import { el, setText } from '../../kit/dom.ts';
import { ProbabilityTable } from '../../kit/probability-table.ts';
import { termButton } from '../../kit/term.ts';
import type { Dice, WriterDistribution } from './written-tokens.ts';

/** Rows of candidates that are shown at first. */
const BRIEF = 10;

export class ComingTokens {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #stamp = el('span', { class: 'stamp' });
  readonly #text = el('span', {});
  readonly #term: HTMLElement;
  readonly #tableBox = el('div', {});
  readonly #table: ProbabilityTable;

  /** The fields of the dice stand between the heading and what they change. */
  constructor(words: AllWords, diceForm: HTMLElement, onTake: (id: number) => void) {
    this.#words = words;
    const { t } = words;
    this.#term = termButton('prediction_entropy', t('glossary.more'));
    this.#table = new ProbabilityTable(this.#tableBox, {
      words,
      tokenHead: t('tokens.col.token'),
      columns: [t('write.col.model'), t('write.col.dice')],
      brief: BRIEF,
      onTake: ({ id }) => onTake(id),
      takeLabel: (token) => t('write.take', { name: comingName(token, words) }),
    });
    this.root = el(
      'div',
      { class: 'write-coming' },
      el('div', { class: 'head-row' }, el('h3', {}, t('write.coming')), this.#stamp),
      diceForm,
      el('p', { class: 'summary' }, this.#text, ' ', this.#term),
      this.#tableBox,
    );
  }

  /** Shows what may come after `step` steps of training; null if the text has ended. */
  show(coming: WriterDistribution | null, dice: Dice, step: number): void {
    const { t, number } = this.#words;
    const hasEnded = coming === null;
    this.#tableBox.hidden = hasEnded;
    this.#term.hidden = hasEnded;
    setText(this.#stamp, t('tokens.step', { step: number(step) }));
    setText(this.#text, hasEnded ? t('write.coming.ended') : this.#doubt(coming, dice));
    if (!hasEnded) this.#fill(coming, dice, step);
  }

  #doubt(coming: WriterDistribution, dice: Dice): string {
    const { t, number } = this.#words;
    const { choices, rest, drawable, entropy, adjustedEntropy } = coming;
    // Where settings cut tokens away, the table says so; what only rounds away is to be told of.
    const cutsNone = dice.temperature > 0 && !cuts(dice);
    const tiny = cutsNone ? choices.length + rest.count - drawable : 0;
    const unsure = t('write.coming.unsure', {
      before: number(entropy, 2),
      after: number(adjustedEntropy, 2),
      doubt: doubtText(adjustedEntropy, this.#words),
      drawable: number(drawable),
    });
    const gone = tiny > 0 ? t('write.coming.tiny', { count: tiny }) : '';
    return sentences([unsure, gone], this.#words);
  }

  #fill({ choices, rest }: WriterDistribution, dice: Dice, step: number): void {
    const { t, number } = this.#words;
    const kept = choices.filter(({ adjusted }) => adjusted > 0).length;
    const full = fullBar(Math.max(...choices.map(({ probability }) => probability)));
    const isBeyond = choices.some(({ adjusted }) => adjusted > full);
    const caption = t('write.coming.caption', { step: number(step), full: number(100 * full) });
    const beyond = isBeyond ? t('write.coming.beyond') : '';
    this.#table.update({
      fullBar: full,
      caption: sentences([caption, beyond], this.#words),
      rows: choices.map(({ token, probability, adjusted }) => ({
        token,
        values: [probability, adjusted],
      })),
      marked: null,
      cut: kept < choices.length ? { from: kept, text: this.#cutReason(dice) } : null,
      rest: {
        count: rest.count,
        label: (count) => t('write.rest', { count: number(count) }),
        values: [rest.probability, rest.adjusted],
      },
      complete: rest.count === 0,
    });
  }

  #cutReason(dice: Dice): string {
    const { t, number, short } = this.#words;
    const { temperature, topK, topP } = dice;
    if (temperature === 0) return t('write.cut.greedy');
    // Nothing is cut then; what is left is less than the smallest number that there is.
    if (!cuts(dice)) return t('write.cut.tiny');
    const values = { k: number(topK), p: short(topP) };
    if (topK > 0 && topP < 1) return t('write.cut.both', values);
    return t(topK > 0 ? 'write.cut.topK' : 'write.cut.topP', values);
  }
}

/** Whether top-k or top-p cut unlikely tokens away. */
function cuts({ topK, topP }: Dice): boolean {
  return topK !== 0 || topP < 1;
}
