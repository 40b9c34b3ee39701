/**
 * Where one number of the model comes from, written out: the last line is what the engine has; the
 * lines above lead to it.
 */
import { capitalised } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, table } from '../../kit/dom.ts';
import { numberText } from '../../kit/tensor-map.ts';
import type { Formula, NumberOrigin } from './number-origin.ts';

export interface OriginNames {
  readonly row: (row: number) => string;
  readonly column: (column: number) => string;
}

/** The formula of one op. */
type Of<Op extends Formula['op']> = Formula & { readonly op: Op };

/** Something that is done, and the number that it gives. */
type Line = readonly [name: string, value: number | string];

/** Terms of a sum that are written out. */
const TERMS = 6;

/** The tables that lead to the number, with a sentence above each. */
export function originTables(
  origin: NumberOrigin,
  names: OriginNames,
  words: AllWords,
): HTMLElement[] {
  return new OriginTables(origin, names, words).of(origin.formula);
}

class OriginTables {
  readonly #column: number;
  readonly #result: number;
  readonly #names: OriginNames;
  readonly #words: AllWords;
  /** The names of its row and its column, and both as a beginning of a sentence. */
  readonly #tokens: { readonly row: string; readonly column: string };
  readonly #place: string;

  constructor({ cell, result }: NumberOrigin, names: OriginNames, words: AllWords) {
    this.#column = cell.column;
    this.#result = result;
    this.#names = names;
    this.#words = words;
    this.#tokens = { row: names.row(cell.row), column: names.column(cell.column) };
    this.#place = capitalised(words.t('origin.place', this.#tokens));
  }

