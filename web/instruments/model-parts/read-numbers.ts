/** The question for the numbers of a tensor, and for the origin of one of them. */
import type { Model } from '../../engine/past-run.ts';
import type { Tensors, TensorSlice, TensorValues } from '../../engine/trainer.ts';
import type { Question } from '../../store/ask.ts';
import type { Session } from '../../store/training/session.ts';
import type { NumberChoice } from '../parts-state.ts';
import type { NumberOrigin } from './number-origin.ts';
import { readOrigin } from './read-origin.ts';

/** Maximum milliseconds that training rests for one answer. */
const LONGEST = 300;
/** Rows and columns of a window of a large tensor. */
const WINDOW = 64;
/** Reads before giving up that all fall between the same two steps. */
const TRIES = 3;

export interface Wish {
  readonly run: number;
  /** The text that the model reads. */
  readonly probe: string;
  readonly choice: NumberChoice;
  /** Whether its cells can be explained. */
  readonly isTraceable: boolean;
}

export interface Numbers {
  readonly step: number;
  readonly wish: Wish;
  readonly list: Tensors;
  /** Null if there are no such numbers. */
  readonly values: TensorValues | null;
  /** Null if no cell is chosen, or if it cannot be explained. */
  readonly origin: NumberOrigin | null;
}

/** `known` returns the last answer. */
export function numbersQuestion(
  session: Session,
  wish: Wish,
  known: () => Numbers | null,
): Question<Numbers> {
  const { trainer } = session;
  const listOf = ({ step, wish: { run, probe }, list }: Numbers): Tensors | null =>
    step === session.shownStep && run === wish.run && probe === wish.probe ? list : null;
  return {
    key: JSON.stringify(['numbers', wish]),
    readsGradients: true,
    ask: async (model) => {
      const last = known();
      // All numbers are of one step.
      const rests = model === trainer && session.run?.state === 'running';
      if (rests) await trainer.rest(LONGEST);
      try {
        return await read(model, wish, last === null ? null : listOf(last));
      } finally {
        if (rests) await trainer.rest(0);
      }
    },
  };
}

async function read(model: Model, wish: Wish, known: Tensors | null): Promise<Numbers> {
  const { probe, choice, isTraceable } = wish;
  const { gradient, matrix, cell } = choice;
  const slice = { gradient, matrix, ...windowOf(choice) };
  let list = known ?? (await model.tensors(probe, true));
  let [tensor, values] = await readValues(model, list, choice, slice);
  for (let tries = 1; tries < TRIES && values !== null && values.step !== list.step; tries++) {
    // A step in between would show the numbers of one model with the extremes of another.
    list = await model.tensors(probe, true);
    [tensor, values] = await readValues(model, list, choice, slice);
  }
  const origin =
    cell === null || !isTraceable || tensor === undefined
      ? null
      : await readOrigin(model, list, { tensor, matrix, cell });
  return { step: list.step, wish, list, values, origin };
}

async function readValues(
  model: Model,
  { tensors }: Tensors,
  { tensor: wanted, gradient }: NumberChoice,
  slice: TensorSlice,
): Promise<[tensor: Tensors['tensors'][number] | undefined, values: TensorValues | null]> {
  const tensor = tensors.find(({ name }) => name === wanted);
  if (tensor === undefined || (gradient && tensor.gradients === null)) return [tensor, null];
  return [tensor, await model.tensor(tensor.index, slice)];
}

/** The rows and columns to be read. */
function windowOf({ around }: NumberChoice): Partial<TensorSlice> {
  if (around === null) return {};
  const from = (at: number): number => Math.max(0, at - WINDOW / 2);
  const [firstRow, firstColumn] = [from(around.row), from(around.column)];
  return { firstRow, firstColumn, rows: WINDOW, columns: WINDOW };
}
