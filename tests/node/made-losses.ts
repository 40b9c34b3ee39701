/** Losses of a run that a test makes up. */
import type { LossData } from '../../web/data/loss-data.ts';
import { LossHistory } from '../../web/data/loss-history.ts';

/** A run with these losses, one a step. */
export function history(losses: readonly number[]): LossHistory {
  const made = new LossHistory();
  made.append(
    0,
    losses,
    losses.map(() => 0.001),
    losses.map((loss) => loss * 2),
  );
  return made;
}

/** Data of the loss instrument: a run of `steps` steps that has come as far as `one`. */
export function data(one: LossHistory, steps: number): LossData {
  const tokensPerCharacter = { train: 1, validation: 1 };
  const rest = {
    randomLoss: 3.3,
    training: false,
    hasValidation: false,
    lines: [],
    name: () => '',
    file: () => '',
  };
  return { history: one, steps, tokensPerCharacter, ...rest };
}
