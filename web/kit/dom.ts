/**
 * Helpers of all views: creating elements, and drawing once per animation frame. Text becomes text
 * nodes only, so that pasted or generated text cannot become markup.
 */
import { beginWork } from './at-rest.ts';

export type Child = Node | string | null;

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Creates an element with attributes (false omits one, true sets it empty) and children. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an SVG element with attributes and children. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Creates a 16-unit line icon from path data, hidden from screen readers as decoration. */
export function icon(path: string, filled = false): SVGSVGElement {
  const shape = svg('path', { d: path, class: filled ? 'icon-fill' : 'icon-line' });
  return svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon' }, shape);
}

/** Icons of the page, as path data. */
export const ICONS = {
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  start: 'M4 2.5v11l9-5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M3 3v10l7-5zM12 3v10',
  rewind: 'M3.2 6.5A5.2 5.2 0 1 1 3 9.6M3 2.6v4h4',
  seed: 'M3 5.5h6.5l3 3M3 10.5h6.5l3-3M11 3.5l2 2-2 2M11 8.5l2 2-2 2',
  stop: 'M4 4h8v8H4z',
  now: 'M3 3l5 5-5 5M12 3v10',
  film: 'M2 3.5h12v9H2zM5.5 3.5v9M10.5 3.5v9M2 8h3.5M10.5 8H14',
  fork: 'M4 2.5v11M4 9.5c5 0 7.5-1.5 7.5-6M9 6l2.5-2.5L14 6',
} as const;

/** Sets the text of a node only if it differs, to avoid a layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Reserves `pixels` of height in a block; null releases them. Not by `min-height`: changing it on
 * an ancestor suppresses scroll anchoring (CSS Scroll Anchoring Module Level 1, “suppression
 * triggers”).
 */
export function reserveSpace(block: HTMLElement, pixels: number | null): void {
  block.classList.toggle('reserves-space', pixels !== null);
  if (pixels === null) block.style.removeProperty('--reserved');
  else block.style.setProperty('--reserved', `${String(pixels)}px`);
}

/** Sets an attribute only if it differs, to avoid a layout. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Maximum milliseconds of drawing per frame, to avoid long tasks. Other drawings wait. */
const FRAME_BUDGET = 4;
/** Pending drawings, in request order, and responses to a press, which precede them. */
const waiting = new Set<() => void>();
const pressing = new Set<() => void>();
/** Drawings in frames of their own. */
const alone = new Set<() => void>();
let wasAlone = false;
let frame = 0;
/** Ends the pending work of at-rest.ts; null if no drawing waits. */
let endDrawing: (() => void) | null = null;

function drawWaiting(): void {
  frame = 0;
  const end = performance.now() + FRAME_BUDGET;
  const [lone] = alone;
  wasAlone = lone !== undefined && (!wasAlone || pressing.size + waiting.size === 0);
  try {
    if (lone !== undefined && wasAlone) {
      alone.delete(lone);
      lone();
      return;
    }
    // A drawing requested during a drawing runs in a later frame.
    for (const draw of [...pressing, ...waiting]) {
      if (!pressing.delete(draw) && !waiting.delete(draw)) continue;
      draw();
      if (performance.now() >= end) break;
    }
  } finally {
    if (pressing.size + waiting.size + alone.size > 0) {
      frame ||= requestAnimationFrame(drawWaiting);
    } else {
      endDrawing?.();
      endDrawing = null;
    }
  }
}

/** Runs all pending drawings, for printing before the next frame. */
export function drawNow(): void {
  for (const queue of [pressing, waiting, alone]) {
    for (const turn of [...queue]) {
      queue.delete(turn);
      turn();
    }
  }
}

/**
 * Runs `draw` once in one of the next animation frames, however often `request` is called. A frame
 * draws until FRAME_BUDGET is used, responses to a press first. Large canvases with text are drawn
 * alone in a frame, because text on a canvas forces a layout, which is fast only while the page is
 * unchanged; at most every other frame while other drawings wait.
 */
