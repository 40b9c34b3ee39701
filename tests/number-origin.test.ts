/**
 * The origin of a number in the model: for every tensor of a pass, in all model families, the op's
 * formula applied to the inputs gives the engine's value.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { numbersQuestion } from '../web/instruments/model-parts/read-numbers.ts';
import { readOrigin } from '../web/instruments/model-parts/read-origin.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import type { NamedTensor, Tensors } from '../web/engine/trainer.ts';
import type { Session } from '../web/store/training/session.ts';
import type { Formula } from '../web/instruments/model-parts/number-origin.ts';
import { engineBytes } from './node/load-engine.ts';

const text = 'anna\nbella\nhanna\nalba\nnora\nleonora\n'.repeat(8);
const small = { layers: 2, heads: 2, channels: 8, context: 12, batch: 2, vocabulary: 262 };

const open: DirectTrainer[] = [];
afterEach(() => {
  for (const trainer of open.splice(0)) trainer.close();
});

async function trained(preset: string, changes: Record<string, number> = {}) {
  const trainer = new DirectTrainer(engineBytes());
  open.push(trainer);
  await trainer.setText(new Uint8Array(new TextEncoder().encode(text)));
  await trainer.prepare({ preset, changes: { ...small, lr: 0.01, ...changes } });
  for (let step = 0; step < 20; step++) await trainer.step();
  return trainer;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, k) => sum + x * (b[k] ?? NaN), 0);

/**
 * Evaluates the formula; NaN for an embedding, whose value is looked up, and for a surprise without
 * a probability.
 */
function valueOf(formula: Formula, column: number): number {
  switch (formula.op) {
    case 'linear':
      return dot(formula.inputs, formula.weights) + (formula.bias ?? 0);
    case 'mixture':
      return dot(formula.inputs, formula.weights);
    case 'positional':
    case 'add':
      return formula.terms[0] + formula.terms[1];
    case 'norm': {
      const { input, mean, deviation, gain, bias } = formula;
      return ((input - (mean ?? 0)) / deviation) * (gain ?? 1) + (bias ?? 0);
    }
    case 'gelu': {
      const { input: x, scale, cubic } = formula;
      return 0.5 * x * (1 + Math.tanh(scale * (x + cubic * x ** 3)));
    }
    case 'relu2':
      return Math.max(0, formula.input) ** 2;
    case 'share': {
      const { query, key, scale, scores } = formula;
      // The score written out in full equals the score in the list.
      expect(dot(query, key) * scale).toBeCloseTo(scores[column] ?? NaN, 5);
      const lifted = scores.map(Math.exp);
      return (lifted[column] ?? NaN) / lifted.reduce((sum, one) => sum + one, 0);
    }
    case 'future':
      return 0;
    case 'softmax':
      return Math.exp(formula.score - formula.largest) / formula.total;
    case 'surprise':
      return formula.probability === null ? NaN : -Math.log(formula.probability);
    case 'mean':
      return dot(formula.values, formula.values.map(() => 1)) / formula.values.length; // prettier-ignore
    case 'embedding':
      return NaN;
  }
}

/** Cells at the edges and in the middle of the first, middle and last matrix of a tensor. */
function placesOf({ shape }: NamedTensor) {
  const [width = 1, height = 1] = [shape.at(-1), shape.at(-2)];
  const matrices = shape.slice(0, -2).reduce((product, n) => product * n, 1);
  const spread = (n: number): number[] => [...new Set([0, n >> 1, n - 1])];
  return spread(matrices).flatMap((matrix) =>
    spread(height).flatMap((row) =>
      spread(width).map((column) => ({ matrix, cell: { row, column } })),
    ),
  );
}

const computed = ({ tensors }: Tensors): NamedTensor[] =>
  tensors.filter(({ kind }) => kind === 'node');

