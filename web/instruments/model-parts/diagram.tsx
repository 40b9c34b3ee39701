/**
 * The architecture as a drawing from top to bottom: the stream of the tokens on the left, what is
 * computed beside it and added back on the right. Every part is a button; arrow keys go from part
 * to part. It is one column at any width, so that it reads on a phone as it does on a wide screen.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { AllWords } from '../../i18n/index.ts';
import { hint } from '../../kit/hint.ts';
import { useFreshId } from '../../kit/use-id.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import { DiagramPen } from './diagram-pen.tsx';
import type { DiagramButton } from './diagram-pen.tsx';
import { partName, shapeText } from './part-names.ts';

export interface DiagramData {
  readonly words: AllWords;
  readonly model: Architecture;
  /** The chosen part. */
  readonly part: string;
  /** The open block, from 0. */
  readonly block: number;
  /** Whether the other blocks are shown, closed. */
  readonly isUnfolded: boolean;
  /** `block` is -1 outside of the blocks; `isPointed`: by the pointer, not by a key. */
  readonly onChoose: (part: string, block: number, isPointed: boolean) => void;
}

export interface DiagramProps extends DiagramData {
  readonly picture: RefObject<SVGSVGElement | null>;
  readonly onUnfold: (isUnfolded: boolean) => void;
}

const WIDTH = 340;
/** Heights of a box, of the gap between two, and of the bar of a closed block. */
const BOX = 34;
const GAP = 26;
const BAR = 30;
/** Where the stream runs inside of a block, and where boxes beside it begin. */
const STREAM = 30;
const BRANCH = 62;
const EDGE = 10;

export function Diagram({ picture, onUnfold, ...data }: DiagramProps) {
  const { words, model, part, block, isUnfolded, onChoose } = data;
  const { t } = words;
  const head = useFreshId('arrow');
  const { pen, stops } = useMemo(() => {
    const drawing = new Drawing(data, head);
    drawing.draw();
    return drawing;
  }, [model, part, block, isUnfolded]);
  // The focused part may not be in the next drawing.
  const hadFocus = picture.current !== null && hasFocus(picture.current);
  useLayoutEffect(() => {
    if (hadFocus && !hasFocus(picture.current!)) focusOnChosen(picture.current!);
  }, [model, block, isUnfolded]);
  const goTo = (event: KeyboardEvent): void => {
    const buttons = [...picture.current!.querySelectorAll<SVGGElement>('[role=button]')];
    const at = buttons.findIndex((button) => button === event.target);
    const to = at < 0 ? undefined : targetOf(event.key, at, stops.length - 1);
    const stop = to === undefined ? undefined : stops[to];
    if (to === undefined || stop === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
    onChoose(stop.part, stop.block, false);
  };
  return (
    <div class="parts-diagram">
      {model.layers < 2 ? null : (
        <button
          type="button"
          class="secondary small"
          aria-pressed={isUnfolded}
          onClick={() => onUnfold(!isUnfolded)}
        >
          {t('parts.unfold')}
        </button>
      )}
      <svg
        ref={picture}
        class="architecture"
        role="group"
        aria-label={t('parts.diagram')}
        viewBox={`0 0 ${String(WIDTH)} ${String(pen.y + 6)}`}
        onKeyDown={goTo}
      >
        {pen.shapes}
      </svg>
      <p class="note">{hint(words, 'parts.keys')}</p>
    </div>
  );
}

/** Focuses the part that the Tab key stops at. */
export function focusOnChosen(picture: SVGSVGElement): void {
  picture.querySelector<SVGGElement>('[tabindex="0"]')?.focus();
}

/** Also inside of a shadow tree. */
function hasFocus(picture: SVGSVGElement): boolean {
  const { activeElement } = picture.getRootNode() as Document | ShadowRoot;
  return picture.contains(activeElement);
}

/** The index that a key leads to from the index `at`; undefined for other keys. */
function targetOf(key: string, at: number, last: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(last, at + 1),
    ArrowRight: Math.min(last, at + 1),
    ArrowUp: Math.max(0, at - 1),
    ArrowLeft: Math.max(0, at - 1),
    Home: 0,
    End: last,
    Enter: at,
    ' ': at,
  };
  return moves[key];
}

class Drawing {
  readonly pen: DiagramPen;
  /** What the buttons choose, in their order. */
  readonly stops: { readonly part: string; readonly block: number }[] = [];
  readonly #data: DiagramData;

  constructor(data: DiagramData, head: string) {
    this.pen = new DiagramPen(data.words, head);
    this.#data = data;
  }

  draw(): void {
    const { model, block, isUnfolded } = this.#data;
    for (const part of model.before) this.#outside(part);
    const blocks = isUnfolded ? Array.from({ length: model.layers }, (_, at) => at) : [block];
    for (const one of blocks) {
      if (one === block) this.#openBlock(one);
      else this.#closedBlock(one);
    }
    for (const part of model.after) this.#outside(part);
  }

