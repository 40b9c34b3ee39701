/**
 * What the curves say at one step, in the unit in which they are shown; and what holds for all of
 * them.
 */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { LARGEST_LOSS, unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState, LossUnit } from '../../data/loss-data.ts';
import type { LossHistory } from '../../data/loss-history.ts';

export interface LossReading {
  readonly step: number;
  /** NaN where a file did not keep it; so are rate and norm. */
  readonly loss: number;
  readonly smoothed: number;
  /** Of the smoothed loss. */
  readonly perplexity: number;
  /** The nearest one, with its own step. */
  readonly validation: { readonly step: number; readonly loss: number } | null;
  readonly rate: number;
  readonly norm: number;
  /** The earlier runs that are shown, and reach as far. */
  readonly others: readonly { readonly id: number; readonly name: string; readonly loss: number }[];
}

/** Reads `step` off the curves; null where the run has none. */
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

/** Nats above guessing that are no chance any more. */
const CLEARLY_WORSE = 0.5;

/** Whether a loss is that of a model that does worse than guess. */
export function isWorse(loss: number, randomLoss: number): boolean {
  return loss > randomLoss + CLEARLY_WORSE;
}

/** A mean loss from this part of the largest one on is that of tokens that nearly all have it. */
const NEARLY = 0.9;

/**
 * What a reader of these curves must know to read them right, as sentences; empty for most runs:
 * that no loss is above a certain one, and that of a long run some steps are kept.
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

/** This many validation losses in a row must stand above the lowest: one or two may be a swing. */
const RISEN = 3;
/** So much above the lowest, as a share of it, is seen in the curve .. */
const CLEARLY = 0.02;
/** .. and this many times what these losses swing from one to the next is no swing. */
const SWINGS = 4;
/** Swings are told from the bend of the curve by this many losses at least. */
const FEWEST = 6;
/**
 * For normal noise, the usual size of a second difference is this many of its standard deviations.
 */
const SECOND_DIFFERENCE = 1.65;

/**
 * How far validation losses swing to and fro, whichever way they go: by their second differences.
 */
function swingOf(losses: readonly number[]): number {
  const bends = losses
    .slice(2)
    .map((loss, at) => Math.abs(loss - 2 * losses[at + 1]! + losses[at]!))
    .sort((a, b) => a - b);
  return (bends[Math.floor(bends.length / 2)] ?? 0) / SECOND_DIFFERENCE;
}

/** Above this, a rise of validation losses since `best`, which is one of them, is no swing. */
export function swingSince<Point extends { readonly loss: number }>(
  all: readonly Point[],
  best: Point,
): number {
  // Of the rise alone: the steep fall before it is no swing.
  const since = Math.min(all.indexOf(best), all.length - FEWEST);
  return SWINGS * swingOf(all.slice(Math.max(0, since)).map(({ loss }) => loss));
}

/**
 * The lowest validation loss, in nats, of a run that has been memorising since: the last few losses
 * on held-out text stand clearly above it, while the training loss has fallen. Null for any other
 * run.
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
