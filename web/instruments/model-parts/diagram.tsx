/**
 * The architecture as a drawing from top to bottom: the residual stream on the left, and the parts
 * that compute additions to it on the right. Each part is a button; arrow keys move between parts.
 * A single column at any width, so that phones show the same drawing.
 */
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { AllWords } from '../../i18n/index.ts';
import { hint } from '../../kit/hint.ts';
import { keyOf } from '../../kit/keys.ts';
import { useFreshId } from '../../kit/use-id.ts';
import type { Architecture, ModelPart, Shape } from '../../store/training/architecture.ts';
import { useInstrument } from '../component.tsx';
import { PartsState } from '../parts-state.ts';
import { partName, shapeText } from './part-names.ts';

export interface DiagramProps {
  readonly picture: RefObject<SVGSVGElement | null>;
  readonly model: Architecture;
  /** Id of the chosen part. */
  readonly part: string;
  /** The open block, from 0. */
  readonly block: number;
  /**
   * Called with the chosen part; `block` is -1 outside of the blocks, `isPointed` tells a pointer
   * from a key.
   */
  readonly onChoose: (part: string, block: number, isPointed: boolean) => void;
}

/** As wide as the panel of a phone of 360 px, so that letters are at least as large as styled. */
const WIDTH = 326;
/** Heights of a box, of the gap between two, and of the bar of a closed block. */
const BOX = 34;
const GAP = 26;
const BAR = 30;
/** Horizontal positions of the stream inside a block, and of the boxes beside it. */
const STREAM = 30;
const BRANCH = 62;
const EDGE = 10;
/** Horizontal position of the arrows between parts; shapes fit on their right. */
const ARROWS = BRANCH + 60;
const WHOLE = WIDTH - 2 * EDGE;
/** Mean width of a character of a shape, in the style sheet's font. */
const LETTER = 8.6;

