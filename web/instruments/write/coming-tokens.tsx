/** Candidates for the next token, before and after the sampling parameters, and the entropy. */
import { comingName, doubtText } from '../../data/token-data.ts';
import type { Distribution, Sampling } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { ProbabilityTable } from '../../kit/probabilities.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { KeptFold, useWords } from '../component.tsx';

/** Initial number of rows. */
const BRIEF = 10;

export interface ComingTokensProps {
  /** Candidates for the next token; null if the text has ended. */
  readonly coming: Distribution | null;
  readonly dice: Sampling;
  /** Number of training steps of the model. */
  readonly step: number;
  /** Explains the boxes of the written tokens. */
  readonly note: string;
  readonly onTake: (id: number) => void;
}

export function ComingTokens({ coming, dice, step, note, onTake }: ComingTokensProps) {
  const words = useWords();
  const { t, number } = words;
  const { choices, rest } = coming ?? { choices: [], rest: null };
  const kept = choices.filter(({ adjusted }) => adjusted > 0).length;
  return (
    <>
      <div hidden={coming === null}>
        <ProbabilityTable
          words={words}
          tokenHead={t('tokens.col.token')}
          columns={[t('write.col.model'), t('write.col.dice')]}
          brief={BRIEF}
          onTake={({ id }) => onTake(id)}
          takeLabel={(token) => t('write.take', { name: comingName(token, words) })}
          fullBar={1}
          caption={t('write.coming.caption', { step: number(step) })}
          rows={choices.map(({ token, probability, adjusted }) => ({
            token,
            values: [probability, adjusted],
          }))}
          marked={null}
          cut={kept < choices.length ? { from: kept, text: cutReason(dice, words) } : null}
          rest={
            rest === null
              ? null
              : {
                  count: rest.count,
                  label: (count) => t('write.rest', { count: number(count) }),
                  values: [rest.probability, rest.adjusted],
                }
          }
          complete={rest?.count === 0}
        />
      </div>
      {coming === null ? <p class="summary">{t('write.coming.ended')}</p> : null}
      <KeptFold name="write.meaning" kind="data write-meaning" title={t('write.meaning')}>
        {() => (
          <>
            <p class="note">{note}</p>
            {coming === null ? null : (
              <p class="summary">
                <span>{unsureText(coming, dice, words)}</span>{' '}
                <TermButton id="prediction_entropy" text={t('glossary.more')} />
              </p>
            )}
          </>
        )}
      </KeptFold>
    </>
  );
}

function unsureText(coming: Distribution, dice: Sampling, words: AllWords): string {
  const { t, number } = words;
  const { choices, rest, drawable, entropy, adjustedEntropy } = coming;
  // Counts tokens that only rounding excludes; the table names the parameters that exclude others.
  const cutsNone = dice.temperature > 0 && !cuts(dice);
  const tiny = cutsNone ? choices.length + rest.count - drawable : 0;
  const unsure = t('write.coming.unsure', {
    before: number(entropy, 2),
    after: number(adjustedEntropy, 2),
    doubt: doubtText(adjustedEntropy, words),
    drawable: number(drawable),
  });
  return sentences([unsure, tiny > 0 ? t('write.coming.tiny', { count: tiny }) : ''], words);
}

function cutReason(dice: Sampling, { t, number, short }: AllWords): string {
  const { temperature, topK, topP } = dice;
  if (temperature === 0) return t('write.cut.greedy');
  // Only rounding makes a probability 0 if top-k and top-p are off.
  if (!cuts(dice)) return t('write.cut.tiny');
  const values = { k: number(topK), p: short(topP) };
  if (topK > 0 && topP < 1) return t('write.cut.both', values);
  return t(topK > 0 ? 'write.cut.topK' : 'write.cut.topP', values);
}

/** Whether top-k or top-p removes tokens. */
function cuts({ topK, topP }: Sampling): boolean {
  return topK !== 0 || topP < 1;
}
