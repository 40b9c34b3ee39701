/**
 * Draws points on a canvas: with names where space permits, and lines from the chosen point to its
 * nearest. Moves to new positions are animated, so that the reader can follow each point.
 */
import { colourScale, cssColour } from '../../kit/weight-colour.ts';
import { keptValues, perFrame } from '../../kit/dom.ts';
import type { KeptValues } from '../../kit/dom.ts';
import { placeOn } from '../../kit/scale.ts';
import type { Bounds } from './frame.ts';
import { placeNames } from './labels.ts';
import type { Box, NamedPoint, Side } from './labels.ts';
import { KIND_COLOURS } from './token-kinds.ts';
import type { Kind } from './token-kinds.ts';

export interface PictureData {
  /** Moves are animated only between data with the same key. */
  readonly pointsKey: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly bounds: Bounds;
  readonly labels: readonly string[];
  /**
   * Kinds of the tokens; null if the points are the positions of a text or of the position table. A
   * line then joins the points in order.
   */
  readonly kinds: readonly Kind[] | null;
  readonly chosen: number;
  /** Points nearest to the chosen point; lines join them to it. */
  readonly near: readonly number[];
}

export interface PictureOptions {
  readonly isDark: () => boolean;
  readonly onChoose: (index: number) => void;
  /** Called with the point under the pointer; -1 for none. */
  readonly onPoint: (index: number) => void;
}

