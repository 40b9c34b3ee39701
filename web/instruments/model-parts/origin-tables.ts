/**
 * Tables that derive a number of the model: the last line is the engine's result, the lines above
 * lead to it.
 */
import { capitalised } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { DataTableProps } from '../../kit/data-table.tsx';
import { numberText } from '../../kit/tensor-map.tsx';
import type { SideNames } from '../../kit/tensor-map.tsx';
import type { Formula, NumberOrigin } from './number-origin.ts';

/** A table, or a sentence as a caption without rows. */
export type OriginTable = Omit<DataTableProps, 'label'>;

/** The formula of one op. */
type Of<Op extends Formula['op']> = Formula & { readonly op: Op };

/** A step of the derivation with its result. */
type Line = readonly [name: string, value: number | string];

/** Number of terms of a sum that are listed. */
const TERMS = 6;

export function originTables(
  { cell, formula, result }: NumberOrigin,
  names: SideNames,
  words: AllWords,
): OriginTable[] {
  const { t, number } = words;
  const text = (value: number): string => numberText(value, words);
  const token = { row: names.row(cell.row), column: names.column(cell.column) };
  const place = capitalised(t('origin.place', token));
  const input = t('origin.input');

  const sentence = (caption: string): OriginTable[] => [{ caption, heads: [], rows: [] }];

  /** A table with a line per step, the result last. */
  const steps = (caption: string, ...lines: readonly Line[]): OriginTable[] => [
    {
      caption,
      heads: [t('origin.step'), t('origin.value')],
      rows: [...lines, [t('origin.result'), result] as const].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : text(value),
      ]),
    },
  ];

  /** A table of products of two rows of numbers, and their sum. */
  const products = (
    caption: string,
    heads: readonly [string, string, string],
    [left, right]: readonly [Float32Array, Float32Array],
    nameOf: (k: number) => string,
    ...last: readonly (readonly [string, number])[]
  ): OriginTable => {
    const terms = Array.from(left, (x, k) => ({ k, x, w: right[k] ?? NaN }));
    const rest = terms.slice(TERMS);
    const others = sum(rest.map(({ x, w }) => x * w));
    return {
      caption,
      heads: [...heads, t('origin.product')],
      rows: [
        ...terms.slice(0, TERMS).map(({ k, x, w }) => [nameOf(k), text(x), text(w), text(x * w)]),
        ...(rest.length === 0
          ? []
          : [[t('origin.rest', { count: rest.length }), '', '', text(others)]]),
        ...last.map(([name, value]) => [name, '', '', text(value)]),
      ],
    };
  };

  const channel = (k: number): string => number(k + 1);

  const norm = ({ input: from, mean, deviation, gain, bias }: Of<'norm'>): OriginTable[] => {
    const isRms = mean === null;
    const lines: (Line | null)[] = [
      [input, from],
      isRms ? null : [t('origin.mean'), mean],
      [t(isRms ? 'origin.rms' : 'origin.deviation'), deviation],
      [t(isRms ? 'origin.scaled' : 'origin.shifted'), (from - (mean ?? 0)) / deviation],
      gain === null ? null : [t('origin.gain'), gain],
      bias === null ? null : [t('origin.bias'), bias],
    ];
    return steps(t('origin.norm', { place }), ...lines.filter((line) => line !== null));
  };

  /** Table of the score: the product of the query and one key, scaled. */
  const score = ({ query, key, scale, scores }: Of<'share'>): OriginTable => {
    const scaled = scores[cell.column] ?? NaN;
    return products(
      t('origin.score', token),
      [t('origin.channel'), t('origin.query'), t('origin.key')],
      [query, key],
      channel,
      [t('origin.sum'), scaled / scale],
      [t('origin.divided', { size: number(query.length) }), scaled],
    );
  };

  /** Table of the softmax over the scores: the chosen token and the strongest others. */
  const shares = ({ scores }: Of<'share'>): OriginTable => {
    const largest = Math.max(...scores);
    const lifted = scores.map((one) => Math.exp(one - largest));
    const total = sum(lifted);
    const kept = strongest(scores, cell.column);
    const left = sum(lifted.filter((_, j) => !kept.has(j)));
    const count = scores.length - kept.size;
    const power = t('origin.lifted', { largest: text(largest) });
    return {
      caption: t('origin.shares', token),
      heads: [t('origin.token'), t('origin.divided.short'), power, t('origin.share')],
      rows: [
        ...scores.flatMap((one, j) => {
          const e = lifted[j] ?? NaN;
          return kept.has(j) ? [[names.column(j), ...[one, e, e / total].map(text)]] : [];
        }),
        ...(count === 0
          ? []
          : [[t('origin.others', { count }), '', text(left), text(left / total)]]),
        [t('origin.sum'), '', text(total), '1'],
        [t('origin.result'), '', '', text(result)],
      ],
    };
  };

  switch (formula.op) {
    case 'linear': {
      const { inputs, weights, bias, transposed } = formula;
      return [
        products(
          t(transposed ? 'origin.transposed' : 'origin.linear', { place }),
          [t('origin.k'), input, t('origin.weight')],
          [inputs, weights],
          channel,
          ...(bias === null ? [] : [[t('origin.bias'), bias] as const]),
          [t('origin.result'), result],
        ),
      ];
    }
    case 'embedding':
      return steps(t('origin.embedding', { place, id: String(formula.id) }));
    case 'positional':
    case 'add': {
      const { op, terms } = formula;
      return steps(
        t(`origin.${op}`, { place }),
        [t(`origin.${op}.first`), terms[0]],
        [t(`origin.${op}.second`), terms[1]],
      );
    }
    case 'norm':
      return norm(formula);
    case 'gelu': {
      const { input: from, scale, cubic } = formula;
      const bend = Math.tanh(scale * (from + cubic * from ** 3));
      return steps(t('origin.gelu', { place }), [input, from], [t('origin.tanh'), bend]);
    }
    case 'relu2': {
      const positive = Math.max(0, formula.input);
      const lines = [[input, formula.input] as const, [t('origin.positive'), positive] as const];
      return steps(t('origin.relu2', { place }), ...lines);
    }
    case 'share':
      return [score(formula), shares(formula)];
    case 'future':
      return sentence(t('origin.future', token));
    case 'mixture': {
      const { head, inputs, weights } = formula;
      return [
        products(
          t('origin.mixture', { place, head: number(head + 1) }),
          [t('origin.token'), t('origin.share'), t('origin.value.of')],
          [weights, inputs],
          names.row,
          [t('origin.result'), result],
        ),
      ];
    }
    case 'softmax': {
      const { score: own, largest, total, count } = formula;
      return steps(
        t('origin.softmax', { place }),
        [t('origin.own'), own],
        [t('origin.largest', { count }), largest],
        [t('origin.power'), Math.exp(own - largest)],
        [t('origin.total', { count }), total],
      );
    }
    case 'surprise': {
      const { probability } = formula;
      if (probability === null) return sentence(t('origin.unscored'));
      const caption = t('origin.surprise', { token: token.column });
      return steps(caption, [t('origin.came'), probability]);
    }
    case 'mean': {
      const { values } = formula;
      const scored = number(values.length);
      return steps(
        t('origin.average'),
        [t('origin.sum'), sum(values)],
        [t('origin.scored'), scored],
      );
    }
  }
}

/** Indices of the chosen token and of the highest other scores, TERMS in all. */
function strongest(scores: readonly number[], chosen: number): ReadonlySet<number> {
  const isChosen = (j: number): number => Number(j === chosen);
  const order = scores
    .map((_, j) => j)
    .sort((a, b) => isChosen(b) - isChosen(a) || (scores[b] ?? 0) - (scores[a] ?? 0));
  return new Set(order.slice(0, TERMS));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
