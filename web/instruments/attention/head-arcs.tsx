/**
 * One head as arcs: the tokens from top to bottom, an arc from the chosen token to each token it
 * attends to, as thick as its weight, and beside each token its weight as a bar and a number.
 */
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { headWeights } from '../../data/attention-data.ts';
import { capitalised } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { hasOnlyFingers, hint } from '../../kit/hint.ts';
import { drawChanges } from '../../kit/render.ts';
import { useResize } from '../../kit/resize.ts';
import { listLabels, spokenLabels } from '../../kit/row-labels.ts';
import { SteadyText } from '../../kit/steady-text.tsx';
import { useFirstInstrument } from '../component.tsx';
import { headName } from './shown-head.ts';
import type { HeadProps } from './shown-head.ts';

const LABEL_HALF = 34;
/**
 * Width of the drawing and x of the label centres: WIDE in the tab, NARROW in the column and on
 * phones, which would scale the letters of a wide drawing down.
 */
const NARROW = { width: 360, centre: 150 };
const WIDE = { width: 440, centre: 250 };
/** Space for the number beside the longest bar. */
const NUMBER_ROOM = 46;
/** Media query of phones, as in the style sheet. */
const PHONE = '(width < 48rem)';
const LEAST_ROW = 17;
/** Minimum height of a row for touch. */
const LEAST_FINGER_ROW = 26;
const MOST_ROW = 40;
/** Width of an arc of weight 0, and the additional width at weight 1. */
const THINNEST = 0.75;
const THICKENS = 6;
/** Horizontal distance of the control points of a loop; the curve reaches three quarters of it. */
const LOOP_REACH = 28;
/** Minimum weight of an arc: hundreds of hairlines are unreadable. */
const FAINT = 0.02;

interface HeadArcsProps extends HeadProps {
  readonly onRow: (row: number) => void;
  /** Set to the SVG element, to save it as a file. */
  readonly element: RefObject<SVGSVGElement | null>;
}

export function HeadArcs({ onRow, element, ...head }: HeadArcsProps) {
  const { attention, chosen, read, isWide } = head;
  const { words } = useFirstInstrument();
  const { t, number } = words;
  const [spoken, speak] = useState('');
  const [, setSize] = useState(0);
  useResize(() => setSize((size) => size + 1));
  const labels = listLabels(attention.tokens).map(clipped);
  const size = labels.length;
  const weights = headWeights(attention, chosen).subarray(read * size, read * size + read + 1);
  const { width, centre } = isWide && !matchMedia(PHONE).matches ? WIDE : NARROW;
  const least = hasOnlyFingers() ? LEAST_FINGER_ROW : LEAST_ROW;
  // Beside the map, the drawing is square like it, within the limits of the row height.
  const height = isWide ? Math.min(MOST_ROW, Math.max(least, width / size)) : least;
  const longest = Math.max(...labels.map((text) => Array.from(text).length));
  const edge = centre - Math.min(LABEL_HALF, 8 + 5 * longest);
  const barStart = centre + LABEL_HALF + 8;
  const sentence = targetsSentence(head, read, words);
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: read - 1,
    ArrowDown: read + 1,
    Home: 0,
    End: size - 1,
  };
  const row = (label: string, index: number) => {
    const weight = weights[index];
    const isFuture = weight === undefined;
    const middle = (index + 0.5) * height;
    const bar = (weight ?? 0) * (width - barStart - NUMBER_ROOM);
    const hasArc = !isFuture && weight >= FAINT;
    const kind = isFuture ? 'arc-future' : index === read ? 'arc-query' : '';
    return (
      <g key={index} class={kind} onClick={() => onRow(index)}>
        <rect x={0} y={index * height} width={width} height={height} class="arc-hit" />
        <path
          class="arc"
          d={hasArc ? arcPath(edge, (read + 0.5) * height, middle, height) : ''}
          stroke-width={(THINNEST + THICKENS * (weight ?? 0)).toFixed(2)}
          opacity={(0.25 + 0.75 * (weight ?? 0)).toFixed(2)}
        />
        <rect
          x={barStart}
          y={middle - 4.5}
          width={bar.toFixed(1)}
          height={9}
          rx={2}
          class="arc-bar"
        />
        <text x={centre} y={middle} class="arc-label">
          {label}
        </text>
        <text x={(barStart + bar + 4).toFixed(1)} y={middle} class="arc-number">
          {isFuture ? '' : number(weight, 2)}
        </text>
      </g>
    );
  };
  return (
    <div class="arcs-box">
      <SteadyText class="readout" data-part="arcs-readout">
        {sentence}
      </SteadyText>
      <div translate={false}>
        <svg
          ref={element}
          class="arcs"
          tabindex={0}
          role="application"
          aria-label={`${headName(chosen, words)}. ${t('attention.arcs.keys')} ${sentence}`}
          viewBox={`0 0 ${String(width)} ${String(size * height)}`}
          onKeyDown={(event) => {
            const next = moves[event.key];
            if (next === undefined) return;
            event.preventDefault();
            const to = Math.min(size - 1, Math.max(0, next));
            onRow(to);
            speak(targetsSentence(head, to, words));
            // The next key may be pressed before the next frame.
            drawChanges();
          }}
        >
          {labels.map(row)}
        </svg>
      </div>
      <p class="note">{hint(words, 'attention.arcs.hint')}</p>
      <p class="visually-hidden" aria-live="polite">
        {spoken}
      </p>
    </div>
  );
}

/** SVG path of an arc between the tokens at y `from` and `to`; a loop if both are equal. */
function arcPath(edge: number, from: number, to: number, rowHeight: number): string {
  const [x, start, end] = [edge, from, to].map(String) as [string, string, string];
  if (from === to) {
    // Keeps the loop in its row at any weight. The curve reaches 1/√12 of the vertical distance of
    // its control points.
    const half = (rowHeight - THINNEST - THICKENS) / 2;
    const pull = Math.min(half, LOOP_REACH / 3) * Math.sqrt(12);
    const reach = String(edge - LOOP_REACH);
    const turn = `${reach} ${(from - pull).toFixed(1)} ${reach} ${(from + pull).toFixed(1)}`;
    return `M${x} ${start}C${turn} ${x} ${start}Z`;
  }
  const pull = String(edge - Math.min(edge - 6, 14 + Math.abs(from - to) * 0.45));
  return `M${x} ${start}C${pull} ${start} ${pull} ${end} ${x} ${end}`;
}

/** Sentence on the tokens that the token at `from` attends to most. */
function targetsSentence({ attention, chosen }: HeadProps, from: number, words: Words): string {
  const { t, number } = words;
  const size = attention.tokens.length;
  const names = spokenLabels(attention.tokens, words);
  const targets = [...headWeights(attention, chosen).subarray(from * size, from * size + from + 1)]
    .map((weight, index) => ({ weight, index }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 3)
    .filter(({ weight }) => weight >= 0.01)
    .map(({ weight, index }) => {
      const target = { token: names[index] ?? '', row: index + 1, weight: number(weight, 2) };
      return t('attention.arcs.target', target);
    })
    .join(t('list.separator'));
  const token = names[from] ?? '';
  return capitalised(t('attention.arcs.sentence', { token, row: from + 1, targets }));
}

/** Cuts word pieces to the width of the label column. */
function clipped(label: string): string {
  const letters = Array.from(label);
  return letters.length > 8 ? `${letters.slice(0, 7).join('')}…` : label;
}
