/** Invented losses of a run, for tests. */
import type { LossData } from '../../web/data/loss-data.ts';
import { LossHistory } from '../../web/data/loss-history.ts';

/** A history with these losses, one per step. */
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

/** Data of the loss chart for the history `one` of a planned run of `steps` steps. */
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
