/**
 * Reads values off the loss curves at one step, in the chosen unit; writes notes about the curves.
 */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { LARGEST_LOSS, unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState, LossUnit } from '../../data/loss-data.ts';
import type { LossHistory } from '../../data/loss-history.ts';

export interface LossReading {
  readonly step: number;
  /** NaN if the run came from a file that lacks the value; likewise rate and norm. */
  readonly loss: number;
  readonly smoothed: number;
  /** Perplexity of the smoothed loss. */
  readonly perplexity: number;
  /** The nearest validation loss, with its step; null without validation. */
  readonly validation: { readonly step: number; readonly loss: number } | null;
  readonly rate: number;
  readonly norm: number;
  /** Smoothed losses of the visible earlier runs that reach this step. */
  readonly others: readonly { readonly id: number; readonly name: string; readonly loss: number }[];
}

/** Values of the curves at `step`; null if the run has no value there. */
export function readingAt(data: LossData, look: LossState, step: number): LossReading | null {
  const { history, lines, tokensPerCharacter } = data;
  const point = history.at(step, look.smoothing);
  if (point === undefined) return null;
  const factor = unitFactor(look, tokensPerCharacter.train);
  const near = history.validationNear(step);
  const heldOut = unitFactor(look, tokensPerCharacter.validation);
  const others = lines
    .filter(({ shown }) => shown)
    .flatMap(({ id, name, history: of, tokensPerCharacter: tokens }) => {
      const other = of.at(step, look.smoothing);
      if (other === undefined) return [];
      return [{ id, name, loss: other.smoothed * unitFactor(look, tokens.train) }];
    });
  return {
    step,
    loss: point.loss * factor,
    smoothed: point.smoothed * factor,
    others,
    perplexity: Math.exp(point.smoothed),
    validation: near === undefined ? null : { step: near.step, loss: near.loss * heldOut },
    rate: point.rate,
    norm: point.norm,
  };
}

/** Minimum excess over the loss of guessing, in nats, that is not chance. */
const CLEARLY_WORSE = 0.5;

/** Whether a loss is clearly above that of guessing. */
export function isWorse(loss: number, randomLoss: number): boolean {
  return loss > randomLoss + CLEARLY_WORSE;
}

/** Share of the largest possible loss from which nearly all tokens must have that loss. */
const NEARLY = 0.9;

/**
 * Notes for reading the curves, as sentences: losses are capped; a long run keeps only some steps.
 * Empty for most runs.
 */
export function lossNotes(data: LossData, { unit }: { unit: LossUnit }, words: Words): string {
  const { history, lines, tokensPerCharacter } = data;
  const { t } = words;
  const said: string[] = [];
  const drawn = [{ history, tokensPerCharacter }, ...lines.filter(({ shown }) => shown)];
  const highest = drawn.find((one) => one.history.highest >= NEARLY * LARGEST_LOSS);
  if (highest !== undefined) {
    const roof = LARGEST_LOSS * unitFactor({ unit }, highest.tokensPerCharacter.train);
    said.push(t('loss.roof', { roof: words.number(roof, 1), unit: t(unitKey(unit)) }));
  }
  if (history.stride > 1) said.push(t('loss.thinned', { stride: history.stride }));
  return sentences(said, words);
}

/** Number of last validation losses that must exceed the lowest: one or two may be noise. */
const RISEN = 3;
/** Minimum rise, as a share of the lowest loss, that is visible in the curve. */
const CLEARLY = 0.02;
/** Minimum rise, as a multiple of the noise between successive validation losses. */
const SWINGS = 4;
/** Minimum number of losses to estimate the noise from. */
const FEWEST = 6;
/** The median absolute second difference of normal noise, in standard deviations. */
const SECOND_DIFFERENCE = 1.65;

/**
 * Standard deviation of the noise in validation losses, independent of their trend: estimated from
 * the median absolute second difference.
 */
function swingOf(losses: readonly number[]): number {
  const bends = losses
    .slice(2)
    .map((loss, at) => Math.abs(loss - 2 * losses[at + 1]! + losses[at]!))
    .sort((a, b) => a - b);
  return (bends[Math.floor(bends.length / 2)] ?? 0) / SECOND_DIFFERENCE;
}

/**
 * Threshold in nats: a larger rise of validation losses since `best`, one of `all`, is not noise.
 */
export function swingSince<Point extends { readonly loss: number }>(
  all: readonly Point[],
  best: Point,
): number {
  // Noise during the rise only, because the steep fall before it would count as noise.
  const since = Math.min(all.indexOf(best), all.length - FEWEST);
  return SWINGS * swingOf(all.slice(Math.max(0, since)).map(({ loss }) => loss));
}

/**
 * The lowest validation loss, in nats, of a run that has been memorising since: the last validation
 * losses are clearly higher, while the training loss fell. Null for any other run.
 */
export function memorisingSince(history: LossHistory): { step: number; loss: number } | null {
  const all = history.validations;
  const recent = all.slice(-RISEN).map(({ loss }) => loss);
  const earlier = all.slice(0, -RISEN);
  if (earlier.length === 0) return null;
  const best = earlier.reduce((least, one) => (one.loss < least.loss ? one : least));
  const rise = Math.min(...recent) - best.loss;
  if (!(rise > Math.max(CLEARLY * best.loss, swingSince(all, best)))) return null;
  const then = history.at(best.step)?.smoothed ?? NaN;
  return (history.smoothedLast() ?? NaN) < then ? best : null;
}
