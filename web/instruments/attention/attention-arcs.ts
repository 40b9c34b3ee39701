/**
 * One head as arcs: the tokens from top to bottom, an arc from the chosen one to each that it looks
 * at, as thick as its weight, and beside each token the weight as a bar with its number.
 */
import { capitalised } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { headWeights } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { el, perFrame, setAttribute, setSteadyText, setText, svg } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { hasOnlyFingers, hint } from '../../kit/hint.ts';
import { listLabels, spokenLabels } from '../../kit/row-labels.ts';

export interface AttentionArcsData {
  readonly attention: AttentionData | null;
  readonly chosen: HeadPlace;
  /** The token that looks; -1 for the last. */
  readonly row: number;
}

export interface AttentionArcsOptions {
  readonly words: Words;
  readonly wide?: boolean;
  /** Another token is to be the one that looks. */
  readonly onRow: (row: number) => void;
}

const LABEL_HALF = 34;
/** The width, and where labels stand (centred): beside the map, or in its place. */
const NARROW = { width: 360, label: 150 };
const WIDE = { width: 440, label: 250 };
const LEAST_ROW = 17;
/** A fingertip needs more. */
const LEAST_FINGER_ROW = 26;
const MOST_ROW = 40;
/** The width of an arc: that of no weight, and what all of the weight adds. */
const THINNEST = 0.75;
const THICKENS = 6;
/** How far a loop reaches from where it begins, before it turns: three quarters of that is seen. */
const LOOP_REACH = 28;
/** Weights below this draw no arc: hundreds of hairlines say nothing. */
const FAINT = 0.02;

interface Row {
  readonly group: SVGGElement;
  readonly label: SVGTextElement;
  readonly bar: SVGRectElement;
  readonly number: SVGTextElement;
  readonly arc: SVGPathElement;
}

export class AttentionArcs implements View<AttentionArcsData> {
  /** As it stands, to be saved. */
  readonly picture: SVGSVGElement;
  readonly #container: HTMLElement;
  readonly #options: AttentionArcsOptions;
  readonly #readout = el('p', { class: 'readout', 'data-part': 'arcs-readout' });
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #draw = perFrame(() => this.#show());
  /** The width, where labels stand (centred), where bars begin, and their length for all weight. */
  readonly #width: number;
  readonly #centre: number;
  readonly #barStart: number;
  readonly #barSpace: number;
  readonly #leastRow = hasOnlyFingers() ? LEAST_FINGER_ROW : LEAST_ROW;
  #rowHeight = this.#leastRow;
  #data: AttentionArcsData = { attention: null, chosen: { layer: 0, head: 0 }, row: -1 };
  #rows: Row[] = [];
  #drawnLabels = '';
  /** Where arcs begin and end: beside the longest label, left of its middle. */
  #labelHalf = LABEL_HALF;

