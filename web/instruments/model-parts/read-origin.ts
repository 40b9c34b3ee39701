/**
 * Reads the operands of one number of the model: for each op of the tape, the numbers in its
 * formula, all from the same step. origin-tables.ts formats them.
 */
import type { Cell } from '../../base/cell.ts';
import type { Model } from '../../engine/past-run.ts';
import type { NamedTensor, Tensors, TensorSlice, Token } from '../../engine/trainer.ts';
import type { Formula, NumberOrigin } from './number-origin.ts';

/** Maximum number of attempts to read all numbers at the same step. */
const TRIES = 3;

/** Position of a number: a tensor, one of its matrices, and a cell. */
export interface NumberPlace {
  readonly tensor: NamedTensor;
  readonly matrix: number;
  readonly cell: Cell;
}

/**
 * The origin of the number at `place`; null if it cannot be explained, or training was too fast.
 */
export async function readOrigin(
  model: Model,
  list: Tensors,
  place: NumberPlace,
): Promise<NumberOrigin | null> {
  const { tensor, matrix, cell } = place;
  const { row, column } = cell;
  const formulaOf = FORMULAS[tensor.op];
  // Another text may have fewer tokens than the text in which the cell was chosen.
  const isOutside = row >= (tensor.shape.at(-2) ?? 1) || column >= (tensor.shape.at(-1) ?? 1);
  if (formulaOf === undefined || isOutside) return null;
  for (let tries = 0; tries < TRIES; tries++) {
    const reader = new Reader(model, list, place);
    const [formula, result] = await Promise.all([
      formulaOf(reader, place),
      reader.number(tensor, row, column, matrix),
    ]);
    if (formula === null) return null;
    // Operands and result must be of the same step.
    if (reader.steps.size <= 1) return { cell, formula, result };
  }
  return null;
}

/** Reads parts of the listed tensors. */
class Reader {
  readonly list: Tensors;
  /** Steps of the values read so far; several if training advanced meanwhile. */
  readonly steps = new Set<number>();
  readonly #model: Model;
  readonly #tensor: NamedTensor;

  constructor(model: Model, list: Tensors, { tensor }: NumberPlace) {
    this.#model = model;
    this.list = list;
    this.#tensor = tensor;
  }

