/**
 * Reads what goes into one number of the model: for each op of the tape, the numbers that its
 * formula takes, all of the same step. How they are written out is for number-origin.ts.
 */
import type { Model } from '../../engine/past-run.ts';
import type { NamedTensor, Tensors, TensorSlice, Token } from '../../engine/trainer.ts';
import type { Formula, NumberOrigin } from './number-origin.ts';
import type { Cell } from '../../base/cell.ts';

/** Reads before giving up that all fall between the same two steps. */
const TRIES = 3;

/** A number of a tensor: in which matrix of several, and where there. */
export interface NumberPlace {
  readonly tensor: NamedTensor;
  readonly matrix: number;
  readonly cell: Cell;
}

/**
 * Where the number at `place` comes from; null where that cannot be told, or training was too fast.
 */
export async function readOrigin(
  trainer: Model,
  list: Tensors,
  place: NumberPlace,
): Promise<NumberOrigin | null> {
  const { tensor, matrix, cell } = place;
  // Another text may have fewer tokens than the one in which the cell was chosen.
  if (cell.row >= (tensor.shape.at(-2) ?? 1) || cell.column >= (tensor.shape.at(-1) ?? 1))
    return null;
  for (let tries = 0; tries < TRIES; tries++) {
    const reader = new Reader(trainer, list);
    const [formula, result] = await Promise.all([
      formulaOf(reader, place),
      reader.number(tensor, cell.row, cell.column, matrix),
    ]);
    if (formula === null) return null;
    // A step in between would make terms and result those of two models.
    if (reader.isOfOneStep()) return { cell, formula, result };
  }
  return null;
}

/** Reads parts of the listed tensors, and notes of which step they are. */
class Reader {
  readonly list: Tensors;
  readonly #trainer: Model;
  readonly #steps = new Set<number>();

  constructor(trainer: Model, list: Tensors) {
    this.#trainer = trainer;
    this.list = list;
  }

  /** An input of `tensor`, or the tensor called so; undefined if absent. */
  input({ inputs }: NamedTensor, at: number): NamedTensor | undefined {
    return this.find(inputs[at]);
  }

  find(name: string | undefined): NamedTensor | undefined {
    return this.list.tensors.find((one) => one.name === name);
  }

  async values(of: NamedTensor, slice: Partial<TensorSlice>): Promise<Float32Array> {
    const read = await this.#trainer.tensor(of.index, { gradient: false, ...slice });
    this.#steps.add(read.step);
    return read.values;
  }

  row(of: NamedTensor, firstRow: number): Promise<Float32Array> {
    return this.values(of, { firstRow, rows: 1 });
  }

  column(of: NamedTensor, firstColumn: number): Promise<Float32Array> {
    return this.values(of, { firstColumn, columns: 1 });
  }

  /** One number; of a vector, its only row is row 0. */
  async number(
    of: NamedTensor,
    firstRow: number,
    firstColumn: number,
    matrix = 0,
  ): Promise<number> {
    const values = await this.values(of, { matrix, firstRow, rows: 1, firstColumn, columns: 1 });
    return values[0] ?? NaN;
  }

  isOfOneStep(): boolean {
    return this.#steps.size <= 1;
  }
}

type FormulaReader = (reader: Reader, place: NumberPlace) => Promise<Formula | null>;

/** By the op that computed the tensor. */
const FORMULAS: Readonly<Record<string, FormulaReader>> = {
  embedding: ({ list }, { cell }) => {
    const id = list.tokens[cell.row]?.id;
    return Promise.resolve(id === undefined ? null : { op: 'embedding', id });
  },
  positional: (reader, place) => readTerms(reader, place, 'positional'),
  add: (reader, place) => readTerms(reader, place, 'add'),
  layernorm: readNorm,
  rmsnorm: readNorm,
  linear: (reader, place) => readLinear(reader, place, (w) => reader.column(w, place.cell.column)),
  // The head's matrix has a row for each token, the others have a column for each output.
  linear_transposed: (reader, place) =>
    readLinear(reader, place, (w) => reader.row(w, place.cell.column), true),
  gelu: async (reader, place) => {
    const input = await readInput(reader, place);
    const [scale, cubic] = [constantOf(place.tensor, 'scale'), constantOf(place.tensor, 'cubic')];
    return input === null ? null : { op: 'gelu', input, scale, cubic };
  },
  relu2: async (reader, place) => {
    const input = await readInput(reader, place);
    return input === null ? null : { op: 'relu2', input };
  },
  attention: (reader, place) =>
    place.tensor.name.endsWith('.probs') ? readShare(reader, place) : readMixture(reader, place),
  cross_entropy: readCrossEntropy,
};

async function formulaOf(reader: Reader, place: NumberPlace): Promise<Formula | null> {
  return (await FORMULAS[place.tensor.op]?.(reader, place)) ?? null;
}

async function readLinear(
  reader: Reader,
  { tensor, cell }: NumberPlace,
  readWeights: (weights: NamedTensor) => Promise<Float32Array>,
  transposed = false,
): Promise<Formula | null> {
  const [x, w, b] = [0, 1, 2].map((at) => reader.input(tensor, at));
  if (x === undefined || w === undefined) return null;
  const [inputs, weights, bias] = await Promise.all([
    reader.row(x, cell.row),
    readWeights(w),
    b === undefined ? null : reader.number(b, 0, cell.column),
  ]);
  return { op: 'linear', inputs, weights, bias, transposed };
}

