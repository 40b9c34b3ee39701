/** The model's loss, to compare with the losses of n-gram tables. */
import { unitFactor } from '../../data/loss-data.ts';
import type { Session } from '../../store/training/session.ts';

export interface OwnLoss {
  /** The part scored; `training` is the smoothed training loss, used if nothing is held out. */
  readonly of: 'held-out' | 'training';
  readonly step: number;
  /** Mean loss in nats per token. */
  readonly nats: number;
  /** Mean loss in bits per character; NaN if the number of tokens per character is unknown. */
  readonly bits: number;
}

/** The model's newest loss; null before the first measurement. */
export function ownLoss(
  { run, tokensPerCharacter }: Pick<Session, 'run' | 'tokensPerCharacter'>,
  heldOut: boolean,
): OwnLoss | null {
  const history = run?.history;
  const loss = heldOut ? history?.lastValidation?.loss : history?.smoothedLast();
  if (history === undefined || loss === undefined) return null;
  const { train, validation } = tokensPerCharacter;
  return {
    of: heldOut ? 'held-out' : 'training',
    step: (heldOut ? history.lastValidation?.step : undefined) ?? history.length,
    nats: loss,
    bits: loss * unitFactor({ unit: 'bits' }, heldOut ? validation : train),
  };
}
