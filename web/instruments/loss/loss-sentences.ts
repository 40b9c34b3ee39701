/**
 * The sentences of the loss section: how the run goes, and what to expect before it has begun. Each
 * is worked out of what it is given.
 */
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { isWorse } from '../../store/training/loss-reading.ts';

/** Below this many equally likely tokens there is hardly a choice left. */
const SURE = 1.05;
/** Choices so few mostly mean a text that was learned by heart. */
const BY_HEART = 1.5;

/** How far a run has come, in nats. */
interface Progress {
  readonly step: number;
  readonly first: number;
  readonly smoothed: number;
  readonly validation: { readonly step: number; readonly loss: number } | undefined;
}

/** What is known of a model that was opened, before anything is trained here. */
export interface OpenedStart {
  /** Steps that it has behind it; 0 where the file does not say. */
  readonly step: number;
  /** Whether it is trained here, or only writes. */
  readonly trains: boolean;
}

/** How the run goes, or what to expect of it. */
export function runSentence(
  data: LossData,
  look: LossState,
  opened: OpenedStart | null,
  words: Words,
): string {
  const { t } = words;
  const { history, randomLoss } = data;
  const { first, last, lastValidation } = history;
  const smoothed = history.smoothedLast(look.smoothing);
  if (first !== undefined && last !== undefined && smoothed !== undefined) {
    return progress(
      { step: history.length, first, smoothed, validation: lastValidation },
      data,
      look,
      words,
    );
  }
  const random = words.number(randomLoss * unitFactor(look, data.tokensPerCharacter.train), 2);
  if (opened !== null) return openedSentence(opened, random, look, words);
  return Number.isFinite(randomLoss)
    ? t('loss.summary.before', { random, unit: t(unitKey(look.unit)) })
    : '';
}

/** As long as what is said of the run will be: its lines are there before it has begun. */
export function longestSentence(data: LossData, look: LossState, words: Words): string {
  const { steps: step, randomLoss, hasValidation } = data;
  if (!Number.isFinite(randomLoss)) return '';
  // Hardly better than guessing: that has the most choices.
  const smoothed = 0.999 * randomLoss;
  const validation = hasValidation ? { step, loss: randomLoss } : undefined;
  return progress({ step, first: randomLoss, smoothed, validation }, data, look, words);
}

function progress(
  { step, first, smoothed, validation }: Progress,
  { randomLoss, tokensPerCharacter }: LossData,
  look: LossState,
  words: Words,
): string {
  const { t } = words;
  const factor = unitFactor(look, tokensPerCharacter.train);
  const shown = (loss: number): string => words.number(loss * factor, 2);
  const parts = [
    t(step === 1 ? 'loss.summary.first' : 'loss.summary', {
      step,
      smoothed: shown(smoothed),
      first: shown(first),
      random: shown(randomLoss),
      unit: t(unitKey(look.unit)),
    }),
  ];
  // The exponential of the loss: a choice among this many equally likely tokens is as uncertain.
  const choices = Math.exp(smoothed);
  if (smoothed < randomLoss) {
    parts.push(
      choices < SURE
        ? t('loss.summary.sure')
        : t('loss.summary.choices', { choices: words.short(choices) }),
    );
  } else if (isWorse(smoothed, randomLoss)) parts.push(t('loss.summary.worse'));
  if (validation !== undefined) {
    const loss = validation.loss * unitFactor(look, tokensPerCharacter.validation);
    const said = { loss: words.number(loss, 2), step: words.number(validation.step) };
    parts.push(t('loss.summary.validation', said));
  } else if (choices < BY_HEART) parts.push(t('loss.summary.heart'));
  return sentences(parts, words);
}

function openedSentence(
  { step, trains }: OpenedStart,
  random: string,
  look: LossState,
  words: Words,
): string {
  const { t } = words;
  const model = t(step > 0 ? 'loss.opened.steps' : 'loss.opened', { step });
  const unit = t(unitKey(look.unit));
  const curve = trains ? t('loss.opened.curve', { random, unit }) : t('loss.opened.writes');
  return sentences([model, curve], words);
}
