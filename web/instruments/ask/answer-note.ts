/** Describes how an answer was made and why it ended. */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import type { Answer } from '../../store/training/answers.ts';

/** Note on an unusual end of an answer; empty for an ordinary one, or without a result. */
export function answerNote(answer: Answer | null, words: Words): string {
  const result = answer?.result ?? null;
  if (answer === null || result === null) return '';
  const { t } = words;
  if (result.cancelled) return t('ask.cancelled');
  if (result.ended && result.tokens <= 1 && answer.text === '') return t('ask.empty');
  return sentences(
    [
      result.full ? t('ask.full') : '',
      result.limitReached ? t('ask.limit') : '',
      result.refills > 0 ? t('ask.refills', { count: result.refills }) : '',
      answer.again === null ? '' : t(`ask.again.${answer.again}`),
    ],
    words,
  );
}

/** The step and the settings with which an answer was written; empty without a text. */
export function madeHow(answer: Answer | null, { t }: Words): string {
  const result = answer?.result ?? null;
  if (answer === null || result === null || result.cancelled || answer.text === '') return '';
  const { temperature, seed } = answer.request;
  const { step, tokens } = result;
  return t(result.ended ? 'ask.ended' : 'ask.done', { step, tokens, temperature, seed });
}
