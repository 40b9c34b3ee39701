/** Question for the numbers of a tensor, and the origin of one of them. */
import { failure } from '../../engine/errors.ts';
import type { Model } from '../../engine/past-run.ts';
import type { Tensors, TensorSlice, TensorValues } from '../../engine/trainer.ts';
import type { Question } from '../../store/ask.ts';
import type { Session } from '../../store/training/session.ts';
import type { NumberChoice } from '../parts-state.ts';
import type { NumberOrigin } from './number-origin.ts';
import { readOrigin } from './read-origin.ts';

/** Maximum milliseconds for which training pauses per answer. */
const LONGEST = 300;
/** Number of rows and columns of a window into a large tensor. */
const WINDOW = 64;

export interface Wish {
  readonly run: number;
  /** The text that the model reads. */
  readonly probe: string;
  readonly choice: NumberChoice;
  /** Whether the cells have an origin: computed values do, parameters and gradients do not. */
  readonly isTraceable: boolean;
}

export interface Numbers {
  readonly step: number;
  readonly wish: Wish;
  readonly list: Tensors;
  /** Chosen values or gradients; null if the model lacks the tensor, or it has no gradient. */
  readonly values: TensorValues | null;
  /** Origin of the chosen number; null if no cell is chosen, or its number cannot be explained. */
  readonly origin: NumberOrigin | null;
}

export function numbersQuestion(session: Session, wish: Wish): Question<Numbers> {
  const { trainer } = session;
  return {
    key: JSON.stringify(['numbers', wish]),
    isOfTrainer: true,
    ask: async (model) => {
      // Training pauses so that all numbers are of one step.
      const rests = model === trainer && session.run?.state === 'running';
      if (rests) await trainer.rest(LONGEST);
      try {
        return await read(model, wish);
      } finally {
        if (rests) await trainer.rest(0);
      }
    },
  };
}

async function read(model: Model, wish: Wish): Promise<Numbers> {
  const { gradient, matrix, cell, tensor: name } = wish.choice;
  // Each answer lists the tensors again, because other questions use other texts.
  const list = await model.tensors(wish.probe, true);
  const tensor = list.tensors.find((one) => one.name === name);
  const isAbsent = tensor === undefined || (gradient && tensor.gradients === null);
  if (isAbsent) return { step: list.step, wish, list, values: null, origin: null };
  const values = await model.tensor(tensor.index, {
    gradient,
    matrix,
    ...windowOf(wish.choice),
  });
  // Values of one step must not be shown with the statistics of another.
  if (values.step !== list.step) throw failure('cancelled', 'the run went on');
  const isExplained = cell !== null && wish.isTraceable;
  const origin = isExplained ? await readOrigin(model, list, { tensor, matrix, cell }) : null;
  return { step: list.step, wish, list, values, origin };
}

/** The window to read; the whole tensor by default. */
function windowOf({ around }: NumberChoice): Partial<TensorSlice> {
  if (around === null) return {};
  const from = (at: number): number => Math.max(0, at - WINDOW / 2);
  const [firstRow, firstColumn] = [from(around.row), from(around.column)];
  return { firstRow, firstColumn, rows: WINDOW, columns: WINDOW };
}
