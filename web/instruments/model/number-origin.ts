/**
 * Where one number of the model comes from: the formula of the op that computed it, written out
 * with the numbers that go into it now. The last line is what the engine has; the lines above lead
 * to it.
 */
import { capitalised } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, table } from '../../kit/dom.ts';
import { numberText } from '../../kit/tensor-map.ts';
import type { Cell } from '../../base/cell.ts';

/** What an op does to get one number; the names are those of the tape's ops. */
export type Formula =
  | {
      readonly op: 'linear';
      readonly inputs: Float32Array;
      readonly weights: Float32Array;
      readonly bias: number | null;
      /** The weights are a row of their matrix and not a column. */
      readonly transposed: boolean;
    }
  /** A row of the token table, looked up. */
  | { readonly op: 'embedding'; readonly id: number }
  /** Of a token and of its place. */
  | { readonly op: 'positional'; readonly terms: readonly [number, number] }
  /** Of the stream and of what is added to it. */
  | { readonly op: 'add'; readonly terms: readonly [number, number] }
  | {
      readonly op: 'norm';
      readonly input: number;
      /** Null for RMSNorm, which subtracts none. */
      readonly mean: number | null;
      /** With the epsilon under the root. */
      readonly deviation: number;
      readonly gain: number | null;
      readonly bias: number | null;
    }
  /** `scale` and `cubic`: the coefficients inside of its tanh. */
  | { readonly op: 'gelu'; readonly input: number; readonly scale: number; readonly cubic: number }
  | { readonly op: 'relu2'; readonly input: number }
  /**
   * A share of attention: one query with one key, then softmax over `scores`, one for each token so
   * far.
   */
  | {
      readonly op: 'share';
      readonly query: Float32Array;
      readonly key: Float32Array;
      /** What a product of query and key is multiplied by: 1/√d. */
      readonly scale: number;
      readonly scores: readonly number[];
    }
  /** The share of a token that comes later. */
  | { readonly op: 'future' }
  /** What a head passes on: one value of each token so far, by the shares in `weights`. */
  | {
      readonly op: 'mixture';
      readonly head: number;
      readonly inputs: Float32Array;
      readonly weights: Float32Array;
    }
  /** `total`: e to the power of every score less the largest, added up. */
  | {
      readonly op: 'softmax';
      readonly score: number;
      readonly largest: number;
      readonly total: number;
      readonly count: number;
    }
  /** The loss of one token by its probability; null where nothing comes after it. */
  | { readonly op: 'surprise'; readonly probability: number | null }
  | { readonly op: 'mean'; readonly values: readonly number[] };

export interface NumberOrigin {
  readonly cell: Cell;
  readonly formula: Formula;
  /** What the engine got. */
  readonly result: number;
}

export interface OriginNames {
  readonly row: (row: number) => string;
  readonly column: (column: number) => string;
}

/** Terms of a sum that are written out. */
const TERMS = 6;

