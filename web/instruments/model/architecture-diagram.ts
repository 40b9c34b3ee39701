/**
 * The architecture as a drawing from top to bottom: the stream of the tokens on the left, what is
 * computed beside it and added back on the right. Every part is a button; arrow keys go from part
 * to part. It is one column at any width, so that it reads on a phone as it does on a wide screen.
 */
import type { AllWords } from '../../i18n/index.ts';
import type { Architecture, ModelPart, Shape } from '../../store/training/architecture.ts';
import { el, freshId, svg } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { hint } from '../../kit/hint.ts';

export interface ArchitectureDiagramOptions {
  readonly words: AllWords;
  /** `pointed`: by the pointer, not by a key. */
  readonly onChoose: (part: string, block: number, pointed: boolean) => void;
  /** Opens all blocks, or closes all but the chosen one. */
  readonly onUnfold: (unfolded: boolean) => void;
}

export interface ArchitectureDiagramData {
  readonly model: Architecture;
  readonly chosen: string;
  /** The block that is open, from 0. */
  readonly block: number;
  readonly unfolded: boolean;
}

export interface ArchitectureDiagram extends View<ArchitectureDiagramData> {
  /** The picture as it stands, to be saved. */
  picture(): SVGSVGElement;
  /** Brings the chosen part into focus. */
  focus(): void;
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

/** What can be chosen: a part, in a block where it has one, or a closed block. */
interface Stop {
  readonly part: string;
  readonly block: number;
}

/** Creates the diagram in `container`. */
export function createArchitectureDiagram(
  container: HTMLElement,
  { words, onChoose, onUnfold }: ArchitectureDiagramOptions,
): ArchitectureDiagram {
  const { t } = words;
  const fold = el('button', { type: 'button', class: 'secondary small', 'aria-pressed': 'false' });
  fold.textContent = t('parts.unfold');
  const picture = svg('svg', {
    class: 'architecture',
    role: 'group',
    'aria-label': t('parts.diagram'),
  });
  const help = el('p', { class: 'note' }, hint(words, 'parts.keys'));
  container.append(fold, picture, help);

  let data: ArchitectureDiagramData | null = null;
  let drawn = '';
  let stops: { readonly stop: Stop; readonly button: SVGGElement }[] = [];

  fold.addEventListener('click', () => {
    if (data !== null) onUnfold(!data.unfolded);
  });
  picture.addEventListener('keydown', (event) => {
    const at = stops.findIndex(({ button }) => button === event.target);
    if (at < 0) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: stops.length - 1,
    };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(stops[at]?.stop);
      return;
    }
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = stops[Math.min(stops.length - 1, Math.max(0, to))];
    next?.button.focus();
    choose(next?.stop);
  });

  function choose(stop: Stop | undefined, pointed = false): void {
    if (stop !== undefined) onChoose(stop.part, stop.block, pointed);
  }

  // ---- Drawing ----------------------------------------------------------------------------------

  function draw(now: ArchitectureDiagramData): void {
    const { model, unfolded } = now;
    const hadFocus = picture.contains(document.activeElement) || focusInShadow();
    stops = [];
    const pen = createPen(words);
    const rowsBefore = model.before;
    for (const part of rowsBefore) outside(pen, part);
    const blocks = unfolded
      ? Array.from({ length: model.layers }, (_, index) => index)
      : [now.block];
    for (const block of blocks) {
      if (block === now.block || !unfolded) openBlock(pen, model, block, unfolded);
      else closedBlock(pen, model, block);
    }
    for (const part of model.after) outside(pen, part);
    picture.setAttribute('viewBox', `0 0 ${String(WIDTH)} ${String(pen.y + 6)}`);
    picture.replaceChildren(pen.arrowHead, ...pen.shapes);
    mark(now);
    if (hadFocus) stops.find(({ button }) => button.tabIndex === 0)?.button.focus();
  }

  function focusInShadow(): boolean {
    const root = picture.getRootNode();
    return root instanceof ShadowRoot && picture.contains(root.activeElement);
  }

  /** A part on the stream itself, as wide as the picture. */
  function outside(pen: Pen, part: ModelPart): void {
    if (pen.y > 2) pen.arrow(WIDTH / 2, GAP, pen.lastShape);
    stop(pen, part, -1, EDGE, WIDTH - 2 * EDGE);
    pen.lastShape = part.tensors[0]?.shape ?? [];
  }

  function closedBlock(pen: Pen, model: Architecture, block: number): void {
    pen.arrow(WIDTH / 2, 14, []);
    const count = model.block.reduce((sum, one) => sum + one.count, 0);
    const label = t('parts.block', { block: block + 1 });
    const button = pen.box({
      x: EDGE,
      width: WIDTH - 2 * EDGE,
      height: BAR,
      title: label,
      detail: words.number(count),
      kind: 'closed',
      name: t('parts.block.open', { block: block + 1, count }),
    });
    const first = model.block[0];
    if (first !== undefined) listen({ part: first.id, block }, button, false);
  }

  function openBlock(pen: Pen, model: Architecture, block: number, unfolded: boolean): void {
    pen.arrow(WIDTH / 2, GAP, pen.lastShape);
    const top = pen.y;
    const count = model.block.reduce((sum, one) => sum + one.count, 0);
    const title = unfolded
      ? t('parts.block', { block: block + 1 })
      : t('parts.blocks', { layers: model.layers });
    pen.text(WIDTH - EDGE - 8, top + 16, t('parts.each', { count }), 'small', 'end');
    pen.text(EDGE + 8, top + 16, title, 'strong', 'start');
    pen.y += 26;
    let branchFrom = pen.y;
    pen.path(`M${String(WIDTH / 2)} ${String(top)} V${String(top)}`);
    let isOnStream = true;
    for (const part of model.block) {
      const isAdded = part.entry === 'add';
      if (isOnStream) {
        // A copy of the stream turns off to the right.
        branchFrom = pen.y;
        const middle = pen.y + BOX / 2 + 6;
        pen.y += 6;
        pen.path(`M${String(STREAM)} ${String(middle)} H${String(BRANCH - 2)}`, true);
        stop(pen, part, block, BRANCH, WIDTH - EDGE - 8 - BRANCH);
      } else if (isAdded) {
        const right = BRANCH + 60;
        const middle = pen.y + 14 + BOX / 2;
        pen.path(
          `M${String(right)} ${String(pen.y)} V${String(middle)} H${String(STREAM + 13)}`,
          true,
        );
        pen.y += 14;
        // The stream from where the copy was taken to where the result is added.
        pen.path(`M${String(STREAM)} ${String(branchFrom - 4)} V${String(middle - 12)}`, true);
        plus(pen, part, block, middle);
        pen.y += BOX + 4;
      } else {
        pen.arrow(BRANCH + 60, GAP, pen.lastShape);
        stop(pen, part, block, BRANCH, WIDTH - EDGE - 8 - BRANCH);
      }
      isOnStream = isAdded;
      pen.lastShape = part.tensors[0]?.shape ?? [];
    }
    pen.frame(EDGE, top, WIDTH - 2 * EDGE, pen.y - top);
  }

  /** The addition: a circle on the stream. */
  function plus(pen: Pen, part: ModelPart, block: number, middle: number): void {
    const button = pen.circle(STREAM, middle, nameOf(part, block));
    pen.text(BRANCH + 66, middle - 5, partName(part, words), 'small', 'start');
    listen({ part: part.id, block }, button, true);
  }

  function stop(pen: Pen, part: ModelPart, block: number, x: number, width: number): void {
    const borrowed = part.parameters.some((one) => one.borrowed);
    const detail = part.count > 0 ? words.number(part.count) : borrowed ? t('parts.shared') : '';
    const button = pen.box({
      x,
      width,
      height: BOX,
      title: partName(part, words),
      detail,
      kind: part.parameters.length > 0 ? 'learns' : 'plain',
      name: nameOf(part, block),
    });
    listen({ part: part.id, block }, button, true);
  }

  function nameOf(part: ModelPart, block: number): string {
    const values = {
      part: partName(part, words),
      shape: shapeText(part.tensors[0]?.shape ?? [], words),
      count: part.count,
    };
    const gives = part.tensors.length === 0 ? 'parts.name.bare' : 'parts.name.none';
    const text = t(part.count > 0 ? 'parts.name' : gives, values);
    return block < 0 ? text : t('parts.name.block', { name: text, block: block + 1 });
  }

  function listen(stop: Stop, button: SVGGElement, pressable: boolean): void {
    if (pressable) button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => {
      choose(stop, true);
    });
    stops.push({ stop, button });
  }

  /** Marks what is chosen, which alone is a stop of the Tab key. */
  function mark(now: ArchitectureDiagramData): void {
    for (const { stop: one, button } of stops) {
      const chosen =
        one.part === now.chosen && (one.block < 0 || one.block === now.block) && button.hasAttribute('aria-pressed'); // prettier-ignore
      button.tabIndex = chosen ? 0 : -1;
      if (button.hasAttribute('aria-pressed')) button.setAttribute('aria-pressed', String(chosen));
    }
    if (stops.every(({ button }) => button.tabIndex !== 0)) {
      const [first] = stops;
      if (first !== undefined) first.button.tabIndex = 0;
    }
  }

  return {
    update(next) {
      const key = JSON.stringify([next.model, next.unfolded, next.unfolded || next.block]);
      const openBlockKey = `${key} ${String(next.block)}`;
      data = next;
      fold.hidden = next.model.layers < 2;
      fold.setAttribute('aria-pressed', String(next.unfolded));
      if (openBlockKey !== drawn) {
        drawn = openBlockKey;
        draw(next);
      } else mark(next);
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
    picture: () => picture,
    focus: () => stops.find(({ button }) => button.tabIndex === 0)?.button.focus(),
  };
}