export function Diagram(props: DiagramProps) {
  const { picture, model, part, block, onChoose } = props;
  const { words, kept } = useInstrument();
  const { t } = words;
  const unfolded = kept(PartsState).isUnfolded;
  const isUnfolded = unfolded.value;
  const head = useFreshId('arrow');
  const { shapes, stops, height } = useMemo(
    () => draw({ ...props, words, isUnfolded }, head),
    [model, part, block, isUnfolded],
  );
  // The focused part may be missing in the next drawing.
  const hadFocus = picture.current !== null && hasFocus(picture.current);
  useLayoutEffect(() => {
    if (hadFocus && !hasFocus(picture.current!)) focusOnChosen(picture.current!);
  }, [model, block, isUnfolded]);
  const goTo = (event: KeyboardEvent): void => {
    const buttons = [...picture.current!.querySelectorAll<SVGGElement>('[role=button]')];
    const at = buttons.findIndex((button) => button === event.target);
    const to = targetOf(keyOf(event), at, stops.length - 1);
    const stop = stops[to ?? -1];
    if (to === undefined || stop === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
    onChoose(...stop, false);
  };
  return (
    <div class="parts-diagram">
      {model.layers < 2 ? null : (
        <button
          type="button"
          class="secondary small"
          aria-pressed={isUnfolded}
          onClick={() => {
            unfolded.value = !isUnfolded;
          }}
        >
          {t('parts.unfold')}
        </button>
      )}
      <svg
        ref={picture}
        class="architecture"
        role="group"
        aria-label={t('parts.diagram')}
        viewBox={`0 0 ${String(WIDTH)} ${String(height)}`}
        onKeyDown={goTo}
      >
        <defs>
          <marker
            id={head}
            viewBox="0 0 8 8"
            refX={7}
            refY={4}
            markerWidth={7}
            markerHeight={7}
            orient="auto"
          >
            {' '}
            {/* prettier-ignore */}
            <path d="M0 0 8 4 0 8z" class="arrow-head" />
          </marker>
        </defs>
        {shapes}
      </svg>
      <p class="note">{hint(words, 'parts.keys')}</p>
    </div>
  );
}

/** Focuses the part that is the Tab stop. */
export function focusOnChosen(picture: SVGSVGElement): void {
  picture.querySelector<SVGGElement>('[tabindex="0"]')?.focus();
}

/** Whether a part has the focus, also inside a shadow tree. */
function hasFocus(picture: SVGSVGElement): boolean {
  const { activeElement } = picture.getRootNode() as Document | ShadowRoot;
  return picture.contains(activeElement);
}

/** Index that a key leads to from `at`; undefined for other keys. */
function targetOf(key: string, at: number, last: number): number | undefined {
  if (key === 'Enter' || key === ' ') return at;
  if (key === 'ArrowDown' || key === 'ArrowRight') return Math.min(last, at + 1);
  if (key === 'ArrowUp' || key === 'ArrowLeft') return Math.max(0, at - 1);
  return { Home: 0, End: last }[key];
}

interface DrawnModel extends DiagramProps {
  readonly words: AllWords;
  /** Whether all blocks are drawn, each but the open one as a bar; else only the open block. */
  readonly isUnfolded: boolean;
}

interface Drawn {
  /** SVG elements in painting order, back to front. */
  readonly shapes: readonly JSX.Element[];
  /** Part and block of each button. */
  readonly stops: readonly (readonly [part: string, block: number])[];
  readonly height: number;
}

function draw(
  { words, model, part: chosen, block: open, isUnfolded, onChoose }: DrawnModel,
  head: string,
): Drawn {
  const { t, number } = words;
  const shapes: JSX.Element[] = [];
  const stops: [part: string, block: number][] = [];
  /** Top of the next SVG element. */
  let y = 2;
  /** Tensor shape of the last part's output. */
  let flow: Shape = [];

  const wire = (d: string): void => {
    shapes.push(<path d={d} class="wire" aria-hidden="true" marker-end={`url(#${head})`} />);
  };
  const text = (x: number, at: number, kind: string, anchor: 'start' | 'end', says: string) => {
    shapes.push(
      <text x={x} y={at} class={`diagram-${kind}`} text-anchor={anchor} aria-hidden="true">
        {says}
      </text>,
    );
  };
  /** Draws an arrow down, labelled with the shape of its tensor. */
  const arrow = (length = GAP, shape = flow): void => {
    wire(`M${ARROWS} ${y} V${y + length - 2}`);
    if (shape.length > 0) {
      const says = shapeText(shape, words);
      // A shape that is too long for its side of the arrow ends at the edge, across the arrow.
      const isLong = ARROWS + 10 + LETTER * says.length > WIDTH - EDGE;
      const [from, anchor] = isLong
        ? ([WIDTH - EDGE, 'end'] as const)
        : ([ARROWS + 10, 'start'] as const);
      text(from, y + length / 2 + 5, 'shape', anchor, says);
    }
    y += length;
  };
  const button = (kind: string, part: string, block: number, name: string, inside: JSX.Element) => {
    const isPressed = part === chosen && (block < 0 || block === open);
    stops.push([part, block]);
    shapes.push(
      <g
        key={`${kind} ${part} ${String(block)}`}
        class={`part part-${kind}`}
        role="button"
        aria-label={name}
        aria-pressed={kind === 'closed' ? undefined : isPressed}
        tabindex={isPressed ? 0 : -1}
        onClick={() => onChoose(part, block, true)}
      >
        {inside}
      </g>,
    );
  };
  const boxOf = (x: number, width: number, height: number, title: string): JSX.Element => (
    <>
      <rect x={x} y={y} width={width} height={height} rx={6} />
      <text x={x + 10} y={y + height / 2 + 4} class="part-title">
        {title}
      </text>
    </>
  );
  const box = (part: ModelPart, block: number, x: number, width: number): void => {
    const kind = part.parameters.length > 0 ? 'learns' : 'plain';
    const name = nameOf(part, block, words);
    button(kind, part.id, block, name, boxOf(x, width, BOX, partName(part, words)));
    const borrowed = part.parameters.some((one) => one.borrowed) ? t('parts.shared') : '';
    // Placed outside of the button, whose name already contains the count.
    const detail = part.count > 0 ? number(part.count) : borrowed;
    text(x + width - 10, y + BOX / 2 + 4, 'count', 'end', detail);
    y += BOX;
    flow = part.tensors[0]?.shape ?? [];
  };
  /** Draws a part outside of the blocks, as wide as the drawing. */
  const outside = (part: ModelPart): void => {
    if (y > 2) arrow();
    box(part, -1, EDGE, WHOLE);
  };
  const count = model.block.reduce((sum, part) => sum + part.count, 0);
  const closedBlock = (block: number): void => {
    arrow(14, []);
    const name = t('parts.block.open', { block: block + 1, count });
    const inside = boxOf(EDGE, WHOLE, BAR, t('parts.block', { block: block + 1 }));
    button('closed', model.block[0]?.id ?? '', block, name, inside);
    text(EDGE + WHOLE - 10, y + BAR / 2 + 4, 'count', 'end', number(count));
    y += BAR;
  };
  /** Draws a part beside the stream; the first of a branch reads the stream. */
  const branch = (part: ModelPart, block: number, isFirst: boolean): void => {
    if (isFirst) {
      y += 6;
      wire(`M${STREAM} ${y + BOX / 2} H${BRANCH - 2}`);
    } else arrow();
    box(part, block, BRANCH, WIDTH - EDGE - 8 - BRANCH);
  };
  /** Draws the addition of a branch to the stream as a circle; the branch began at `from`. */
  const addition = (part: ModelPart, block: number, from: number): void => {
    const middle = y + 14 + BOX / 2;
    wire(`M${ARROWS} ${y} V${middle} H${STREAM + 13}`);
    // The stream from the beginning of the branch to its addition.
    wire(`M${STREAM} ${from - 4} V${middle - 12}`);
    button(
      'plain',
      part.id,
      block,
      nameOf(part, block, words),
      <>
        {/* Area for touch, larger than the circle. */}
        <rect x={STREAM - 16} y={middle - 16} width={32} height={32} class="part-reach" />
        <circle cx={STREAM} cy={middle} r={11} />
        <path d={`M${STREAM - 5} ${middle}h10M${STREAM} ${middle - 5}v10`} />
      </>,
    );
    text(ARROWS + 6, middle - 5, 'small', 'start', partName(part, words));
    y += 14 + BOX + 4;
    flow = part.tensors[0]?.shape ?? [];
  };
  const openBlock = (block: number): void => {
    arrow();
    const top = y;
    const title = isUnfolded
      ? t('parts.block', { block: block + 1 })
      : t('parts.blocks', { layers: model.layers });
    text(WIDTH - EDGE - 8, top + 16, 'small', 'end', t('parts.each', { count }));
    text(EDGE + 8, top + 16, 'strong', 'start', title);
    y += 26;
    let from = y;
    let isOnStream = true;
    for (const part of model.block) {
      const isAdded = part.entry === 'add';
      if (isOnStream) from = y;
      if (isAdded && !isOnStream) addition(part, block, from);
      else branch(part, block, isOnStream);
      isOnStream = isAdded;
    }
    const frame = { x: EDGE, y: top, width: WHOLE, height: y - top };
    shapes.unshift(<rect key="frame" {...frame} rx={10} class="block-frame" />);
  };

  model.before.forEach(outside);
  const blocks = isUnfolded ? Array.from({ length: model.layers }, (_, at) => at) : [open];
  for (const block of blocks) {
    if (block === open) openBlock(block);
    else closedBlock(block);
  }
  model.after.forEach(outside);
  return { shapes, stops, height: y + 6 };
}

/** The accessible name of a part. */
function nameOf(part: ModelPart, block: number, words: AllWords): string {
  const { t } = words;
  const values = {
    part: partName(part, words),
    shape: shapeText(part.tensors[0]?.shape ?? [], words),
    count: part.count,
  };
  const bare = part.tensors.length === 0 ? 'parts.name.bare' : 'parts.name.none';
  const name = t(part.count > 0 ? 'parts.name' : bare, values);
  return block < 0 ? name : t('parts.name.block', { name, block: block + 1 });
}
