/** Sentences on the losses: the progress of the run, and expectations before it begins. */
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { isWorse } from '../../store/training/loss-reading.ts';
import type { Session } from '../../store/training/session.ts';
import { shownTokenizer } from '../../store/training/shown-plan.ts';

/** Perplexity below which the model counts as sure of the next token. */
const SURE = 1.05;
/** Perplexity below which the text was probably memorised. */
const BY_HEART = 1.5;

/** Progress of a run, in nats. */
interface Progress {
  readonly step: number;
  readonly first: number;
  readonly smoothed: number;
  readonly validation: { readonly step: number; readonly loss: number } | undefined;
  /** Whether a token is a character. */
  readonly isLetters: boolean;
}

export function runSentence(
  data: LossData,
  look: LossState,
  session: Session | null,
  words: Words,
): string {
  const { t, number } = words;
  const { history, randomLoss, tokensPerCharacter } = data;
  const { first, last, lastValidation: validation } = history;
  const smoothed = history.smoothedLast(look.smoothing);
  if (first !== undefined && last !== undefined && smoothed !== undefined) {
    const isLetters = shownTokenizer(session) === 'char';
    const at = { step: history.length, first, smoothed, validation, isLetters };
    return progress(at, data, look, words);
  }
  const opened = session?.current?.model ?? null;
  const random = number(randomLoss * unitFactor(look, tokensPerCharacter.train), 2);
  const guessing = { random, unit: t(unitKey(look.unit)) };
  if (opened === null) return Number.isFinite(randomLoss) ? t('loss.summary.before', guessing) : '';
  const { step } = opened.facts;
  const model = t(step > 0 ? 'loss.opened.steps' : 'loss.opened', { step });
  const trains = session?.trains === true;
  return sentences(
    [model, t(trains ? 'loss.opened.curve' : 'loss.opened.writes', guessing)],
    words,
  );
}

/**
 * The longest likely `runSentence`, whose height is reserved: that of the last step of a run hardly
 * better than guessing. Empty if the loss of guessing is unknown.
 */
export function longestSentence(data: LossData, look: LossState, words: Words): string {
  const { steps: step, randomLoss: first, hasValidation } = data;
  if (!Number.isFinite(first)) return '';
  const validation = hasValidation ? { step, loss: first } : undefined;
  // Just below the loss of guessing, the perplexity is in the sentence and has most digits.
  const at = { step, first, smoothed: 0.999 * first, validation, isLetters: true };
  return progress(at, data, look, words);
}

function progress(
  { step, first, smoothed, validation, isLetters }: Progress,
  { randomLoss, tokensPerCharacter: { train, validation: held } }: LossData,
  look: LossState,
  words: Words,
): string {
  const { t, number } = words;
  const shown = (loss: number, tokens = train): string =>
    number(loss * unitFactor(look, tokens), 2);
  const said = [
    t(step === 1 ? 'loss.summary.first' : 'loss.summary', {
      step,
      ...{ smoothed: shown(smoothed), first: shown(first), random: shown(randomLoss) },
      unit: t(unitKey(look.unit)),
    }),
  ];
  // The perplexity: the number of equally likely tokens with the same loss.
  const choices = Math.exp(smoothed);
  if (isWorse(smoothed, randomLoss)) said.push(t('loss.summary.worse'));
  else if (smoothed < randomLoss && choices < SURE) said.push(t('loss.summary.sure'));
  else if (smoothed < randomLoss && choices >= 1.5) {
    const key = isLetters ? 'loss.summary.letters' : 'loss.summary.choices';
    said.push(t(key, { choices: Math.round(choices) }));
  }
  if (validation !== undefined) {
    const at = { loss: shown(validation.loss, held), step: number(validation.step) };
    said.push(t('loss.summary.validation', at));
  } else if (choices < BY_HEART) said.push(t('loss.summary.heart'));
  return sentences(said, words);
}