const MOST_HEIGHT = 520;
/** Margin around the outermost points, in pixels; it leaves room for their names. */
const MARGIN = { x: 44, y: 26 };
const GLIDE_MS = 260;
/** Above this number of points, moves are not animated: animation takes cores from training. */
const MOST_GLIDING = 1000;
const DOT = 3.5;
const RING = 7;
/** Above this number of points, dots are smaller, and only few names are animated. */
const MANY = 200;
const FONT = 13;
const LINE = 16;
/** Maximum number of points to try to name, in order of priority. */
const MOST_NAMES = 200;
const LONGEST_LABEL = 14;
/** Maximum distance of the pointer from a point, in pixels. */
const NEAR = 18;
/** Weight of sideways distance when arrow keys move between points. */
const ASIDE = 2;

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Places {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export class PlanePicture {
  readonly #canvas: HTMLCanvasElement;
  readonly #options: PictureOptions;
  readonly #styles: KeptValues;
  readonly #draw = perFrame(() => this.#paint(), 'alone');
  readonly #widths = new Map<string, number>();
  #data: PictureData | null = null;
  #size = { width: 0, height: 0 };
  /** Converts units of the model to pixels. */
  #toX = (value: number): number => value;
  #toY = (value: number): number => value;
  /**
   * Positions at the end and at the start of the animation; the start is null without animation.
   */
  #goal: Places | null = null;
  #start: Places | null = null;
  #began = 0;
  /** Positions in the last painted frame; null before the first. */
  #now: Places | null = null;
  #sides = new Map<number, Side>();
  #pointed = -1;

  constructor(canvas: HTMLCanvasElement, options: PictureOptions) {
    this.#canvas = canvas;
    this.#styles = keptValues(canvas);
    this.#options = options;
    this.#listen();
  }

  update(data: PictureData): void {
    const before = this.#data;
    const glides = before?.pointsKey === data.pointsKey && before.x.length === data.x.length;
    this.#data = data;
    if (!glides) {
      this.#pointed = -1;
      this.#sides.clear();
    }
    const moved = before?.x !== data.x || before.bounds !== data.bounds;
    if (moved) this.#aim(glides);
    this.#draw.request();
  }

  resize(): void {
    this.#size = { width: 0, height: 0 };
    this.#styles.forget();
    this.#widths.clear();
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
  }

  // ---- Places -----------------------------------------------------------------------------------

  /** Sets the target positions; animates the move if `glides`. */
  #aim(glides: boolean): void {
    const data = this.#data;
    const { width, height } = this.#size;
    if (data === null || width === 0) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const { left, right, bottom, top } = data.bounds;
    const room = (side: number, margin: number, length: number): number =>
      length > 0 ? (side - 2 * margin) / length : Infinity;
    const fit = Math.min(room(width, MARGIN.x, right - left), room(height, MARGIN.y, top - bottom));
    const scale = Number.isFinite(fit) ? fit : 0;
    this.#toX = (value) => width / 2 + (value - (left + right) / 2) * scale;
    // Positive values are above the origin.
    this.#toY = (value) => height / 2 - (value - (bottom + top) / 2) * scale;
    this.#goal = { x: data.x.map(this.#toX), y: data.y.map(this.#toY) };
    const isMany = data.x.length > MOST_GLIDING;
    this.#start = glides && !still && !isMany ? this.#now : null;
    this.#began = performance.now();
  }

  /** Current positions of the points. */
  #places(): Places | null {
    const [start, goal] = [this.#start, this.#goal];
    const t = (performance.now() - this.#began) / GLIDE_MS;
    if (start === null || goal === null || t >= 1) {
      this.#start = null;
      return goal;
    }
    const eased = t * t * (3 - 2 * t);
    const between = (from: Float64Array, to: Float64Array): Float64Array =>
      to.map((value, at) => from[at]! + (value - from[at]!) * eased);
    return { x: between(start.x, goal.x), y: between(start.y, goal.y) };
  }

  // ---- Drawing ----------------------------------------------------------------------------------

  #measure(): void {
    const canvas = this.#canvas;
    const width = canvas.clientWidth;
    if (this.#size.width > 0 || width === 0) return;
    const height = Math.min(width, MOST_HEIGHT);
    this.#size = { width, height };
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    canvas.style.height = `${String(height)}px`;
    this.#aim(false);
  }

  #paint(): void {
    this.#measure();
    const data = this.#data;
    const places = this.#places();
    const context = this.#canvas.getContext('2d');
    if (data === null || places === null || context === null) return;
    this.#now = places;
    const { width, height } = this.#size;
    const style = (name: string): string => this.#styles.of(name);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.fillStyle = style('--sheet');
    context.fillRect(0, 0, width, height);
    context.lineWidth = 1;
    context.strokeStyle = style('--grid');
    const [originX, originY] = [this.#toX(0), this.#toY(0)];
    line(context, [
      [0, originY],
      [width, originY],
    ]);
    line(context, [
      [originX, 0],
      [originX, height],
    ]);
    const at = (index: number): [number, number] => [places.x[index]!, places.y[index]!];
    if (data.kinds === null) {
      context.strokeStyle = style('--line');
      line(
        context,
        Array.from(data.labels, (_, index) => at(index)),
      );
    }
    context.strokeStyle = style('--edge');
    for (const index of data.near) line(context, [at(data.chosen), at(index)]);
    this.#paintDots(context, data, places);
    for (const index of [data.chosen, this.#pointed]) {
      if (index < 0 || index >= data.labels.length) continue;
      context.strokeStyle = style('--ink');
      context.lineWidth = index === data.chosen ? 2 : 1.25;
      context.beginPath();
      context.arc(...at(index), RING, 0, 2 * Math.PI);
      context.stroke();
    }
    this.#paintNames(context, data, places);
    if (this.#start !== null) this.#draw.request();
  }

  #paintDots(context: CanvasRenderingContext2D, data: PictureData, { x, y }: Places): void {
    const scale = colourScale(this.#options.isDark());
    const count = data.labels.length;
    const dots = new Map<string, Path2D>();
    for (let index = 0; index < count; index++) {
      const kind = data.kinds?.[index];
      // Colours grow stronger along a text.
      const strength = 0.08 + (0.92 * index) / Math.max(1, count - 1);
      const colour =
        kind === undefined ? cssColour(scale, strength) : this.#styles.of(KIND_COLOURS[kind]);
      const path = dots.get(colour) ?? new Path2D();
      dots.set(colour, path);
      // Circles are too slow for thousands of points.
      if (count > MANY) path.rect(x[index]! - 1.5, y[index]! - 1.5, 3, 3);
      else {
        path.moveTo(x[index]! + DOT, y[index]!);
        path.arc(x[index]!, y[index]!, DOT, 0, 2 * Math.PI);
      }
    }
    for (const [colour, path] of dots) {
      context.fillStyle = colour;
      context.fill(path);
    }
  }

  #paintNames(context: CanvasRenderingContext2D, data: PictureData, places: Places): void {
    const { width, height } = this.#size;
    const font = `${String(FONT)}px ${this.#styles.of('--sans')}`;
    context.font = font;
    const named = this.#order(data, places).map((index): NamedPoint => {
      const label = labelOf(data, index);
      let wide = this.#widths.get(label);
      if (wide === undefined) {
        wide = context.measureText(label).width;
        this.#widths.set(label, wide);
      }
      const isNeeded = index === data.chosen || data.near.includes(index);
      const gap = index === data.chosen ? RING + 3 : DOT + 3;
      return { index, x: places.x[index]!, y: places.y[index]!, width: wide, gap, isNeeded };
    });
    const dots = data.labels.length > MANY ? [] : named.map(({ x, y }) => dotBox(x, y));
    const placed = placeNames(named, { width, height, line: LINE, dots }, this.#sides);
    if (this.#start === null) this.#sides = new Map(placed.map(({ index, side }) => [index, side]));
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = this.#styles.of('--sheet');
    context.fillStyle = this.#styles.of('--ink');
    for (const { index, box } of placed) {
      context.font = index === data.chosen ? `600 ${font}` : font;
      const y = (box.top + box.bottom) / 2;
      context.strokeText(labelOf(data, index), box.left, y);
      context.fillText(labelOf(data, index), box.left, y);
    }
  }

  /** Points by priority for names: chosen, pointed at, nearest, named before, then outermost. */
  #order(data: PictureData, { x, y }: Places): number[] {
    const isMany = data.labels.length > MANY;
    const named = this.#start !== null && isMany ? [] : this.#sides.keys();
    const first = [data.chosen, this.#pointed, ...data.near, ...named];
    const known = first.filter((index) => index >= 0 && index < data.labels.length);
    // No names are added during an animation.
    if (this.#start !== null) return [...new Set(known)];
    const { width, height } = this.#size;
    const away = (index: number): number =>
      (x[index]! - width / 2) ** 2 + (y[index]! - height / 2) ** 2;
    const others = data.labels.map((_, index) => index);
    if (others.length > 1) others.sort((a, b) => away(b) - away(a));
    return [...new Set([...known, ...others])].slice(0, MOST_NAMES);
  }

  // ---- Pointing ---------------------------------------------------------------------------------

  #listen(): void {
    const canvas = this.#canvas;
    const { onChoose } = this.#options;
    canvas.addEventListener('pointermove', (event) => this.#point(this.#under(event)));
    canvas.addEventListener('pointerleave', () => this.#point(-1));
    canvas.addEventListener('click', (event) => {
      const index = this.#under(event);
      if (index >= 0) onChoose(index);
    });
    canvas.addEventListener('keydown', (event) => {
      const count = this.#data?.labels.length ?? 0;
      const to = this.#keyed(event.key, count);
      if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      if (to >= 0) onChoose(to);
    });
  }

  #point(index: number): void {
    if (index === this.#pointed) return;
    this.#pointed = index;
    this.#options.onPoint(index);
    this.#draw.request();
  }

  #under(event: MouseEvent): number {
    const { x, y } = placeOn(this.#canvas, event);
    return this.#best((dx, dy) => dx * dx + dy * dy, NEAR * NEAR, x, y);
  }

  /** The point that a key leads to; -1 if no point lies there, null for other keys. */
  #keyed(key: string, count: number): number | null {
    if (count === 0) return null;
    if (key === 'Home') return 0;
    if (key === 'End') return count - 1;
    const way = KEYS[key];
    const [chosen, places] = [this.#data?.chosen ?? -1, this.#goal];
    if (way === undefined || places === null) return null;
    const [right, down] = way;
    const cost = (dx: number, dy: number): number => {
      const ahead = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      return ahead > 0 ? ahead + ASIDE * aside : Infinity;
    };
    return this.#best(cost, Infinity, places.x[chosen] ?? 0, places.y[chosen] ?? 0, chosen);
  }

  /** The point with the lowest cost below `limit`, by its offset from a position; -1 for none. */
  #best(
    cost: (dx: number, dy: number) => number,
    limit: number,
    fromX: number,
    fromY: number,
    but = -1,
  ): number {
    const places = this.#goal;
    let [best, least] = [-1, limit];
    for (let index = 0; index < (places?.x.length ?? 0); index++) {
      if (index === but || places === null) continue;
      const now = cost(places.x[index]! - fromX, places.y[index]! - fromY);
      if (now < least) [best, least] = [index, now];
    }
    return best;
  }
}

function dotBox(x: number, y: number): Box {
  return { left: x - DOT, top: y - DOT, right: x + DOT, bottom: y + DOT };
}

function labelOf({ labels }: PictureData, index: number): string {
  const letters = Array.from(labels[index] ?? '');
  if (letters.length <= LONGEST_LABEL) return letters.join('');
  return `${letters.slice(0, LONGEST_LABEL - 1).join('')}…`;
}

function line(
  context: CanvasRenderingContext2D,
  points: readonly (readonly [number, number])[],
): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}
