/**
 * The architecture as a drawing from top to bottom: the stream of the tokens on the left, what is
 * computed beside it and added back on the right. Every part is a button; arrow keys go from part
 * to part. It is one column at any width, so that it reads on a phone as it does on a wide screen.
 */
import type { AllWords } from '../../i18n/index.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import { DiagramPen } from './diagram-pen.ts';
import { partName, shapeText } from './part-names.ts';
import { el, svg } from '../../kit/dom.ts';
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
  readonly button: SVGGElement;
}

export class ArchitectureDiagram implements View<ArchitectureDiagramData> {
  /** The picture as it stands, to be saved. */
  readonly picture: SVGSVGElement;
  readonly #container: HTMLElement;
  readonly #options: ArchitectureDiagramOptions;
  readonly #fold: HTMLElement;
  #data: ArchitectureDiagramData | null = null;
  #drawn = '';
  #stops: Stop[] = [];

  constructor(container: HTMLElement, options: ArchitectureDiagramOptions) {
    const { words, onUnfold } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#fold = el(
      'button',
      { type: 'button', class: 'secondary small', 'aria-pressed': 'false' },
      t('parts.unfold'),
    );
    this.#fold.addEventListener('click', () => {
      if (this.#data !== null) onUnfold(!this.#data.unfolded);
    });
    this.picture = svg('svg', {
      class: 'architecture',
      role: 'group',
      'aria-label': t('parts.diagram'),
    });
    this.picture.addEventListener('keydown', (event) => this.#goTo(event));
    const help = el('p', { class: 'note' }, hint(words, 'parts.keys'));
    container.append(this.#fold, this.picture, help);
  }

  update(next: ArchitectureDiagramData): void {
    const { model, block, unfolded } = next;
    this.#data = next;
    this.#fold.hidden = model.layers < 2;
    this.#fold.setAttribute('aria-pressed', String(unfolded));
    const key = JSON.stringify([model, unfolded, block]);
    if (key !== this.#drawn) {
      this.#drawn = key;
      this.#draw(next);
    } else this.#mark(next);
  }

  /** Brings the chosen part into focus. */
  focus(): void {
    this.#stops.find(({ button }) => button.tabIndex === 0)?.button.focus();
  }

  resize(): void {
    // It is as wide as its box by itself.
  }

  destroy(): void {
    this.#container.replaceChildren();
  }

  #goTo(event: KeyboardEvent): void {
    const stops = this.#stops;
    const at = stops.findIndex(({ button }) => button === event.target);
    if (at < 0) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: stops.length - 1,
      Enter: at,
      ' ': at,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = stops[Math.min(stops.length - 1, Math.max(0, to))];
    if (next === undefined) return;
    next.button.focus();
    this.#options.onChoose(next.part, next.block, false);
  }

  #draw(now: ArchitectureDiagramData): void {
    const { model, block, unfolded } = now;
    const hadFocus = this.#hasFocus();
    this.#stops = [];
    const pen = new DiagramPen(this.#options.words);
    for (const part of model.before) this.#outside(pen, part);
    const blocks = unfolded ? Array.from({ length: model.layers }, (_, index) => index) : [block];
    for (const one of blocks) {
      if (one === block) this.#openBlock(pen, model, one, unfolded);
      else this.#closedBlock(pen, model, one);
    }
    for (const part of model.after) this.#outside(pen, part);
    this.picture.setAttribute('viewBox', `0 0 ${String(WIDTH)} ${String(pen.y + 6)}`);
    this.picture.replaceChildren(...pen.drawing());
    this.#mark(now);
    if (hadFocus) this.focus();
  }

  /** Also inside of a shadow tree. */
  #hasFocus(): boolean {
    const root = this.picture.getRootNode();
    const inShadow = root instanceof ShadowRoot && this.picture.contains(root.activeElement);
    return inShadow || this.picture.contains(document.activeElement);
  }

  /** A part on the stream itself, as wide as the picture. */
  #outside(pen: DiagramPen, part: ModelPart): void {
    if (pen.y > 2) pen.arrow(WIDTH / 2, GAP, pen.lastShape);
    this.#box(pen, part, -1, EDGE, WIDTH - 2 * EDGE);
    pen.lastShape = part.tensors[0]?.shape ?? [];
  }

  #closedBlock(pen: DiagramPen, model: Architecture, block: number): void {
    const { number, t } = this.#options.words;
    pen.arrow(WIDTH / 2, 14, []);
    const count = countOfBlock(model);
    const button = pen.box({
      x: EDGE,
      width: WIDTH - 2 * EDGE,
      height: BAR,
      title: t('parts.block', { block: block + 1 }),
      detail: number(count),
      kind: 'closed',
      name: t('parts.block.open', { block: block + 1, count }),
    });
    const first = model.block[0];
    if (first !== undefined) this.#listen({ part: first.id, block, button });
  }

  #openBlock(pen: DiagramPen, model: Architecture, block: number, unfolded: boolean): void {
    const { t } = this.#options.words;
    pen.arrow(WIDTH / 2, GAP, pen.lastShape);
    const top = pen.y;
    const title = unfolded
      ? t('parts.block', { block: block + 1 })
      : t('parts.blocks', { layers: model.layers });
    const count = t('parts.each', { count: countOfBlock(model) });
    pen.text(WIDTH - EDGE - 8, top + 16, count, 'small', 'end');
    pen.text(EDGE + 8, top + 16, title, 'strong', 'start');
    pen.y += 26;
    let branchFrom = pen.y;
    pen.path(`M${String(WIDTH / 2)} ${String(top)} V${String(top)}`);
    let isOnStream = true;
    for (const part of model.block) {
      const isAdded = part.entry === 'add';
      if (isOnStream) branchFrom = pen.y;
      if (isAdded && !isOnStream) this.#addition(pen, part, block, branchFrom);
      else this.#branch(pen, part, block, isOnStream);
      isOnStream = isAdded;
      pen.lastShape = part.tensors[0]?.shape ?? [];
    }
    pen.frame(EDGE, top, WIDTH - 2 * EDGE, pen.y - top);
  }

  /** A part beside the stream: the first takes a copy of it, which turns off to the right. */
  #branch(pen: DiagramPen, part: ModelPart, block: number, isFirst: boolean): void {
    if (isFirst) {
      pen.y += 6;
      const middle = pen.y + BOX / 2;
      pen.path(`M${String(STREAM)} ${String(middle)} H${String(BRANCH - 2)}`, true);
    } else pen.arrow(BRANCH + 60, GAP, pen.lastShape);
    this.#box(pen, part, block, BRANCH, WIDTH - EDGE - 8 - BRANCH);
  }

  /** The result is added to the stream, a circle on it; the copy was taken at `branchFrom`. */
  #addition(pen: DiagramPen, part: ModelPart, block: number, branchFrom: number): void {
    const { words } = this.#options;
    const middle = pen.y + 14 + BOX / 2;
    const right = `M${String(BRANCH + 60)} ${String(pen.y)}`;
    pen.path(`${right} V${String(middle)} H${String(STREAM + 13)}`, true);
    // The stream from where the copy was taken to where the result is added.
    pen.path(`M${String(STREAM)} ${String(branchFrom - 4)} V${String(middle - 12)}`, true);
    const button = pen.circle(STREAM, middle, this.#nameOf(part, block));
    pen.text(BRANCH + 66, middle - 5, partName(part, words), 'small', 'start');
    this.#listenPressable({ part: part.id, block, button });
    pen.y += 14 + BOX + 4;
  }

  #box(pen: DiagramPen, part: ModelPart, block: number, x: number, width: number): void {
    const { words } = this.#options;
    const borrowed = part.parameters.some((one) => one.borrowed) ? words.t('parts.shared') : '';
    const button = pen.box({
      x,
      width,
      height: BOX,
      title: partName(part, words),
      detail: part.count > 0 ? words.number(part.count) : borrowed,
      kind: part.parameters.length > 0 ? 'learns' : 'plain',
      name: this.#nameOf(part, block),
    });
    this.#listenPressable({ part: part.id, block, button });
  }

  #nameOf(part: ModelPart, block: number): string {
    const { words } = this.#options;
    const values = {
      part: partName(part, words),
      shape: shapeText(part.tensors[0]?.shape ?? [], words),
      count: part.count,
    };
    const gives = part.tensors.length === 0 ? 'parts.name.bare' : 'parts.name.none';
    const text = words.t(part.count > 0 ? 'parts.name' : gives, values);
    return block < 0 ? text : words.t('parts.name.block', { name: text, block: block + 1 });
  }

  #listenPressable(stop: Stop): void {
    stop.button.setAttribute('aria-pressed', 'false');
    this.#listen(stop);
  }

  #listen(stop: Stop): void {
    stop.button.addEventListener('click', () => {
      this.#options.onChoose(stop.part, stop.block, true);
    });
    this.#stops.push(stop);
  }

  /** Marks what is chosen, which alone is a stop of the Tab key. */
  #mark({ chosen, block }: ArchitectureDiagramData): void {
    for (const stop of this.#stops) {
      const { button } = stop;
      const pressable = button.hasAttribute('aria-pressed');
      const isHere = stop.part === chosen && (stop.block < 0 || stop.block === block);
      button.tabIndex = isHere && pressable ? 0 : -1;
      if (pressable) button.setAttribute('aria-pressed', String(isHere));
    }
    const [first] = this.#stops;
    const hasStop = this.#stops.some(({ button }) => button.tabIndex === 0);
    if (first !== undefined && !hasStop) first.button.tabIndex = 0;
  }
}

/** Parameters of one block. */
function countOfBlock({ block }: Architecture): number {
  return block.reduce((sum, { count }) => sum + count, 0);
}