/** A shape as a person writes it: letters with the numbers below them in one line. */
export function shapeText(shape: Shape, words: AllWords): string {
  if (shape.length === 0) return words.t('parts.one');
  const letters = shape.map(({ letter }) => letter).join(', ');
  const sizes = shape.map(({ size }) => words.number(size)).join(' × ');
  return `(${letters}) = ${sizes}`;
}

/** What a part is called; one without words of its own is called as in the engine. */
export function partName({ id }: ModelPart, words: AllWords): string {
  return words.find(`part.${id}`) ?? id;
}

// ---- The pen ------------------------------------------------------------------------------------

interface Box {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly detail: string;
  readonly kind: 'learns' | 'plain' | 'closed';
  /** For screen readers. */
  readonly name: string;
}

interface Pen {
  y: number;
  lastShape: Shape;
  readonly shapes: SVGElement[];
  readonly arrowHead: SVGElement;
  arrow(x: number, length: number, shape: Shape): void;
  path(d: string, headed?: boolean): void;
  box(box: Box): SVGGElement;
  circle(x: number, y: number, name: string): SVGGElement;
  frame(x: number, y: number, width: number, height: number): void;
  text(x: number, y: number, text: string, kind: string, anchor: string): void;
}

/** Draws from top to bottom; `y` is where the next thing begins. */
function createPen(words: AllWords): Pen {
  const head = freshId('arrow');
  const shapes: SVGElement[] = [];
  const pen: Pen = {
    y: 2,
    lastShape: [],
    shapes,
    arrowHead: svg(
      'defs',
      {},
      svg(
        'marker',
        {
          id: head,
          viewBox: '0 0 8 8',
          refX: 7,
          refY: 4,
          markerWidth: 7,
          markerHeight: 7,
          orient: 'auto',
        },
        svg('path', { d: 'M0 0 8 4 0 8z', class: 'arrow-head' }),
      ),
    ),
    arrow(x, length, shape) {
      const to = pen.y + length;
      pen.path(`M${String(x)} ${String(pen.y)} V${String(to - 2)}`, true);
      if (shape.length > 0) {
        pen.text(x + 10, pen.y + length / 2 + 3, shapeText(shape, words), 'shape', 'start');
      }
      pen.y = to;
    },
    path(d, headed = false) {
      const attributes = headed ? { 'marker-end': `url(#${head})` } : {};
      shapes.push(svg('path', { d, class: 'wire', 'aria-hidden': 'true', ...attributes }));
    },
    box({ x, width, height, title, detail, kind, name }) {
      const y = pen.y;
      const middle = y + height / 2 + 4;
      const button = svg(
        'g',
        { class: `part part-${kind}`, role: 'button', 'aria-label': name },
        svg('rect', { x, y, width, height, rx: 6 }),
        svg('text', { x: x + 10, y: middle, class: 'part-title' }, title),
      );
      shapes.push(button);
      // Beside the button: its name says the count in words of its own.
      pen.text(x + width - 10, middle, detail, 'count', 'end');
      pen.y += height;
      return button;
    },
    circle(x, y, name) {
      const button = svg(
        'g',
        { class: 'part part-plain', role: 'button', 'aria-label': name },
        // A finger needs more than the circle.
        svg('rect', { x: x - 16, y: y - 16, width: 32, height: 32, class: 'part-reach' }),
        svg('circle', { cx: x, cy: y, r: 11 }),
        svg('path', { d: `M${String(x - 5)} ${String(y)}h10M${String(x)} ${String(y - 5)}v10` }),
      );
      shapes.push(button);
      return button;
    },
    frame(x, y, width, height) {
      // Behind everything that is inside of it.
      shapes.unshift(svg('rect', { x, y, width, height, rx: 10, class: 'block-frame' }));
    },
    text(x, y, text, kind, anchor) {
      const attributes = { x, y, class: `diagram-${kind}`, 'text-anchor': anchor };
      shapes.push(svg('text', { ...attributes, 'aria-hidden': 'true' }, text));
    },
  };
  return pen;
}