export function perFrame(
  draw: () => void,
  place: 'in turn' | 'first' | 'alone' = 'in turn',
): {
  request: () => void;
  cancel: () => void;
  /** Draws at once if a drawing is pending. */
  settle: () => void;
} {
  const queue = { 'in turn': waiting, first: pressing, alone }[place];
  // Two callers may pass the same function, which the queue, a set, would store only once.
  const turn = (): void => {
    draw();
  };
  return {
    request: () => {
      queue.add(turn);
      endDrawing ??= beginWork();
      frame ||= requestAnimationFrame(drawWaiting);
    },
    cancel: () => {
      queue.delete(turn);
    },
    settle: () => {
      if (queue.delete(turn)) draw();
    },
  };
}

/** Makes a change and keeps `element` at its screen position. */
export function keepInPlace(element: Element, change: () => void): void {
  const settle = holdInPlace(element);
  change();
  settle();
}

/**
 * Like `keepInPlace`, for a change that ends later: the returned function corrects the scroll
 * position.
 */
export function holdInPlace(element: Element): () => void {
  const top = (): number => element.getBoundingClientRect().top;
  const before = top();
  return () => {
    const shift = top() - before;
    // Scrolling by 0 would also end a smooth scroll.
    if (shift === 0) return;
    scrollBy({ top: shift, behavior: 'instant' });
    requestAnimationFrame(() => {
      // Scroll anchoring of the browser shifts the page again in this frame: undoes that, unless
      // the reader has scrolled meanwhile.
      const twice = top() - before;
      if (Math.abs(twice + shift) < 1) scrollBy({ top: twice, behavior: 'instant' });
    });
  };
}

/** Space above a scroll target, in CSS pixels. */
const AIR = 16;

/** Scroll behaviour by the reader's motion preference. */
export function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}

/**
 * Scrolls `element` to `at` CSS pixels below the top of the window, or higher if the end of `last`
 * would otherwise be out of sight.
 */
export function standAt(element: HTMLElement, last: Element, at: number): void {
  const covered = parseFloat(getComputedStyle(element).scrollMarginBottom) || 0;
  const height = last.getBoundingClientRect().bottom - element.getBoundingClientRect().top;
  const lowest = innerHeight - covered - height;
  element.style.scrollMarginTop = `${String(Math.max(AIR, Math.min(at, lowest)))}px`;
  element.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
  element.style.scrollMarginTop = '';
}

/** The value of a CSS custom property at `element`. */
export function cssValue(element: Element, property: string): string {
  return getComputedStyle(element).getPropertyValue(property).trim();
}

/** Cached values of CSS custom properties. */
export interface KeptValues {
  readonly of: (property: string) => string;
  /** Clears the cache, for example after a change of colours. */
  readonly forget: () => void;
}

/**
 * Caches properties for code that draws in every frame: reading one forces a style computation, and
 * often a layout, of all changes on the page.
 */
export function keptValues(element: Element): KeptValues {
  const known = new Map<string, string>();
  return {
    of(property) {
      const value = known.get(property) ?? cssValue(element, property);
      // An element outside the document has empty values.
      if (value !== '') known.set(property, value);
      return value;
    },
    forget: () => {
      known.clear();
    },
  };
}

let lastId = 0;

/** Returns a unique id, which connects labels and descriptions to controls. */
export function freshId(stem: string): string {
  lastId += 1;
  return `${stem}-${String(lastId)}`;
}

/**
 * Turns off autocomplete, autocapitalize, autocorrect and spellcheck in a field. Used as the
 * field's `ref`, because JSX sets properties of these names, where 'off' and 'false' may count as
 * true.
 */
export function asTyped(field: HTMLElement | null): void {
  if (field === null) return;
  const off = { autocomplete: 'off', autocapitalize: 'off', autocorrect: 'off' };
  setAttributes(field, { ...off, spellcheck: 'false' });
}
