/** What the curves say at one step, in the unit in which they are shown; and what holds for all of them. */
import { sentences } from '../i18n/index.ts';
import type { Words } from '../i18n/index.ts';
import { LARGEST_LOSS, unitFactor, unitKey } from './loss-data.ts';
import type { LossData, LossLook, LossUnit } from './loss-data.ts';

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
export function readingAt(data: LossData, look: LossLook, step: number): LossReading | null {
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
    ...{ step, loss: point.loss * factor, smoothed: point.smoothed * factor, others },
    perplexity: Math.exp(point.smoothed),
    validation: near === undefined ? null : { step: near.step, loss: near.loss * heldOut },
    ...{ rate: point.rate, norm: point.norm },
  };
}

/** A mean loss from this part of the largest one on is that of tokens that nearly all have it. */
const NEARLY = 0.9;

/**
 * What a reader of these curves must know to read them right, as sentences; empty for most runs: that
 * no loss is above a certain one, and that of a long run some steps are kept.
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
