/** Sentences on the losses: the progress of the run, and expectations before it begins. */
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { isWorse } from '../../store/training/loss-reading.ts';
import type { Session } from '../../store/training/session.ts';

/** Progress of a run, in nats. */
interface Progress {
  readonly step: number;
  readonly first: number;
  readonly smoothed: number;
  readonly validation: { readonly step: number; readonly loss: number } | undefined;
}

export function runSentence(
  data: LossData,
  look: LossState,
  session: Session | null,
  words: Words,
): string {
  const { t } = words;
  const { history, randomLoss } = data;
  const { first, last, lastValidation: validation } = history;
  const smoothed = history.smoothedLast(look.smoothing);
  if (first !== undefined && last !== undefined && smoothed !== undefined) {
    const at = { step: history.length, first, smoothed, validation };
    return progress(at, data, look, words);
  }
  const opened = session?.current?.model ?? null;
  const random = guessing(data, look, words);
  if (opened === null) return Number.isFinite(randomLoss) ? t('loss.summary.before', random) : '';
  const { step } = opened.facts;
  const model = t(step > 0 ? 'loss.opened.steps' : 'loss.opened', { step });
  const trains = session?.trains === true;
  return sentences([model, t(trains ? 'loss.opened.curve' : 'loss.opened.writes', random)], words);
}

/**
 * The longest likely `runSentence`, whose height is reserved: that of the last step, or the one
 * before the first. Empty if the loss of guessing is unknown.
 */
export function longestSentence(data: LossData, look: LossState, words: Words): string {
  const { steps: step, randomLoss: first, hasValidation } = data;
  if (!Number.isFinite(first)) return '';
  const validation = hasValidation ? { step, loss: first } : undefined;
  const last = progress({ step, first, smoothed: first, validation }, data, look, words);
  const before = words.t('loss.summary.before', guessing(data, look, words));
  return last.length > before.length ? last : before;
}

/** The loss of random guessing, as parameters of a sentence. */
function guessing({ randomLoss, tokensPerCharacter }: LossData, look: LossState, words: Words) {
  const random = words.number(randomLoss * unitFactor(look, tokensPerCharacter.train), 2);
  return { random, unit: words.t(unitKey(look.unit)) };
}

function progress(
  { step, first, smoothed, validation }: Progress,
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
  if (isWorse(smoothed, randomLoss)) said.push(t('loss.summary.worse'));
  if (validation !== undefined) {
    const at = { loss: shown(validation.loss, held), step: number(validation.step) };
    said.push(t('loss.summary.validation', at));
  }
  return sentences(said, words);
}