/** The tables that lead to the number, with a sentence above each. */
export function originTables(
  origin: NumberOrigin,
  names: OriginNames,
  words: AllWords,
): HTMLElement[] {
  const { t } = words;
  const { cell, formula, result } = origin;
  const text = (value: number): string => numberText(value, words);
  const place = capitalised(
    t('origin.place', { row: names.row(cell.row), column: names.column(cell.column) }),
  );
  const count = (n: number): string => words.number(n);

  /** One line for each thing that is done, the result last. */
  function steps(
    caption: string,
    lines: readonly (readonly [string, number | string])[],
  ): HTMLElement {
    const rows = [...lines, [t('origin.result'), result] as const];
    const heads = [t('origin.step'), t('origin.value')];
    return table(caption, heads, rows.map(([name, value]) => [name, typeof value === 'string' ? value : text(value)])); // prettier-ignore
  }

  /** Two rows of numbers, multiplied term by term and added up. */
  function products(
    caption: string,
    heads: readonly [string, string, string],
    [left, right]: readonly [Float32Array, Float32Array],
    nameOf: (k: number) => string,
    last: readonly (readonly [string, number])[],
  ): HTMLElement {
    const terms = Array.from(left, (x, k) => ({ k, x, w: right[k] ?? NaN }));
    const shown = terms.slice(0, TERMS);
    const rest = terms.slice(TERMS).reduce((sum, { x, w }) => sum + x * w, 0);
    const rows = shown.map(({ k, x, w }) => [nameOf(k), text(x), text(w), text(x * w)]);
    const more = terms.length - shown.length;
    if (more > 0) rows.push([t('origin.rest', { count: more }), '', '', text(rest)]);
    for (const [name, value] of last) rows.push([name, '', '', text(value)]);
    return table(caption, [...heads, t('origin.product')], rows);
  }

  function share({ query, key, scale, scores }: Formula & { op: 'share' }): HTMLElement[] {
    const scaled = scores[cell.column] ?? NaN;
    const tokens = { row: names.row(cell.row), column: names.column(cell.column) };
    const score = products(
      t('origin.score', tokens),
      [t('origin.channel'), t('origin.query'), t('origin.key')],
      [query, key],
      (k) => count(k + 1),
      [
        [t('origin.sum'), scaled / scale],
        [t('origin.divided', { size: count(query.length) }), scaled],
      ],
    );
    const largest = Math.max(...scores);
    const lifted = scores.map((one) => Math.exp(one - largest));
    const total = lifted.reduce((sum, one) => sum + one, 0);
    // The chosen token, and the strongest of the others, in the order of the text.
    const order = scores.map((_, j) => j).sort((a, b) => Number(b === cell.column) - Number(a === cell.column) || (scores[b] ?? 0) - (scores[a] ?? 0)); // prettier-ignore
    const kept = new Set(order.slice(0, TERMS));
    const line = (name: string, ...values: readonly number[]): string[] => [
      name,
      ...values.map(text),
    ];
    const rows = scores.flatMap((one, j) => {
      const e = lifted[j] ?? NaN;
      return kept.has(j) ? [line(names.column(j), one, e, e / total)] : [];
    });
    const left = lifted.filter((_, j) => !kept.has(j)).reduce((sum, one) => sum + one, 0);
    const more = scores.length - kept.size;
    if (more > 0) rows.push([t('origin.others', { count: more }), '', text(left), text(left / total)]); // prettier-ignore
    rows.push([t('origin.sum'), '', text(total), '1']);
    rows.push([t('origin.result'), '', '', text(result)]);
    const heads = [t('origin.token'), t('origin.divided.short'), t('origin.lifted', { largest: text(largest) }), t('origin.share')]; // prettier-ignore
    return [score, table(t('origin.shares', tokens), heads, rows)];
  }

  function said(sentence: string): HTMLElement[] {
    return [el('p', { class: 'note' }, sentence)];
  }

  switch (formula.op) {
    case 'linear': {
      const { inputs, weights, bias, transposed } = formula;
      return [
        products(
          t(transposed ? 'origin.transposed' : 'origin.linear', { place }),
          [t('origin.k'), t('origin.input'), t('origin.weight')],
          [inputs, weights],
          (k) => count(k + 1),
          [
            ...(bias === null ? [] : [[t('origin.bias'), bias] as const]),
            [t('origin.result'), result],
          ],
        ),
      ];
    }
    case 'embedding':
      return [steps(t('origin.embedding', { place, id: String(formula.id) }), [])];
    case 'positional':
    case 'add': {
      const [from, what] = formula.terms;
      return [
        steps(t(`origin.${formula.op}`, { place }), [
          [t(`origin.${formula.op}.first`), from],
          [t(`origin.${formula.op}.second`), what],
        ]),
      ];
    }
    case 'norm': {
      const { input, mean, deviation, gain, bias } = formula;
      const lines: (readonly [string, number])[] = [[t('origin.input'), input]];
      if (mean !== null) lines.push([t('origin.mean'), mean]);
      lines.push([t(mean === null ? 'origin.rms' : 'origin.deviation'), deviation]);
      lines.push([t(mean === null ? 'origin.scaled' : 'origin.shifted'), (input - (mean ?? 0)) / deviation]); // prettier-ignore
      if (gain !== null) lines.push([t('origin.gain'), gain]);
      if (bias !== null) lines.push([t('origin.bias'), bias]);
      return [steps(t('origin.norm', { place }), lines)];
    }
    case 'gelu': {
      const { input, scale, cubic } = formula;
      const bend = Math.tanh(scale * (input + cubic * input ** 3));
      return [
        steps(t('origin.gelu', { place }), [
          [t('origin.input'), input],
          [t('origin.tanh'), bend],
        ]),
      ];
    }
    case 'relu2':
      return [
        steps(t('origin.relu2', { place }), [
          [t('origin.input'), formula.input],
          [t('origin.positive'), Math.max(0, formula.input)],
        ]),
      ];
    case 'share':
      return share(formula);
    case 'future':
      return said(t('origin.future', { row: names.row(cell.row), column: names.column(cell.column) })); // prettier-ignore
    case 'mixture': {
      const { head, inputs, weights } = formula;
      return [
        products(
          t('origin.mixture', { place, head: count(head + 1) }),
          [t('origin.token'), t('origin.share'), t('origin.value.of')],
          [weights, inputs],
          names.row,
          [[t('origin.result'), result]],
        ),
      ];
    }
    case 'softmax': {
      const { score, largest, total } = formula;
      return [
        steps(t('origin.softmax', { place }), [
          [t('origin.own'), score],
          [t('origin.largest', { count: formula.count }), largest],
          [t('origin.power'), Math.exp(score - largest)],
          [t('origin.total', { count: formula.count }), total],
        ]),
      ];
    }
    case 'surprise':
      if (formula.probability === null) return said(t('origin.unscored'));
      return [
        steps(t('origin.surprise', { token: names.column(cell.column) }), [
          [t('origin.came'), formula.probability],
        ]),
      ];
    case 'mean': {
      const { values } = formula;
      const sum = values.reduce((total, value) => total + value, 0);
      return [
        steps(t('origin.average'), [
          [t('origin.sum'), sum],
          [t('origin.scored'), count(values.length)],
        ]),
      ];
    }
  }
}
