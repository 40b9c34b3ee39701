/** Positions floating notes: beside their anchor, within the window. */

import { scaleOf } from './scale.ts';

const GAP = 8;

/**
 * Selector of the line around an anchor, which a note must not cover: a name with its number, or
 * the rows of one entry. Elements above TALLEST_LINE pixels do not count.
 */
const LINE = 'dl > div, tbody';
const TALLEST_LINE = 160;

/**
 * Places `note` (position: fixed) below the line of `anchor`, such as a name with its number, or
 * above it if space is short, within the window.
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

/**
 * Sets the position; divides by the zoom of the surrounding page, which also applies to the note.
 */
function put(note: HTMLElement, left: number, top: number): void {
  const scale = scaleOf(note);
  note.style.left = `${String(Math.round(left / scale))}px`;
  note.style.top = `${String(Math.round(top / scale))}px`;
}

/** Areas that a note must not cover: `about`, which it explains, and `also`; null for none. */
export interface Surroundings {
  readonly about: DOMRect;
  readonly also: DOMRect | null;
  /** A second area that the note explains, which must stay reachable; null for none. */
  readonly spared?: DOMRect | null;
  /** Prefers places above or below to places at the side. */
  readonly stacked: boolean;
}

/** Minimum width of readable text, in pixels. */
const NARROWEST = 272;
/** Space for the outline around the explained area, in pixels. */
const OUTLINE = 8;

/**
 * Places `note` (position: fixed) where it covers none of its surroundings: to the right of the
 * explained area, to the left, below or above; at the lower edge if no such place exists.
 */
export function placeClear(
  note: HTMLElement,
  { about, also, spared = null, stacked }: Surroundings,
): void {
  const view = note.ownerDocument.documentElement;
  const far = GAP + OUTLINE;
  note.style.width = '';
  const beside = Math.max(view.clientWidth - GAP - about.right - far, about.left - far - GAP);
  // Narrows the note if it then fits beside the explained area.
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

/** Calls `place` on every scroll and resize, until the returned function is called. */
export function whileMoving(place: () => void): () => void {
  const options = { capture: true, passive: true } as const;
  window.addEventListener('scroll', place, options);
  window.addEventListener('resize', place);
  return () => {
    window.removeEventListener('scroll', place, options);
    window.removeEventListener('resize', place);
  };
}
