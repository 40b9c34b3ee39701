/**
 * All heads at a glance: one small map per head as a radio button, one row per layer, wrapped into
 * several lines if it is long.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import type { Words } from '../../i18n/index.ts';
import { perFrame } from '../../kit/dom.ts';
import { drawHead } from '../../kit/head-canvas.ts';
import { useResize } from '../../kit/resize.ts';
import { habitOf, strengthOf } from '../../store/training/head-habits.ts';
import type { HeadMeasures } from '../../store/training/head-habits.ts';
import { useFirstInstrument } from '../component.tsx';
import { headName } from './shown-head.ts';

/** Largest number of heads in a layer whose maps have words below them. */
const MOST_BADGES = 16;
/** Minimum CSS pixels per map, with its gap, if its badge is below it. */
const BADGE_ROOM = 58;
/** Minimum CSS pixels per map on phones, where its badge is beside it. */
const BESIDE_ROOM = 82;
/** Minimum CSS pixels per map for word and number of a badge in one line. */
const LINE_ROOM = 92;
/** CSS pixels for the name of a layer. */
const LAYER_ROOM = 18;
/** Media query of phones that show words beside the maps, as in the style sheet. */
const BESIDE = '(24rem <= width < 56rem)';
/** Overflow in CSS pixels that hides no part of a map. */
const SLACK = 4;
/** Layers and heads that each key moves the choice by. */
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
};

interface HeadGridProps {
  readonly attention: AttentionData;
  readonly chosen: HeadPlace;
  /** Statistics of each head, layer by layer. */
  readonly measures: readonly HeadMeasures[];
}

export function HeadGrid(props: HeadGridProps) {
  const { attention, chosen, measures } = props;
  const { words, actions } = useFirstInstrument();
  const { t } = words;
  const { layers, heads } = attention;
  const grid = useRef<HTMLDivElement>(null);
  const { room, edges, isCut, look } = useBox(grid, `${String(layers)} ${String(heads)}`);
  useDrawing(grid, props);
  const hasBadges = heads <= MOST_BADGES;
  const least = matchMedia(BESIDE).matches ? BESIDE_ROOM : BADGE_ROOM;
  // Lines of equal length, if possible.
  const lines = hasBadges ? Math.ceil(heads / Math.max(1, Math.floor(room / least))) : 1;
  const columns = Math.ceil(heads / lines);
  // Whether word and number of a badge take two lines. Depends on the width only, because maps must
  // not move when a word changes.
  const isTight = room / columns < LINE_ROOM;
  const move = (event: KeyboardEvent): void => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const wrap = (value: number, count: number): number => (value + count) % count;
    const layer = wrap(chosen.layer + by[0], layers);
    const head = wrap(chosen.head + by[1], heads);
    actions.onHead({ layer, head });
    grid.current?.querySelectorAll('button')[layer * heads + head]?.focus();
  };
  const cell = (layer: number, head: number) => {
    const isChosen = layer === chosen.layer && head === chosen.head;
    const isAlone = attention.tokens.length < 2;
    const [habit, strength] = habitText(
      isAlone ? undefined : measures[layer * heads + head],
      words,
    );
    const place = headName({ layer, head }, words);
    const name = habit === '' ? place : `${place}: ${habit} ${strength}`.trimEnd();
    return (
      <button
        key={head}
        type="button"
        role="radio"
        class={habit !== '' && strength === '' ? 'head-cell quiet' : 'head-cell'}
        aria-checked={isChosen}
        aria-label={name}
        title={hasBadges ? undefined : name}
        tabIndex={isChosen ? 0 : -1}
        onClick={() => actions.onHead({ layer, head })}
      >
        <canvas aria-hidden="true" />
        {hasBadges ? (
          <span class="head-badge" aria-hidden="true">
            <span class="head-habit">{habit}</span>
            <span>{strength}</span>
          </span>
        ) : null}
      </button>
    );
  };
  return (
    <>
      <div
        ref={grid}
        class={`head-grid${isTight ? ' badges-in-two' : ''}${edges}`}
        role="radiogroup"
        aria-label={t('attention.grid')}
        style={{ '--columns': String(columns), '--lines': String(lines) }}
        onScroll={look}
        onKeyDown={move}
      >
        {Array.from({ length: layers }, (_, layer) => (
          <div key={layer} class="head-row-maps" role="presentation">
            <span class="layer-name" aria-hidden="true">
              {layer + 1}
            </span>
            {Array.from({ length: heads }, (_, head) => cell(layer, head))}
          </div>
        ))}
      </div>
      {isCut ? <p class="note">{t('attention.grid.more', { layers })}</p> : null}
    </>
  );
}

/**
 * Measures the width for a row of maps, and at which edges maps are scrolled out of view. Reading a
 * size forces a layout, so renderings read it once per grid shape and page size.
 */
function useBox(grid: { readonly current: HTMLElement | null }, shape: string) {
  const [room, setRoom] = useState(0);
  const [edges, setEdges] = useState('');
  const [isCut, setCut] = useState(false);
  const [size, setSize] = useState(0);
  const measured = useRef('');
  const key = `${shape} ${String(size)}`;
  const look = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = grid.current!;
    const rest = scrollHeight - clientHeight;
    const isAbove = rest > SLACK && scrollTop > SLACK;
    setEdges(`${isAbove ? ' more-above' : ''}${scrollTop < rest - SLACK ? ' more-below' : ''}`);
    setCut(rest > SLACK);
    // A hidden grid has height 0: the next rendering measures it again.
    if (clientHeight > 0) measured.current = key;
  };
  useLayoutEffect(() => {
    if (measured.current === key) return;
    const now = grid.current!.parentElement!.clientWidth - LAYER_ROOM;
    // A new width may wrap the rows differently: measures the edges after the next rendering.
    if (now === room) look();
    else setRoom(now);
  });
  useResize(() => setSize(size + 1));
  return { room, edges, isCut, look };
}

/** Draws the maps in a later frame, because the layout of the buttons fills one. */
function useDrawing(grid: { readonly current: HTMLElement | null }, props: HeadGridProps): void {
  const { isDark } = useFirstInstrument();
  const newest = useRef(props);
  newest.current = props;
  const [turn] = useState(() =>
    perFrame(() => {
      const { attention } = newest.current;
      for (const [at, canvas] of grid.current?.querySelectorAll('canvas').entries() ?? []) {
        const place = { layer: Math.floor(at / attention.heads), head: at % attention.heads };
        drawHead(canvas, attention, place, isDark());
      }
    }),
  );
  useLayoutEffect(turn.request, [props.attention]);
  useLayoutEffect(() => turn.cancel, []);
  useResize(turn.request);
}

/** Habit and strength on a badge: no strength without a clear habit, neither without statistics. */
function habitText(measures: HeadMeasures | undefined, { t, number }: Words): [string, string] {
  if (measures === undefined) return ['', ''];
  const habit = habitOf(measures);
  if (habit === null) return [t('attention.badge.none'), ''];
  return [t(`attention.badge.${habit}`), number(strengthOf(measures, habit), 2)];
}