/** Two tensors of the same shape, added. */
async function readTerms(
  reader: Reader,
  { tensor, cell: { row, column } }: NumberPlace,
  op: 'positional' | 'add',
): Promise<Formula | null> {
  const [a, b] = [0, 1].map((at) => reader.input(tensor, at));
  if (a === undefined || b === undefined) return null;
  const terms = await Promise.all([reader.number(a, row, column), reader.number(b, row, column)]);
  return { op, terms };
}

async function readNorm(
  reader: Reader,
  { tensor, cell: { row, column } }: NumberPlace,
): Promise<Formula | null> {
  const x = reader.input(tensor, 0);
  if (x === undefined) return null;
  const learned = (kind: string): Promise<number | null> => {
    const found = reader.find(tensor.inputs.find((name) => name.endsWith(`.${kind}`)));
    return found === undefined ? Promise.resolve(null) : reader.number(found, 0, column);
  };
  const [values, gain, bias] = await Promise.all([
    reader.row(x, row),
    learned('weight'),
    learned('bias'),
  ]);
  const mean = tensor.op === 'layernorm' ? meanOf(values) : null;
  const spread = meanOf(values.map((value) => (value - (mean ?? 0)) ** 2));
  const input = values[column] ?? NaN;
  return {
    op: 'norm',
    input,
    mean,
    deviation: Math.sqrt(spread + constantOf(tensor, 'epsilon')),
    gain,
    bias,
  };
}

/** The number at the same place of the first input; null if that is not listed. */
function readInput(reader: Reader, { tensor, cell }: NumberPlace): Promise<number | null> {
  const x = reader.input(tensor, 0);
  return x === undefined ? Promise.resolve(null) : reader.number(x, cell.row, cell.column);
}

/** A number in the formula of the op that computed `tensor`. */
function constantOf({ constants }: NamedTensor, name: string): number {
  return constants[name] ?? NaN;
}

/** How queries, keys and values of one head lie in the packed rows; see c/tape/ops_attention.c. */
function packingOf(qkv: NamedTensor, attention: NamedTensor): { C: number; d: number } {
  const C = (qkv.shape.at(-1) ?? 0) / 3;
  return { C, d: C / constantOf(attention, 'heads') };
}

async function readShare(
  reader: Reader,
  { tensor, matrix, cell: { row, column } }: NumberPlace,
): Promise<Formula | null> {
  const qkv = reader.input(tensor, 0);
  if (qkv === undefined) return null;
  if (column > row) return { op: 'future' };
  const { C, d } = packingOf(qkv, tensor);
  const first = Math.min(matrix, C / d - 1) * d;
  const [query, keys] = await Promise.all([
    reader.values(qkv, { firstRow: row, rows: 1, firstColumn: first, columns: d }),
    reader.values(qkv, { firstRow: 0, rows: row + 1, firstColumn: C + first, columns: d }),
  ]);
  // Of a very long context not every key comes: then there is nothing to add up.
  if (keys.length !== (row + 1) * d) return null;
  const scale = constantOf(tensor, 'scale');
  const keyOf = (j: number): Float32Array => keys.subarray(j * d, (j + 1) * d);
  const scores = Array.from({ length: row + 1 }, (_, j) => {
    const key = keyOf(j);
    return query.reduce((sum, q, k) => sum + q * (key[k] ?? NaN), 0) * scale;
  });
  return { op: 'share', query, key: keyOf(column), scale, scores };
}

async function readMixture(
  reader: Reader,
  { tensor, cell: { row, column } }: NumberPlace,
): Promise<Formula | null> {
  const qkv = reader.input(tensor, 0);
  const probs = reader.find(tensor.name.replace(/heads$/, 'probs'));
  if (qkv === undefined || probs === undefined) return null;
  const { C, d } = packingOf(qkv, tensor);
  const head = Math.floor(column / d);
  const [weights, inputs] = await Promise.all([
    reader.values(probs, { matrix: head, firstRow: row, rows: 1, columns: row + 1 }),
    reader.values(qkv, { firstRow: 0, rows: row + 1, firstColumn: 2 * C + column, columns: 1 }),
  ]);
  return { op: 'mixture', head, inputs, weights };
}

/** One op gives three tensors: probabilities, the loss of each token, and their mean. */
async function readCrossEntropy(
  reader: Reader,
  { tensor, cell }: NumberPlace,
): Promise<Formula | null> {
  const { tokens } = reader.list;
  const [losses, probs, logits] = ['token_loss', 'probs', 'logits'].map((name) =>
    reader.find(name),
  );
  if (losses === undefined || probs === undefined || logits === undefined) return null;
  if (tensor.name === 'loss') {
    const values = [...(await reader.values(losses, {}))];
    return { op: 'mean', values: values.filter((_, at) => targetOf(tokens, at) !== null) };
  }
  if (tensor.name === 'token_loss') {
    const target = targetOf(tokens, cell.column);
    const probability = target === null ? null : await reader.number(probs, cell.column, target);
    return { op: 'surprise', probability };
  }
  const scores = await reader.row(logits, cell.row);
  const largest = scores.reduce((most, one) => Math.max(most, one), -Infinity);
  const total = scores.reduce((sum, one) => sum + Math.exp(one - largest), 0);
  return { op: 'softmax', score: scores[cell.column] ?? NaN, largest, total, count: scores.length };
}

/**
 * The id of what comes after token `at`: a document ends with the token that begins it, a stream
 * with none.
 */
function targetOf(tokens: readonly Token[], at: number): number | null {
  const next = tokens[at + 1];
  if (next !== undefined) return next.id;
  const [first] = tokens;
  return first?.kind === 'bos' ? first.id : null;
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
