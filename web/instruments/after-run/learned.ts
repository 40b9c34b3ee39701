/** Describes the result of a run in a sentence, by its losses. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { LossHistory } from '../../data/loss-history.ts';
import { memorisingSince } from '../../store/training/loss-reading.ts';
import type { CurrentRun } from '../../store/training/current-run.ts';

/** Perplexity below which the next token is almost certain. */
const SURE = 1.5;
/** Minimum distance of the last loss to that of a table, in nats, that is not chance. */
const CLEARLY = 0.02;
/** Minimum distance to the loss of guessing, in nats, of a run that learned something. */
const LITTLE = 0.2;

interface Learned {
  readonly run: CurrentRun;
  /** Whether a token is a character. */
  readonly isLetters: boolean;
  readonly isFinished: boolean;
  /** First step from which the loss is below that of the table of pairs; null for none. */
  readonly beats: number | null;
}

/** The sentence; empty before the first step, and for a loss above that of guessing. */
export function learnedText(
  { run, isLetters, isFinished, beats }: Learned,
  words: AllWords,
): string {
  const { t } = words;
  const { history } = run.data;
  const best = isFinished ? memorisingSince(history) : null;
  if (best !== null) return t('after.heart', { step: best.step });
  const loss = history.lastValidation?.loss ?? history.smoothedLast();
  const { randomLoss } = run.plan;
  if (loss === undefined || !(loss < randomLoss)) return '';
  const choices = Math.round(Math.exp(loss));
  const unit = isLetters ? 'letters' : 'tokens';
  if (!isFinished) return t(`after.now.${unit}`, { choices });
  if (Math.exp(loss) < SURE) {
    return t(history.lastValidation === undefined ? 'after.heart.probably' : 'after.sure');
  }
  const what = t(`after.learned.${randomLoss - loss < LITTLE ? 'little' : kindOf(run)}`);
  const learned = t(`after.end.${unit}`, { what, choices });
  return sentences([learned, beats === null ? '' : t('after.pairs', { step: beats })], words);
}

function kindOf({ text, info }: CurrentRun): 'names' | 'poems' | 'lines' | 'text' {
  if (!info.documents) return 'text';
  if (text?.source === 'names') return 'names';
  return text?.source === 'tang' ? 'poems' : 'lines';
}

/**
 * The first step from which the validation loss stays below `loss` nats to the end of the run. Null
 * if the last one is not clearly below it.
 */
export function below(history: LossHistory, loss: number): number | null {
  let first: number | null = null;
  for (const point of history.validations) {
    if (!(point.loss < loss)) first = null;
    else first ??= point.step;
  }
  return (history.lastValidation?.loss ?? Infinity) < loss - CLEARLY ? first : null;
}
