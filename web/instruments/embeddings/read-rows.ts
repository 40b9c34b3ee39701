/** Reads what is shown of a model: rows of numbers, all of the same step, and their tokens. */
import type { Matrix } from '../../data/pca.ts';
import type { Model } from '../../engine/past-run.ts';
import type { NamedTensor, Token, Trainer } from '../../engine/trainer.ts';
import { tensorsOf } from './shown.ts';
import type { Shown } from './shown.ts';

/** Rows that are shown at most: a picture of more is a cloud, and reading them takes too long. */
export const MOST_ROWS = 5000;
/** Numbers that `Trainer.tensor` hands out at a time. */
const MOST_VALUES = 65_536;
/** Milliseconds that training rests for reading at most. */
const LONGEST = 300;
/** Reads before giving up, each time with a step in between. */
const TRIES = 3;

/** Who is asked. */
export interface AskedModel {
  readonly model: Model;
  /** Which may be that model, and train. */
  readonly trainer: Trainer;
}

export interface Rows {
  /** Steps that the weights had been trained for. */
  readonly step: number;
  readonly matrix: Matrix;
  /** Of each row; null for positions. */
  readonly tokens: readonly Token[] | null;
  /** Rows, or tokens of the text, that are left out. */
  readonly omitted: number;
}

/**
 * The rows of `shown`, which is what becomes of `text` if it is a number of blocks; null if the
 * model lacks them, or training was too fast. `vocabulary` has the tokens of the model, at least
 * the first MOST_ROWS.
 */
export async function readRows(
  { model, trainer }: AskedModel,
  shown: Shown,
  text: string,
  vocabulary: readonly Token[],
): Promise<Rows | null> {
  const isText = typeof shown === 'number';
  // Tables are the same whatever is read; a short text takes the least time.
  const list = await model.tensors(isText ? text : anyText(vocabulary), false);
  const tensor = tensorsOf(shown)
    .map((name) => list.tensors.find((one) => one.name === name))
    .find((one) => one !== undefined);
  if (tensor === undefined) return null;
  const all = tensor.shape.at(-2) ?? 1;
  const rows = Math.min(all, MOST_ROWS);
  const read = await readMatrix({ model, trainer }, tensor, rows);
  if (read === null) return null;
  const ofTable = shown === 'tokens' ? vocabulary.slice(0, rows) : null;
  return {
    ...read,
    tokens: isText ? list.tokens.slice(0, rows) : ofTable,
    omitted: all - rows + (isText ? list.omitted : 0),
  };
}

/** Something that the model can read. */
function anyText(vocabulary: readonly Token[]): string {
  return vocabulary.find(({ kind, text }) => kind === 'text' && text.trim() !== '')?.text ?? ' ';
}

async function readMatrix(
  { model, trainer }: AskedModel,
  tensor: NamedTensor,
  rows: number,
): Promise<Pick<Rows, 'step' | 'matrix'> | null> {
  const columns = tensor.shape.at(-1) ?? 1;
  const height = Math.max(1, Math.floor(MOST_VALUES / columns));
  for (let tries = 0; tries < TRIES; tries++) {
    // What takes more than one answer is read while training rests.
    const rests = rows > height && model === trainer;
    if (rests) await trainer.rest(LONGEST);
    const parts = [];
    for (let firstRow = 0; firstRow < rows; firstRow += height) {
      const window = { firstRow, rows: Math.min(height, rows - firstRow) };
      parts.push(await model.tensor(tensor.index, { gradient: false, ...window }));
    }
    if (rests) await trainer.rest(0);
    const step = parts[0]?.step ?? 0;
    if (parts.some((part) => part.step !== step)) continue;
    const values = new Float32Array(rows * columns);
    for (const part of parts) values.set(part.values, part.firstRow * columns);
    return { step, matrix: { values, rows, columns } };
  }
  return null;
}
