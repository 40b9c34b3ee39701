/** Reads rows of a weight table or of activations, all from the same step, and their tokens. */
import type { Matrix } from '../../data/pca.ts';
import type { Model } from '../../engine/past-run.ts';
import type { NamedTensor, Token, Trainer } from '../../engine/trainer.ts';
import { tensorsOf } from './shown.ts';
import type { Shown } from './shown.ts';

/** Maximum number of rows: more points are indistinguishable and take long to read. */
export const MOST_ROWS = 5000;
/** Maximum number of values per call of `Trainer.tensor`. */
const MOST_VALUES = 65_536;
/** Maximum pause of training per attempt to read, in milliseconds. */
const LONGEST = 300;
/** Maximum number of attempts. An attempt fails if a training step falls between its calls. */
const TRIES = 3;

/** The model to read, and the trainer. */
export interface AskedModel {
  readonly model: Model;
  /** The trainer, which may be `model` itself and may be training. */
  readonly trainer: Trainer;
}

export interface Rows {
  /** Number of training steps of the weights. */
  readonly step: number;
  readonly matrix: Matrix;
  /** Token of each row; null for the position table. */
  readonly tokens: readonly Token[] | null;
  /** Number of rows, or of tokens of the text, that were left out. */
  readonly omitted: number;
  /** Number of tokens left out because the training text never contains them. */
  readonly unused: number;
}

/**
 * Reads the rows of `shown`: if it is a number of blocks, the activations of `text` after them.
 * Null if the model lacks the tensor, or if all attempts failed. `vocabulary`: the model's tokens,
 * at least the first MOST_ROWS.
 */
export async function readRows(
  { model, trainer }: AskedModel,
  shown: Shown,
  text: string,
  vocabulary: readonly Token[],
): Promise<Rows | null> {
  const isText = typeof shown === 'number';
  // A weight table does not depend on the text, and a short text is fastest.
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
    unused: 0,
  };
}

/** A short text that the model can read. */
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
    // Pauses training if reading takes several calls, which must all find the same step.
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