  /** A part on the stream itself, as wide as the picture. */
  #outside(part: ModelPart): void {
    const { pen } = this;
    if (pen.y > 2) pen.arrow(WIDTH / 2, GAP, pen.lastShape);
    this.#box(part, -1, EDGE, WIDTH - 2 * EDGE);
    pen.lastShape = part.tensors[0]?.shape ?? [];
  }

  #closedBlock(block: number): void {
    const { model, words, onChoose } = this.#data;
    const count = countOfBlock(model);
    const part = model.block[0]?.id ?? '';
    this.pen.arrow(WIDTH / 2, 14, []);
    this.stops.push({ part, block });
    this.pen.box({
      key: `block ${String(block)}`,
      x: EDGE,
      width: WIDTH - 2 * EDGE,
      height: BAR,
      title: words.t('parts.block', { block: block + 1 }),
      detail: words.number(count),
      kind: 'closed',
      name: words.t('parts.block.open', { block: block + 1, count }),
      isStop: false,
      onPress: () => onChoose(part, block, true),
    });
  }

  #openBlock(block: number): void {
    const { pen } = this;
    const { model, words, isUnfolded } = this.#data;
    const { t } = words;
    pen.arrow(WIDTH / 2, GAP, pen.lastShape);
    const top = pen.y;
    const title = isUnfolded
      ? t('parts.block', { block: block + 1 })
      : t('parts.blocks', { layers: model.layers });
    const count = t('parts.each', { count: countOfBlock(model) });
    pen.text(WIDTH - EDGE - 8, top + 16, count, 'small', 'end');
    pen.text(EDGE + 8, top + 16, title, 'strong', 'start');
    pen.y += 26;
    let branchFrom = pen.y;
    let isOnStream = true;
    for (const part of model.block) {
      const isAdded = part.entry === 'add';
      if (isOnStream) branchFrom = pen.y;
      if (isAdded && !isOnStream) this.#addition(part, block, branchFrom);
      else this.#branch(part, block, isOnStream);
      isOnStream = isAdded;
      pen.lastShape = part.tensors[0]?.shape ?? [];
    }
    pen.frame(EDGE, top, WIDTH - 2 * EDGE, pen.y - top);
  }

  /** A part beside the stream: the first takes a copy of it, which turns off to the right. */
  #branch(part: ModelPart, block: number, isFirst: boolean): void {
    const { pen } = this;
    if (isFirst) {
      pen.y += 6;
      const middle = pen.y + BOX / 2;
      pen.arrowAlong(`M${String(STREAM)} ${String(middle)} H${String(BRANCH - 2)}`);
    } else pen.arrow(BRANCH + 60, GAP, pen.lastShape);
    this.#box(part, block, BRANCH, WIDTH - EDGE - 8 - BRANCH);
  }

  /** The result is added to the stream, a circle on it; the copy was taken at `branchFrom`. */
  #addition(part: ModelPart, block: number, branchFrom: number): void {
    const { pen } = this;
    const middle = pen.y + 14 + BOX / 2;
    const right = `M${String(BRANCH + 60)} ${String(pen.y)}`;
    pen.arrowAlong(`${right} V${String(middle)} H${String(STREAM + 13)}`);
    // The stream from where the copy was taken to where the result is added.
    pen.arrowAlong(`M${String(STREAM)} ${String(branchFrom - 4)} V${String(middle - 12)}`);
    pen.circle(STREAM, middle, this.#buttonOf(part, block, 'plain'));
    pen.text(BRANCH + 66, middle - 5, partName(part, this.#data.words), 'small', 'start');
    pen.y += 14 + BOX + 4;
  }

  #box(part: ModelPart, block: number, x: number, width: number): void {
    const { words } = this.#data;
    const borrowed = part.parameters.some((one) => one.borrowed) ? words.t('parts.shared') : '';
    this.pen.box({
      ...this.#buttonOf(part, block, part.parameters.length > 0 ? 'learns' : 'plain'),
      x,
      width,
      height: BOX,
      title: partName(part, words),
      detail: part.count > 0 ? words.number(part.count) : borrowed,
    });
  }

  #buttonOf(part: ModelPart, block: number, kind: DiagramButton['kind']): DiagramButton {
    const { part: chosen, onChoose } = this.#data;
    const isPressed = part.id === chosen;
    this.stops.push({ part: part.id, block });
    return {
      key: `${part.id} ${String(block)}`,
      kind,
      name: this.#nameOf(part, block),
      isPressed,
      isStop: isPressed,
      onPress: () => onChoose(part.id, block, true),
    };
  }

  #nameOf(part: ModelPart, block: number): string {
    const { words } = this.#data;
    const values = {
      part: partName(part, words),
      shape: shapeText(part.tensors[0]?.shape ?? [], words),
      count: part.count,
    };
    const bare = part.tensors.length === 0 ? 'parts.name.bare' : 'parts.name.none';
    const text = words.t(part.count > 0 ? 'parts.name' : bare, values);
    return block < 0 ? text : words.t('parts.name.block', { name: text, block: block + 1 });
  }
}

/** Parameters of one block. */
function countOfBlock({ block }: Architecture): number {
  return block.reduce((sum, { count }) => sum + count, 0);
}
