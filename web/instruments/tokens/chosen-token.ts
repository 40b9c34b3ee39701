/** What is known of the chosen token: its loss in words, and what the model expected there. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { chanceText, doubtText, rankText, textBefore } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { el, setText } from '../../kit/dom.ts';
import { ProbabilityTable } from '../../kit/probability-table.ts';
import type { ProbabilityRow } from '../../kit/probability-table.ts';
import { termButton } from '../../kit/term.ts';
import { cappedText } from './loss-figures.ts';
import type { NamedToken } from './named-token.ts';

type Score = NonNullable<ScoredToken['score']>;

export class ChosenToken {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #head = el('h3', {});
  readonly #text = el('span', {});
  readonly #capped = el('span', {});
  readonly #term: HTMLElement;
  readonly #candidatesBox = el('div', {});
  readonly #candidates: ProbabilityTable;

  constructor(words: AllWords) {
    this.#words = words;
    const { t } = words;
    this.#term = termButton('prediction_entropy', t('glossary.more'));
    this.#candidates = new ProbabilityTable(this.#candidatesBox, {
      words,
      tokenHead: t('tokens.col.token'),
      columns: [t('tokens.col.probability')],
      brief: 9,
    });
    this.root = el(
      'section',
      { class: 'token-detail', 'aria-label': t('tokens.detail') },
      this.#head,
      el('p', { class: 'summary' }, this.#text, ' ', this.#capped, ' ', this.#term),
      this.#candidatesBox,
    );
  }

  /** Shows the one at `index` of `tokens`; `guessing` is the loss of guessing. */
  show(tokens: readonly NamedToken[], index: number, guessing: number): void {
    const one = tokens[index];
    if (one === undefined) return;
    const { t, number } = this.#words;
    const { name, score, byTable } = one;
    setText(this.#head, t('tokens.chosen', { position: number(index + 1), name }));
    this.#candidatesBox.hidden = score === null;
    this.#term.hidden = score === null;
    setText(
      this.#text,
      score === null ? t('tokens.chosen.first') : this.#scoreText(score, byTable),
    );
    setText(this.#capped, cappedText([one], this.#words));
    if (score === null) return;
    const rows = candidateRows(one, score);
    this.#candidates.update({
      caption: t('tokens.candidates', { before: textBefore(tokens, index, this.#words) }),
      rows,
      marked: { id: one.token.id, text: t('tokens.real') },
      cut: null,
      rest: null,
      complete: rows.length >= Math.round(Math.exp(guessing)),
    });
  }

  #scoreText(score: Score, byTable: number | null): string {
    const { t, number } = this.#words;
    const own = t('tokens.chosen.score', {
      loss: number(score.loss, 3),
      probability: chanceText(score.probability, this.#words),
      rank: rankText(score, this.#words),
      entropy: number(score.entropy, 2),
      doubt: doubtText(score.entropy, this.#words),
    });
    const table = byTable === null ? '' : t('tokens.chosen.table', { loss: number(byTable, 3) });
    return sentences([own, table], this.#words);
  }
}

/** What might have come instead of `token`, and itself. */
function candidateRows({ token }: ScoredToken, score: Score): ProbabilityRow[] {
  const listed = score.candidates.some((candidate) => candidate.token.id === token.id);
  const own = listed ? [] : [{ token, probability: score.probability }];
  return [...score.candidates, ...own].map((candidate, index) => ({
    token: candidate.token,
    values: [candidate.probability],
    // Beside the token that came, where the place of its row is not its own.
    ...(candidate.token.id === token.id && (score.tied > 1 || score.rank !== index + 1)
      ? { ranked: score }
      : {}),
  }));
}
