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

export interface AttentionArcs extends View<AttentionArcsData> {
  /** The picture as it stands, to be saved. */
  picture(): SVGSVGElement;
}

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

/** Creates the picture in `container`. */
export function createAttentionArcs(
  container: HTMLElement,
  { words, wide = false, onRow }: AttentionArcsOptions,
): AttentionArcs {
  const { t } = words;
  const { width: all, label: centre } = wide ? WIDE : NARROW;
  const barStart = centre + LABEL_HALF + 8;
  const barRoom = all - barStart - 40;
  const leastRow = hasOnlyFingers() ? LEAST_FINGER_ROW : LEAST_ROW;
  let rowHeight = leastRow;
  // Named better once it is drawn.
  const picture = svg('svg', { class: 'arcs', translate: 'no', tabindex: '0', role: 'img', 'aria-label': t('attention.arcs.keys') }); // prettier-ignore
  const readout = el('p', { class: 'readout', 'data-part': 'arcs-readout' });
  const spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  container.append(
    readout,
    picture,
    el('p', { class: 'note' }, hint(words, 'attention.arcs.hint')),
    spoken,
  );

  let data: AttentionArcsData = { attention: null, chosen: { layer: 0, head: 0 }, row: -1 };
  let rows: Row[] = [];
  let drawnLabels = '';
  /** Where arcs begin and end: beside the longest label, left of its middle. */
  let labelHalf = LABEL_HALF;

  function build(labels: readonly string[]): void {
    // As high as it is wide, like the map, as far as the tokens allow.
    if (wide) rowHeight = Math.min(MOST_ROW, Math.max(leastRow, all / labels.length));
    const longest = Math.max(...labels.map((text) => Array.from(text).length));
    labelHalf = Math.min(LABEL_HALF, 8 + 5 * longest);
    rows = labels.map((text, index) => {
      const y = index * rowHeight;
      const label = svg('text', { x: centre, y: y + rowHeight / 2, class: 'arc-label' });
      label.textContent = text;
      const bar = svg('rect', {
        x: barStart,
        y: y + rowHeight / 2 - 4.5,
        height: 9,
        rx: 2,
        class: 'arc-bar',
      });
      const number = svg('text', { y: y + rowHeight / 2, class: 'arc-number' });
      const arc = svg('path', { class: 'arc' });
      const hit = svg('rect', { x: 0, y, width: all, height: rowHeight, class: 'arc-hit' });
      const group = svg('g', {}, hit, arc, bar, label, number);
      group.addEventListener('click', () => {
        choose(index, false);
      });
      return { group, label, bar, number, arc };
    });
    setAttribute(picture, 'viewBox', `0 0 ${String(all)} ${String(labels.length * rowHeight)}`);
    picture.replaceChildren(...rows.map(({ group }) => group));
  }

  const draw = perFrame(() => {
    const { attention, chosen, row: query } = data;
    if (attention === null) return;
    const labels = listLabels(attention.tokens).map(clipped);
    if (labels.join('\n') !== drawnLabels) {
      drawnLabels = labels.join('\n');
      build(labels);
    }
    const size = labels.length;
    const from = query < 0 ? size - 1 : Math.min(query, size - 1);
    const weights = headWeights(attention, chosen).subarray(from * size, from * size + from + 1);
    for (const [index, row] of rows.entries()) show(row, index, from, weights[index]);
    const place = { layer: chosen.layer + 1, head: chosen.head + 1 };
    setAttribute(
      picture,
      'aria-label',
      `${t('attention.head', place)}. ${t('attention.arcs.keys')} ${sentence(attention, from)}`,
    );
    setSteadyText(readout, sentence(attention, from));
  });

  function show(row: Row, index: number, from: number, weight: number | undefined): void {
    const future = weight === undefined;
    row.group.classList.toggle('arc-future', future);
    row.group.classList.toggle('arc-query', index === from);
    const width = (weight ?? 0) * barRoom;
    setAttribute(row.bar, 'width', width.toFixed(1));
    setText(row.number, future ? '' : words.number(weight, 2));
    setAttribute(row.number, 'x', (barStart + width + 4).toFixed(1));
    const start = (from + 0.5) * rowHeight;
    const end = (index + 0.5) * rowHeight;
    const edge = centre - labelHalf;
    const reach = Math.min(edge - 6, 14 + Math.abs(start - end) * 0.45);
    const path =
      future || weight < FAINT
        ? ''
        : index === from
          ? loop(edge, start)
          : `M${String(edge)} ${String(start)}C${String(edge - reach)} ${String(start)} ${String(edge - reach)} ${String(end)} ${String(edge)} ${String(end)}`;
    setAttribute(row.arc, 'd', path);
    setAttribute(row.arc, 'stroke-width', (THINNEST + THICKENS * (weight ?? 0)).toFixed(2));
    setAttribute(row.arc, 'opacity', (0.25 + 0.75 * (weight ?? 0)).toFixed(2));
  }

  /** From a token back to itself: as high as its row has room for at any weight. */
  function loop(x: number, y: number): string {
    const half = (rowHeight - THINNEST - THICKENS) / 2;
    // The curve reaches 1/√12 as far up and down as the points that pull it.
    const pull = Math.min(half, LOOP_REACH / 3) * Math.sqrt(12);
    const turn = `${String(x - LOOP_REACH)} ${(y - pull).toFixed(1)} ${String(x - LOOP_REACH)} ${(y + pull).toFixed(1)}`;
    return `M${String(x)} ${String(y)}C${turn} ${String(x)} ${String(y)}Z`;
  }

  /** Where the token looks most, in words. */
  function sentence(attention: AttentionData, from: number): string {
    const size = attention.tokens.length;
    const weights = headWeights(attention, data.chosen);
    const names = spokenLabels(attention.tokens, words);
    const looked = names
      .slice(0, from + 1)
      .map((token, index) => ({ token, index, weight: weights[from * size + index] ?? 0 }))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 3)
      .filter(({ weight }) => weight >= 0.01)
      .map(({ token, index, weight }) =>
        t('attention.arcs.target', {
          token,
          row: index + 1,
          weight: words.number(weight, 2),
        }),
      );
    const token = names[from];
    if (token === undefined) return '';
    const targets = looked.join(t('list.separator'));
    return capitalised(t('attention.arcs.sentence', { token, row: from + 1, targets }));
  }

  function choose(index: number, aloud: boolean): void {
    onRow(index);
    if (aloud && data.attention !== null) setText(spoken, sentence(data.attention, index));
  }

  picture.addEventListener('keydown', (event) => {
    const size = data.attention?.tokens.length ?? 0;
    if (size === 0) return;
    const at = data.row < 0 ? size - 1 : data.row;
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: size - 1,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(Math.min(size - 1, Math.max(0, next)), true);
  });

  return {
    update(next) {
      data = next;
      draw.request();
    },
    resize: draw.request,
    picture: () => picture,
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}

/** Word pieces can be long; the label column is not. */
function clipped(label: string): string {
  const letters = Array.from(label);
  return letters.length > 8 ? `${letters.slice(0, 7).join('')}…` : label;
}