  /** The tensor of this name; throws if absent. */
  find(name: string): NamedTensor {
    const found = this.list.tensors.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no tensor ${name} for ${this.#tensor.name}`);
    return found;
  }

  /** Input number `at` of the tensor; throws if absent. */
  input(at: number): NamedTensor {
    return this.find(this.#tensor.inputs[at] ?? `number ${String(at)}`);
  }

  /** A constant in the formula of the tensor; NaN if absent. */
  constant(name: string): number {
    return this.#tensor.constants[name] ?? NaN;
  }

  async values(of: NamedTensor, slice: Partial<TensorSlice>): Promise<Float32Array> {
    const read = await this.#model.tensor(of.index, { gradient: false, ...slice });
    this.steps.add(read.step);
    return read.values;
  }

  row(of: NamedTensor, firstRow: number): Promise<Float32Array> {
    return this.values(of, { firstRow, rows: 1 });
  }

  /** One number; a vector has the single row 0. */
  async number(of: NamedTensor, firstRow: number, firstColumn: number, matrix = 0) {
    const [value] = await this.values(of, { matrix, firstRow, rows: 1, firstColumn, columns: 1 });
    return value ?? NaN;
  }
}

type FormulaReader = (reader: Reader, place: NumberPlace) => Promise<Formula | null>;

/** Functions that read the operands, by op. */
const FORMULAS: Readonly<Record<string, FormulaReader>> = {
  embedding: ({ list }, { cell }) => {
    const id = list.tokens[cell.row]?.id;
    return Promise.resolve(id === undefined ? null : { op: 'embedding', id });
  },
  positional: async (reader, place) => ({
    op: 'positional',
    terms: await readTerms(reader, place),
  }),
  add: async (reader, place) => ({ op: 'add', terms: await readTerms(reader, place) }),
  layernorm: readNorm,
  rmsnorm: readNorm,
  linear: readLinear,
  linear_transposed: readLinear,
  gelu: async (reader, place) => ({
    op: 'gelu',
    input: (await readTerms(reader, place, 1))[0],
    scale: reader.constant('scale'),
    cubic: reader.constant('cubic'),
  }),
  relu2: async (reader, place) => ({ op: 'relu2', input: (await readTerms(reader, place, 1))[0] }),
  attention: (reader, place) =>
    place.tensor.name.endsWith('.probs') ? readShare(reader, place) : readMixture(reader, place),
  cross_entropy: readCrossEntropy,
};

/** The cell's numbers in the first two inputs of its op; the second is NaN if `count` is 1. */
async function readTerms(
  reader: Reader,
  { cell: { row, column } }: NumberPlace,
  count = 2,
): Promise<[number, number]> {
  const inputs = [0, 1].slice(0, count).map((at) => reader.number(reader.input(at), row, column));
  const [a = NaN, b = NaN] = await Promise.all(inputs);
  return [a, b];
}

async function readLinear(
  reader: Reader,
  { tensor: { op, inputs: names }, cell: { row, column } }: NumberPlace,
): Promise<Formula> {
  // The weight of the logits has a row for each id of the vocabulary; other weights have a column
  // for each output.
  const transposed = op === 'linear_transposed';
  const side = transposed ? { firstRow: column, rows: 1 } : { firstColumn: column, columns: 1 };
  const [inputs, weights, bias] = await Promise.all([
    reader.row(reader.input(0), row),
    reader.values(reader.input(1), side),
    names.length > 2 ? reader.number(reader.input(2), 0, column) : null,
  ]);
  return { op: 'linear', inputs, weights, bias, transposed };
}

async function readNorm(
  reader: Reader,
  { tensor: { op, inputs }, cell: { row, column } }: NumberPlace,
): Promise<Formula> {
  const learned = (kind: string): Promise<number> | null => {
    const name = inputs.find((one) => one.endsWith(`.${kind}`));
    return name === undefined ? null : reader.number(reader.find(name), 0, column);
  };
  const [values, gain, bias] = await Promise.all([
    reader.row(reader.input(0), row),
    learned('weight'),
    learned('bias'),
  ]);
  const mean = op === 'layernorm' ? meanOf(values) : null;
  const spread = meanOf(values.map((value) => (value - (mean ?? 0)) ** 2));
  const deviation = Math.sqrt(spread + reader.constant('epsilon'));
  return { op: 'norm', input: values[column] ?? NaN, mean, deviation, gain, bias };
}

/**
 * Layout of a row of 3C numbers, in which queries, keys and values of C channels each are packed
 * (see c/tape/ops_attention.c); a head has d of the C channels.
 */
function packingOf(reader: Reader): { C: number; d: number } {
  const C = (reader.input(0).shape.at(-1) ?? 0) / 3;
  return { C, d: C / reader.constant('heads') };
}

async function readShare(
  reader: Reader,
  { matrix, cell: { row, column } }: NumberPlace,
): Promise<Formula | null> {
  if (column > row) return { op: 'future' };
  const qkv = reader.input(0);
  const { C, d } = packingOf(reader);
  const first = Math.min(matrix, C / d - 1) * d;
  const [query, keys] = await Promise.all([
    reader.values(qkv, { firstRow: row, rows: 1, firstColumn: first, columns: d }),
    reader.values(qkv, { firstRow: 0, rows: row + 1, firstColumn: C + first, columns: d }),
  ]);
  // Tensors of a very long context are thinned, so that keys are missing.
  if (keys.length !== (row + 1) * d) return null;
  const scale = reader.constant('scale');
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
): Promise<Formula> {
  const { C, d } = packingOf(reader);
  const head = Math.floor(column / d);
  const probs = reader.find(tensor.name.replace(/heads$/, 'probs'));
  const [weights, inputs] = await Promise.all([
    reader.values(probs, { matrix: head, firstRow: row, rows: 1, columns: row + 1 }),
    reader.values(reader.input(0), { firstRow: 0, rows: row + 1, firstColumn: 2 * C + column, columns: 1 }), // prettier-ignore
  ]);
  return { op: 'mixture', head, inputs, weights };
}

/** Cross-entropy computes three tensors: probabilities, token losses, and their mean. */
async function readCrossEntropy(
  reader: Reader,
  { tensor: { name }, cell: { row, column } }: NumberPlace,
): Promise<Formula> {
  const { tokens } = reader.list;
  if (name === 'loss') {
    const values = [...(await reader.values(reader.find('token_loss'), {}))];
    return { op: 'mean', values: values.filter((_, at) => targetOf(tokens, at) !== null) };
  }
  if (name === 'token_loss') {
    const target = targetOf(tokens, column);
    const probs = reader.find('probs');
    const probability = target === null ? null : await reader.number(probs, column, target);
    return { op: 'surprise', probability };
  }
  const scores = await reader.row(reader.find('logits'), row);
  const largest = scores.reduce((most, one) => Math.max(most, one), -Infinity);
  const total = scores.reduce((sum, one) => sum + Math.exp(one - largest), 0);
  return { op: 'softmax', score: scores[column] ?? NaN, largest, total, count: scores.length };
}

/**
 * Id of the token after token `at`; a document ends with the token that begins it. Null at the end
 * of a stream.
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