  /** Creates the picture in `container`. */
  constructor(container: HTMLElement, options: AttentionArcsOptions) {
    const { words, wide = false } = options;
    this.#container = container;
    this.#options = options;
    ({ width: this.#width, label: this.#centre } = wide ? WIDE : NARROW);
    this.#barStart = this.#centre + LABEL_HALF + 8;
    this.#barSpace = this.#width - this.#barStart - 40;
    // Named better once it is drawn.
    const name = { role: 'application', 'aria-label': words.t('attention.arcs.keys') };
    this.picture = svg('svg', { class: 'arcs', translate: 'no', tabindex: '0', ...name });
    this.picture.addEventListener('keydown', (event) => this.#move(event));
    const note = el('p', { class: 'note' }, hint(words, 'attention.arcs.hint'));
    container.append(this.#readout, this.picture, note, this.#spoken);
  }

  update(next: AttentionArcsData): void {
    this.#data = next;
    this.#draw.request();
  }

  resize(): void {
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#container.replaceChildren();
  }

  #choose(index: number, aloud: boolean): void {
    const { words, onRow } = this.#options;
    onRow(index);
    const { attention, chosen } = this.#data;
    if (!aloud || attention === null) return;
    setText(this.#spoken, targetsSentence(attention, chosen, index, words));
  }

  #move(event: KeyboardEvent): void {
    const size = this.#data.attention?.tokens.length ?? 0;
    if (size === 0) return;
    const at = this.#data.row < 0 ? size - 1 : this.#data.row;
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: size - 1,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#choose(Math.min(size - 1, Math.max(0, next)), true);
  }

  #show(): void {
    const { attention, chosen, row: query } = this.#data;
    if (attention === null) return;
    const labels = listLabels(attention.tokens).map(clipped);
    if (labels.join('\n') !== this.#drawnLabels) {
      this.#drawnLabels = labels.join('\n');
      this.#build(labels);
    }
    const size = labels.length;
    const from = query < 0 ? size - 1 : Math.min(query, size - 1);
    const weights = headWeights(attention, chosen).subarray(from * size, from * size + from + 1);
    for (const [index, row] of this.#rows.entries())
      this.#showRow(row, index, from, weights[index]);
    const { words } = this.#options;
    const { t } = words;
    const head = t('attention.head', { layer: chosen.layer + 1, head: chosen.head + 1 });
    const sentence = targetsSentence(attention, chosen, from, words);
    const name = `${head}. ${t('attention.arcs.keys')} ${sentence}`;
    setAttribute(this.picture, 'aria-label', name);
    setSteadyText(this.#readout, sentence);
  }

  #build(labels: readonly string[]): void {
    const room = this.#width / labels.length;
    // As high as it is wide, like the map, as far as the tokens allow.
    if (this.#options.wide === true)
      this.#rowHeight = Math.min(MOST_ROW, Math.max(this.#leastRow, room));
    const longest = Math.max(...labels.map((text) => Array.from(text).length));
    this.#labelHalf = Math.min(LABEL_HALF, 8 + 5 * longest);
    this.#rows = labels.map((text, index) => this.#createRow(text, index));
    const height = labels.length * this.#rowHeight;
    setAttribute(this.picture, 'viewBox', `0 0 ${String(this.#width)} ${String(height)}`);
    this.picture.replaceChildren(...this.#rows.map(({ group }) => group));
  }

  #createRow(text: string, index: number): Row {
    const height = this.#rowHeight;
    const y = index * height;
    const middle = y + height / 2;
    const label = svg('text', { x: this.#centre, y: middle, class: 'arc-label' });
    label.textContent = text;
    const box = { x: this.#barStart, y: middle - 4.5, height: 9, rx: 2 };
    const bar = svg('rect', { ...box, class: 'arc-bar' });
    const number = svg('text', { y: middle, class: 'arc-number' });
    const arc = svg('path', { class: 'arc' });
    const hit = svg('rect', { x: 0, y, width: this.#width, height, class: 'arc-hit' });
    const group = svg('g', {}, hit, arc, bar, label, number);
    group.addEventListener('click', () => this.#choose(index, false));
    return { group, label, bar, number, arc };
  }

  /** Shows what the token at `from` gives to the one at `index`; undefined if that comes later. */
  #showRow(row: Row, index: number, from: number, weight: number | undefined): void {
    const isFuture = weight === undefined;
    row.group.classList.toggle('arc-future', isFuture);
    row.group.classList.toggle('arc-query', index === from);
    const width = (weight ?? 0) * this.#barSpace;
    setAttribute(row.bar, 'width', width.toFixed(1));
    setText(row.number, isFuture ? '' : this.#options.words.number(weight, 2));
    setAttribute(row.number, 'x', (this.#barStart + width + 4).toFixed(1));
    setAttribute(row.arc, 'd', isFuture || weight < FAINT ? '' : this.#arcPath(index, from));
    setAttribute(row.arc, 'stroke-width', (THINNEST + THICKENS * (weight ?? 0)).toFixed(2));
    setAttribute(row.arc, 'opacity', (0.25 + 0.75 * (weight ?? 0)).toFixed(2));
  }

  #arcPath(index: number, from: number): string {
    const start = (from + 0.5) * this.#rowHeight;
    const end = (index + 0.5) * this.#rowHeight;
    const edge = this.#centre - this.#labelHalf;
    if (index === from) return loopPath(edge, start, this.#rowHeight);
    const pull = String(edge - Math.min(edge - 6, 14 + Math.abs(start - end) * 0.45));
    return `M${String(edge)} ${String(start)}C${pull} ${String(start)} ${pull} ${String(end)} ${String(edge)} ${String(end)}`;
  }
}

/** From a token back to itself: as high as its row has room for at any weight. */
function loopPath(x: number, y: number, rowHeight: number): string {
  const half = (rowHeight - THINNEST - THICKENS) / 2;
  // The curve reaches 1/√12 as far up and down as the points that pull it.
  const pull = Math.min(half, LOOP_REACH / 3) * Math.sqrt(12);
  const turn = `${String(x - LOOP_REACH)} ${(y - pull).toFixed(1)} ${String(x - LOOP_REACH)} ${(y + pull).toFixed(1)}`;
  return `M${String(x)} ${String(y)}C${turn} ${String(x)} ${String(y)}Z`;
}

/** Where the token at `from` looks most, in words. */
function targetsSentence(
  attention: AttentionData,
  chosen: HeadPlace,
  from: number,
  words: Words,
): string {
  const { t } = words;
  const size = attention.tokens.length;
  const weights = headWeights(attention, chosen);
  const names = spokenLabels(attention.tokens, words);
  const looked = names
    .slice(0, from + 1)
    .map((token, index) => ({ token, index, weight: weights[from * size + index] ?? 0 }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 3)
    .filter(({ weight }) => weight >= 0.01)
    .map(({ token, index, weight }) =>
      t('attention.arcs.target', { token, row: index + 1, weight: words.number(weight, 2) }),
    );
  const token = names[from];
  if (token === undefined) return '';
  const targets = looked.join(t('list.separator'));
  return capitalised(t('attention.arcs.sentence', { token, row: from + 1, targets }));
}

/** Word pieces can be long; the label column is not. */
function clipped(label: string): string {
  const letters = Array.from(label);
  return letters.length > 8 ? `${letters.slice(0, 7).join('')}…` : label;
}
