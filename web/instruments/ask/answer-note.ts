/** Describes how an answer was made and why it ended. */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import type { Answer } from '../../store/training/answers.ts';

/** The note; empty without a result. */
export function answerNote(answer: Answer | null, words: Words): string {
  const result = answer?.result ?? null;
  if (answer === null || result === null) return '';
  const { t } = words;
  if (result.cancelled) return t('ask.cancelled');
  if (result.ended && result.tokens <= 1 && answer.text === '') return t('ask.empty');
  const stop = result.ended ? 'ask.ended' : result.limitReached ? 'ask.limit' : 'ask.done';
  const { temperature, seed } = answer.request;
  const { step, tokens } = result;
  return sentences(
    [
      t(result.full ? 'ask.full' : stop, { step, tokens, temperature, seed }),
      result.refills > 0 ? t('ask.refills', { count: result.refills }) : '',
      answer.again === null ? '' : t(`ask.again.${answer.again}`),
    ],
    words,
  );
}
