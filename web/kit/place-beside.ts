/**
 * Where something that floats above the page stands: beside what it speaks of, within the window.
 */

import { scaleOf } from './scale.ts';

const GAP = 8;

/**
 * A figure with its name, or the few rows that belong to one: what is taller is no line to keep in
 * sight.
 */
const LINE = 'dl > div, tbody';
const TALLEST_LINE = 160;

/**
 * Puts `note` (position: fixed) below the line of `anchor`, such as a name with its number, or
 * above it where there is no room, within the window.
 */
export function placeBeside(note: HTMLElement, anchor: Element): void {
  const view = note.ownerDocument.documentElement;
  const around = anchor.getBoundingClientRect();
  const line = anchor.closest(LINE)?.getBoundingClientRect() ?? around;
  const { top: first, bottom: last } = line.height <= TALLEST_LINE ? line : around;
  const { width, height } = note.getBoundingClientRect();
  const right = view.clientWidth - GAP;
  const bottom = view.clientHeight - GAP;
  const left = Math.max(GAP, Math.min(around.left, right - width));
  const below = last + GAP;
  const above = first - GAP - height;
  const top = below + height <= bottom || above < GAP ? below : above;
  put(note, left, Math.max(GAP, Math.min(top, bottom - height)));
}

/** A zoom of the page around counts for what is above the page, too. */
function put(note: HTMLElement, left: number, top: number): void {
  const scale = scaleOf(note);
  note.style.left = `${String(Math.round(left / scale))}px`;
  note.style.top = `${String(Math.round(top / scale))}px`;
}

/** What a note goes round: `about` is what it speaks of, `also` may not be covered either. */
export interface Surroundings {
  readonly about: DOMRect;
  readonly also: DOMRect | null;
  /** What else is spoken of, and may have to be reached. */
  readonly spared?: DOMRect | null;
  /** Above or below rather than at the side, wherever there is room for both. */
  readonly stacked: boolean;
}

/** Text in less than this many pixels is hard to read. */
const NARROWEST = 272;
/** Room for the outline around what a note speaks of. */
const OUTLINE = 8;

/**
 * Puts `note` (position: fixed) where it covers nothing of its surroundings: to the right of what
 * it speaks of, to the left, below or above. Where there is no such place it stands at the lower
 * edge.
 */
export function placeClear(
  note: HTMLElement,
  { about, also, spared = null, stacked }: Surroundings,
): void {
  const view = note.ownerDocument.documentElement;
  const far = GAP + OUTLINE;
  note.style.width = '';
  const beside = Math.max(view.clientWidth - GAP - about.right - far, about.left - far - GAP);
  // In a column that is narrower, rather than over what it speaks of.
  if (!stacked && beside >= NARROWEST && beside < note.getBoundingClientRect().width) {
    note.style.width = `${String(Math.floor(beside))}px`;
  }
  const { width, height } = note.getBoundingClientRect();
  const lowest = view.clientHeight - GAP - height;
  const rightmost = view.clientWidth - GAP - width;
  const within = (at: number, most: number): number => Math.max(GAP, Math.min(at, most));
  const covers = (x: number, y: number, box: DOMRect, margin: number): boolean =>
    x < box.right + margin &&
    x + width > box.left - margin &&
    y < box.bottom + margin &&
    y + height > box.top - margin;
  const isClear = ([x, y]: readonly [number, number]): boolean =>
    x >= GAP &&
    x <= rightmost &&
    y >= GAP &&
    y <= lowest &&
    !covers(x, y, about, OUTLINE) &&
    (also === null || !covers(x, y, also, 0)) &&
    (spared === null || !covers(x, y, spared, 0));

  const heights = [about.top, also === null ? GAP : also.bottom + GAP, GAP];
  const sides = [about.right + far, about.left - far - width].flatMap((x) =>
    heights.map((y) => [x, within(y, lowest)] as const),
  );
  const level = within(about.left, rightmost);
  const spoken = spared === null ? [about] : [about, spared];
  const rows = spoken
    .flatMap(({ top, bottom }) => [bottom + far, top - far - height])
    .map((y) => [level, y] as const);
  const foot = also !== null && also.top > view.clientHeight / 2 ? also.top - GAP - height : lowest;
  const [x, y] = (stacked ? [...rows, ...sides] : [...sides, ...rows]).find(isClear) ?? [
    within((view.clientWidth - width) / 2, rightmost),
    Math.max(GAP, foot),
  ];
  put(note, x, y);
}

/**
 * Calls `place` whenever something may have moved, until the function that it returns is called.
 */
export function whileMoving(place: () => void): () => void {
  const options = { capture: true, passive: true } as const;
  window.addEventListener('scroll', place, options);
  window.addEventListener('resize', place);
  return () => {
    window.removeEventListener('scroll', place, options);
    window.removeEventListener('resize', place);
  };
}
