/** Details of the chosen token: its loss in words, and the model's candidates. */
import { chanceText, doubtText, rankText, textBefore } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { ProbabilityTable } from '../../kit/probabilities.tsx';
import type { ProbabilityRow } from '../../kit/probabilities.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { useWords } from '../component.tsx';
import { cappedText } from './loss-figures.tsx';
import type { NamedToken } from './named-token.ts';

type Score = NonNullable<ScoredToken['score']>;

export interface ChosenTokenProps {
  readonly tokens: readonly NamedToken[];
  /** Index of the chosen token. */
  readonly index: number;
  /** The loss of guessing. */
  readonly guessing: number;
}

export function ChosenToken({ tokens, index, guessing }: ChosenTokenProps) {
  const words = useWords();
  const { t, number } = words;
  const one = tokens[index]!;
  const { name, token, score, byTable } = one;
  const rows = score === null ? [] : candidateRows(one, score);
  return (
    <section class="token-detail" aria-label={t('tokens.detail')}>
      <h3>{t('tokens.chosen', { position: number(index + 1), name })}</h3>
      <p class="summary">
        <span>{score === null ? t('tokens.chosen.first') : scoreText(score, byTable, words)}</span>{' '}
        <span>{cappedText([one], words)}</span>{' '}
        {score === null ? null : <TermButton id="prediction_entropy" text={t('glossary.more')} />}
      </p>
      <div hidden={score === null}>
        <ProbabilityTable
          words={words}
          tokenHead={t('tokens.col.token')}
          columns={[t('tokens.col.probability')]}
          brief={9}
          caption={t('tokens.candidates', { before: textBefore(tokens, index, words) })}
          rows={rows}
          marked={{ id: token.id, text: t('tokens.real') }}
          cut={null}
          rest={null}
          complete={rows.length >= Math.round(Math.exp(guessing))}
        />
      </div>
    </section>
  );
}

function scoreText(score: Score, byTable: number | null, words: AllWords): string {
  const { t, number } = words;
  const own = t('tokens.chosen.score', {
    loss: number(score.loss, 3),
    probability: chanceText(score.probability, words),
    rank: rankText(score, words),
    entropy: number(score.entropy, 2),
    doubt: doubtText(score.entropy, words),
  });
  const table = byTable === null ? '' : t('tokens.chosen.table', { loss: number(byTable, 3) });
  return sentences([own, table], words);
}

/** The most probable tokens at the place of `token`, and `token` itself. */
function candidateRows({ token }: ScoredToken, score: Score): ProbabilityRow[] {
  const listed = score.candidates.some((candidate) => candidate.token.id === token.id);
  const own = listed ? [] : [{ token, probability: score.probability }];
  return [...score.candidates, ...own].map((candidate, index) => ({
    token: candidate.token,
    values: [candidate.probability],
    // The rank of the actual token is shown if it is tied or differs from the row's number.
    ...(candidate.token.id === token.id && (score.tied > 1 || score.rank !== index + 1)
      ? { ranked: score }
      : {}),
  }));
}
