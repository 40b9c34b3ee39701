/** Chooses the points to name in the picture, and the side of each name, without overlaps. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A point that may be named, in pixels. */
export interface NamedPoint {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** Width of its name. */
  readonly width: number;
  /** Distance from the point to its name. */
  readonly gap: number;
  /** Whether the point is named even if its name covers another point. */
  readonly isNeeded: boolean;
}

export type Side = 'right' | 'left' | 'above' | 'below';
const SIDES: readonly Side[] = ['right', 'left', 'above', 'below'];

export interface PlacedName {
  readonly index: number;
  readonly side: Side;
  readonly box: Box;
}

/** Size of the picture, and boxes that names avoid, in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** Height of a line of text. */
  readonly line: number;
  /** Boxes of the points, which names must not cover unless needed. */
  readonly dots: readonly Box[];
}

/** Side of the square grid cells in which names are compared. */
const CELL = 64;

/**
 * Places the names of `points`, which are in order of priority; omits names that do not fit.
 * `before`: the sides of names in the previous drawing, by point.
 */
export function placeNames(
  points: Iterable<NamedPoint>,
  room: Room,
  before: ReadonlyMap<number, Side>,
): readonly PlacedName[] {
  const placed: PlacedName[] = [];
  const [names, dots] = [new Boxes(), new Boxes()];
  for (const dot of room.dots) dots.add(dot);
  const isFree = (box: Box, mayCover: boolean): boolean =>
    box.left >= 0 &&
    box.top >= 0 &&
    box.right <= room.width &&
    box.bottom <= room.height &&
    !names.meets(box) &&
    (mayCover || !dots.meets(box));
  for (const point of points) {
    const last = before.get(point.index);
    // Prefers the previous side, so that names do not jump.
    const sides = last === undefined ? SIDES : [last, ...SIDES];
    const places = sides.map((side) => ({ side, box: boxAt(point, side, room.line) }));
    const free =
      places.find(({ box }) => isFree(box, false)) ??
      (point.isNeeded ? places.find(({ box }) => isFree(box, true)) : undefined);
    if (free === undefined) continue;
    names.add(free.box);
    placed.push({ index: point.index, ...free });
  }
  return placed;
}

/** Boxes by grid cell, so that only nearby boxes are compared. */
class Boxes {
  readonly #cells = new Map<string, Box[]>();

  add(box: Box): void {
    for (const key of cellsOf(box)) {
      const cell = this.#cells.get(key);
      if (cell === undefined) this.#cells.set(key, [box]);
      else cell.push(box);
    }
  }

  meets(box: Box): boolean {
    return cellsOf(box).some((key) => this.#cells.get(key)?.some((other) => overlap(box, other)));
  }
}

function boxAt({ x, y, width, gap }: NamedPoint, side: Side, line: number): Box {
  const [dx, dy] = {
    right: [gap, -line / 2],
    left: [-gap - width, -line / 2],
    above: [-width / 2, -gap - line],
    below: [-width / 2, gap],
  }[side] as [number, number];
  return { left: x + dx, top: y + dy, right: x + dx + width, bottom: y + dy + line };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function cellsOf({ left, top, right, bottom }: Box): string[] {
  const keys: string[] = [];
  for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++) {
    for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) {
      keys.push(`${String(x)} ${String(y)}`);
    }
  }
  return keys;
}