describe('the numbers that go into a number', () => {
  test.each([
    ['microgpt', {}],
    ['microgpt', { bias: 1, norm_gain: 1, activation: 0 }],
    ['tinygpt', {}],
    ['gpt2', {}],
    ['gpt2', { norm: 1, head_bias: 1, heads: 4 }],
    ['gpt2', { norm_epsilon: 0.5 }],
  ])('lead to it, for every tensor of %s %j', async (preset, changes) => {
    const trainer = await trained(preset, changes);
    const list = await trainer.tensors('leonora', false);
    const seen = new Set<string>();
    for (const tensor of computed(list)) {
      for (const { matrix, cell } of placesOf(tensor)) {
        const origin = await readOrigin(trainer, list, { tensor, matrix, cell });
        expect(origin, tensor.name).not.toBeNull();
        const { formula, result } = origin!;
        seen.add(formula.op);
        const { values } = await trainer.tensor(tensor.index, { gradient: false, matrix });
        expect(result).toBe(values[cell.row * (tensor.shape.at(-1) ?? 1) + cell.column]);
        if (formula.op === 'embedding') {
          const table = list.tensors.find(({ name }) => name === 'wte.weight')!;
          const row = await trainer.tensor(table.index, { gradient: false, firstRow: formula.id, rows: 1 }); // prettier-ignore
          expect(result).toBe(row.values[cell.column]);
        } else if (!(formula.op === 'surprise' && formula.probability === null)) {
          // The engine sums in float, the formula in double.
          const size = Math.max(1, Math.abs(result));
          const error = Math.abs(valueOf(formula, cell.column) - result) / size;
          expect([tensor.name, error < 2e-5]).toEqual([tensor.name, true]);
        }
      }
    }
    for (const op of [
      'embedding',
      'norm',
      'linear',
      'share',
      'future',
      'mixture',
      'add',
      'softmax',
      'surprise',
      'mean',
    ]) {
      expect(seen).toContain(op);
    }
  });

  test('are there for every op that any choice of the model uses', async () => {
    const { options } = await (await trained('gpt2')).options();
    const choices = options
      .filter(({ group, type }) => group === 'model' && (type === 'choice' || type === 'bool'))
      .flatMap(({ name, min, max }) =>
        Array.from({ length: max - min + 1 }, (_, at): [string, number] => [name, min + at]),
      );
    expect(choices.length).toBeGreaterThan(10);
    for (const choice of choices) {
      const trainer = await trained('gpt2', Object.fromEntries([choice]));
      const list = await trainer.tensors('nora', false);
      for (const tensor of computed(list)) {
        const place = { tensor, matrix: 0, cell: { row: 0, column: 0 } };
        const origin = await readOrigin(trainer, list, place);
        expect(origin, `FORMULAS in read-origin.ts: ${tensor.op}`).not.toBeNull();
        const numbers = Object.values(origin!.formula).filter((one) => typeof one === 'number');
        expect(numbers, `${tensor.op} lacks a constant`).not.toContain(NaN);
      }
      trainer.close();
    }
  });

  test('are not there for a parameter, which is learned', async () => {
    const trainer = await trained('tinygpt');
    const list = await trainer.tensors('nora', false);
    const tensor = list.tensors.find(({ kind }) => kind === 'parameter')!;
    const cell = { row: 0, column: 0 };
    expect(await readOrigin(trainer, list, { tensor, matrix: 0, cell })).toBeNull();
  });

  test('are not there for a cell that this text does not have', async () => {
    const trainer = await trained('microgpt');
    const list = await trainer.tensors('an', false);
    const tensor = list.tensors.find(({ name }) => name === 'block0.attn.heads')!;
    const at = (row: number) => readOrigin(trainer, list, { tensor, matrix: 0, cell: { row, column: 0 } }); // prettier-ignore
    expect(await at(2)).not.toBeNull();
    expect(await at(3)).toBeNull();
  });

  test('end with the end of a document, and of a stream with the last token but one', async () => {
    const last = async (preset: string): Promise<Formula | undefined> => {
      const trainer = await trained(preset);
      const list = await trainer.tensors('nora', false);
      const tensor = list.tensors.find(({ name }) => name === 'token_loss')!;
      const cell = { row: 0, column: list.tokens.length - 1 };
      return (await readOrigin(trainer, list, { tensor, matrix: 0, cell }))?.formula;
    };
    expect(await last('tinygpt')).toEqual({ op: 'surprise', probability: null });
    const ended = await last('microgpt');
    expect(ended?.op === 'surprise' && (ended.probability ?? 0) > 0).toBe(true);
  });
});

test('numbers are of their text, whichever texts were listed in between', async () => {
  const trainer = await trained('gpt2');
  const session = { trainer, run: null } as unknown as Session;
  const choice = { tensor: 'block0.attn.heads', gradient: true, matrix: 0, cell: null, around: null }; // prettier-ignore
  const wish = { run: 1, probe: 'leonora', choice, isTraceable: false };
  const { ask } = numbersQuestion(session, wish);
  const { list } = await ask(trainer);
  await trainer.tensors('nora', false);
  const { values } = await ask(trainer);
  expect(values?.rows).toBe(list.tokens.length);
});