  of(formula: Formula): HTMLElement[] {
    const { t } = this.#words;
    const place = this.#place;
    switch (formula.op) {
      case 'linear':
        return [this.#linear(formula)];
      case 'embedding':
        return [this.#steps(t('origin.embedding', { place, id: String(formula.id) }), [])];
      case 'positional':
      case 'add':
        return [this.#sumOfTwo(formula)];
      case 'norm':
        return [this.#norm(formula)];
      case 'gelu':
        return [this.#gelu(formula)];
      case 'relu2':
        return [this.#relu2(formula)];
      case 'share':
        return [this.#score(formula), this.#shares(formula)];
      case 'future':
        return [said(t('origin.future', this.#tokens))];
      case 'mixture':
        return [this.#mixture(formula)];
      case 'softmax':
        return [this.#softmax(formula)];
      case 'surprise':
        return [this.#surprise(formula)];
      case 'mean':
        return [this.#mean(formula)];
    }
  }

  #linear({ inputs, weights, bias, transposed }: Of<'linear'>): HTMLElement {
    const { t } = this.#words;
    return this.#products(
      t(transposed ? 'origin.transposed' : 'origin.linear', { place: this.#place }),
      [t('origin.k'), t('origin.input'), t('origin.weight')],
      [inputs, weights],
      (k) => this.#words.number(k + 1),
      [
        ...(bias === null ? [] : [[t('origin.bias'), bias] as const]),
        [t('origin.result'), this.#result],
      ],
    );
  }

  #sumOfTwo({ op, terms: [from, what] }: Of<'positional' | 'add'>): HTMLElement {
    const { t } = this.#words;
    return this.#steps(t(`origin.${op}`, { place: this.#place }), [
      [t(`origin.${op}.first`), from],
      [t(`origin.${op}.second`), what],
    ]);
  }

  #norm({ input, mean, deviation, gain, bias }: Of<'norm'>): HTMLElement {
    const { t } = this.#words;
    const lines: Line[] = [[t('origin.input'), input]];
    if (mean !== null) lines.push([t('origin.mean'), mean]);
    lines.push([t(mean === null ? 'origin.rms' : 'origin.deviation'), deviation]);
    const scaled = (input - (mean ?? 0)) / deviation;
    lines.push([t(mean === null ? 'origin.scaled' : 'origin.shifted'), scaled]);
    if (gain !== null) lines.push([t('origin.gain'), gain]);
    if (bias !== null) lines.push([t('origin.bias'), bias]);
    return this.#steps(t('origin.norm', { place: this.#place }), lines);
  }

  #gelu({ input, scale, cubic }: Of<'gelu'>): HTMLElement {
    const { t } = this.#words;
    const bend = Math.tanh(scale * (input + cubic * input ** 3));
    return this.#steps(t('origin.gelu', { place: this.#place }), [
      [t('origin.input'), input],
      [t('origin.tanh'), bend],
    ]);
  }

  #relu2({ input }: Of<'relu2'>): HTMLElement {
    const { t } = this.#words;
    return this.#steps(t('origin.relu2', { place: this.#place }), [
      [t('origin.input'), input],
      [t('origin.positive'), Math.max(0, input)],
    ]);
  }

  /** How well the key of a token fits the query. */
  #score({ query, key, scale, scores }: Of<'share'>): HTMLElement {
    const { t, number } = this.#words;
    const scaled = scores[this.#column] ?? NaN;
    return this.#products(
      t('origin.score', this.#tokens),
      [t('origin.channel'), t('origin.query'), t('origin.key')],
      [query, key],
      (k) => number(k + 1),
      [
        [t('origin.sum'), scaled / scale],
        [t('origin.divided', { size: number(query.length) }), scaled],
      ],
    );
  }

  /** Softmax over the scores: the chosen token beside the strongest of the others. */
  #shares({ scores }: Of<'share'>): HTMLElement {
    const { t } = this.#words;
    const text = (value: number): string => numberText(value, this.#words);
    const largest = Math.max(...scores);
    const lifted = scores.map((one) => Math.exp(one - largest));
    const total = sum(lifted);
    const kept = strongest(scores, this.#column);
    const rows = scores.flatMap((one, j) => {
      const e = lifted[j] ?? NaN;
      return kept.has(j) ? [[this.#names.column(j), ...[one, e, e / total].map(text)]] : [];
    });
    const left = sum(lifted.filter((_, j) => !kept.has(j)));
    const count = scores.length - kept.size;
    if (count > 0) rows.push([t('origin.others', { count }), '', text(left), text(left / total)]);
    rows.push([t('origin.sum'), '', text(total), '1']);
    rows.push([t('origin.result'), '', '', text(this.#result)]);
    const power = t('origin.lifted', { largest: text(largest) });
    const heads = [t('origin.token'), t('origin.divided.short'), power, t('origin.share')];
    return table(t('origin.shares', this.#tokens), heads, rows);
  }

  #mixture({ head, inputs, weights }: Of<'mixture'>): HTMLElement {
    const { t, number } = this.#words;
    return this.#products(
      t('origin.mixture', { place: this.#place, head: number(head + 1) }),
      [t('origin.token'), t('origin.share'), t('origin.value.of')],
      [weights, inputs],
      this.#names.row,
      [[t('origin.result'), this.#result]],
    );
  }

  #softmax({ score, largest, total, count }: Of<'softmax'>): HTMLElement {
    const { t } = this.#words;
    return this.#steps(t('origin.softmax', { place: this.#place }), [
      [t('origin.own'), score],
      [t('origin.largest', { count }), largest],
      [t('origin.power'), Math.exp(score - largest)],
      [t('origin.total', { count }), total],
    ]);
  }

  #surprise({ probability }: Of<'surprise'>): HTMLElement {
    const { t } = this.#words;
    if (probability === null) return said(t('origin.unscored'));
    const token = this.#tokens.column;
    return this.#steps(t('origin.surprise', { token }), [[t('origin.came'), probability]]);
  }

  #mean({ values }: Of<'mean'>): HTMLElement {
    const { t, number } = this.#words;
    return this.#steps(t('origin.average'), [
      [t('origin.sum'), sum(values)],
      [t('origin.scored'), number(values.length)],
    ]);
  }

  /** One line for each thing that is done, the result last. */
  #steps(caption: string, lines: readonly Line[]): HTMLElement {
    const { t } = this.#words;
    const rows = [...lines, [t('origin.result'), this.#result] as const].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : numberText(value, this.#words),
    ]);
    return table(caption, [t('origin.step'), t('origin.value')], rows);
  }

  /** Two rows of numbers, multiplied term by term and added up. */
  #products(
    caption: string,
    heads: readonly [string, string, string],
    [left, right]: readonly [Float32Array, Float32Array],
    nameOf: (k: number) => string,
    last: readonly (readonly [string, number])[],
  ): HTMLElement {
    const { t } = this.#words;
    const text = (value: number): string => numberText(value, this.#words);
    const terms = Array.from(left, (x, k) => ({ k, x, w: right[k] ?? NaN }));
    const shown = terms.slice(0, TERMS);
    const rest = terms.slice(TERMS).reduce((total, { x, w }) => total + x * w, 0);
    const rows = shown.map(({ k, x, w }) => [nameOf(k), text(x), text(w), text(x * w)]);
    const more = terms.length - shown.length;
    if (more > 0) rows.push([t('origin.rest', { count: more }), '', '', text(rest)]);
    for (const [name, value] of last) rows.push([name, '', '', text(value)]);
    return table(caption, [...heads, t('origin.product')], rows);
  }
}

/** The places of the chosen token and of the highest scores beside it, TERMS in all. */
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

function said(sentence: string): HTMLElement {
  return el('p', { class: 'note' }, sentence);
}
