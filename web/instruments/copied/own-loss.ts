/** The loss of the model that stands beside those of the tables. */
import { unitFactor } from '../../data/loss-data.ts';
import type { Session } from '../../store/training/session.ts';

export interface OwnLoss {
  /** Measured on held-out text; if nothing is held out, it is the smoothed training loss. */
  readonly of: 'held-out' | 'training';
  readonly step: number;
  /** Per token. */
  readonly nats: number;
  /** Per character; NaN if the length of tokens is not known. */
  readonly bits: number;
}

/** Null before the first loss. */
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
