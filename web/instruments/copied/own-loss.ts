/** The loss of the model, to compare with n-gram tables. */
import { unitFactor } from '../../data/loss-data.ts';
import type { Session } from '../../store/training/session.ts';

export interface OwnLoss {
  /** The measured part; `training` is the smoothed training loss, if nothing is held out. */
  readonly of: 'held-out' | 'training';
  readonly step: number;
  /** Loss per token. */
  readonly nats: number;
  /** Loss per character; NaN if the length of tokens is unknown. */
  readonly bits: number;
}

/** The model's loss; null before the first. */
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
