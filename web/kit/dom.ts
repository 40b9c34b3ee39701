/**
 * The few helpers that all views share: making elements, and drawing once per animation frame.
 * Text goes in as text nodes only, so that no pasted or generated text can become markup.
 */
import { beginWork } from './at-rest.ts';

export type Child = Node | string | null;

/** What every view offers to the page. */
export interface View<Data> {
  update(data: Data): void;
  /** The container changed its size or its colours. */
  resize(): void;
  destroy(): void;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** An element with attributes (false leaves one out, true sets it empty) and children. */
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

/** An SVG element with attributes and children. */
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

/** A 16-unit line icon from path data; decoration only, so hidden from screen readers. */
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
} as const;

/** Sets the text of a node only when it differs, so that nothing is laid out in vain. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets the text of a line that changes under the pointer or the keys, and keeps it as tall as it
 * has been: what stands below must not move away from a press that is under way.
 */
export function setSteadyText(line: HTMLElement, text: string): void {
  if (line.textContent === text) return;
  const tall = line.offsetHeight;
  line.textContent = text;
  line.style.minHeight = `${String(Math.max(tall, line.offsetHeight))}px`;
}

/**
 * Keeps `pixels` of room in a block, however little is in it; null gives the room back. Not by its
 * least height: a change of that, at any element around what the reader looks at, keeps browsers
 * from holding it in its place (CSS Scroll Anchoring Module Level 1, “suppression triggers”).
 */
export function reserveSpace(block: HTMLElement, pixels: number | null): void {
  block.classList.toggle('reserves-space', pixels !== null);
  if (pixels === null) block.style.removeProperty('--reserved');
  else block.style.setProperty('--reserved', `${String(pixels)}px`);
}

/**
 * A slider. A finger that only passes it on its way up or down the page leaves it as it was:
 * touching it moves it at once, and when the browser takes the gesture for scrolling, that is taken
 * back.
 */
export function range(attributes: Attributes): HTMLInputElement {
  const slider = el('input', { type: 'range', step: 1, ...attributes });
  let before = slider.value;
  slider.addEventListener('pointerdown', () => {
    before = slider.value;
  });
  slider.addEventListener('pointercancel', () => {
    if (slider.value === before) return;
    slider.value = before;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  return slider;
}

/** Sets an attribute only when it differs, for the same reason. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Puts the children in place without taking out those that stay: one of them may have the focus.
 */
export function arrange(parent: HTMLElement, wanted: readonly HTMLElement[]): void {
  for (const node of [...parent.children]) {
    if (!wanted.includes(node as HTMLElement)) node.remove();
  }
  for (const [index, node] of wanted.entries()) {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  }
}

/**
 * Milliseconds of drawing in one frame: what is left waits, so that no frame becomes a long task.
 */
const FRAME_BUDGET = 4;
/**
 * What waits to be drawn, in the order in which it was first asked for; before all else, what is
 * pressed.
 */
const waiting = new Set<() => void>();
const pressing = new Set<() => void>();
/** What is drawn in frames of its own. */
const alone = new Set<() => void>();
let wasAlone = false;
let frame = 0;
/** Ends the work that waits for a frame; null if none waits. */
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
    // What asks for another turn while it draws gets it in a later frame.
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

/** Draws what waits for a frame, for a print that is made before the next one. */
export function drawNow(): void {
  for (const queue of [pressing, waiting, alone]) {
    for (const turn of [...queue]) {
      queue.delete(turn);
      turn();
    }
  }
}

/**
 * Runs `draw` once in one of the next animation frames, however often it is asked for. All that is
 * asked for takes turns: a frame draws as much as it has time for. What answers to a press comes
 * first. Large canvases with text are drawn alone, every other frame at most: writing there makes
 * browsers lay out the page, which costs nothing as long as nothing in it was changed.
 */
export function perFrame(
  draw: () => void,
  place: 'in turn' | 'first' | 'alone' = 'in turn',
): {
  request: () => void;
  cancel: () => void;
  /** Draws at once what was asked for, if anything was. */
  settle: () => void;
} {
  const queue = { 'in turn': waiting, first: pressing, alone }[place];
  // Two callers may bring the same function.
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

/** Makes a change after which `element` stands where it stood, however much comes in above it. */
export function keepInPlace(element: Element, change: () => void): void {
  const settle = holdInPlace(element);
  change();
  settle();
}

/** The same for a change between this call and that of the returned function. */
export function holdInPlace(element: Element): () => void {
  const top = (): number => element.getBoundingClientRect().top;
  const before = top();
  return () => {
    const shift = top() - before;
    // Even a scroll by nothing ends one that is on its smooth way.
    if (shift === 0) return;
    scrollBy({ top: shift, behavior: 'instant' });
    requestAnimationFrame(() => {
      // Browsers that hold what is in sight by themselves do so with this frame: not twice. A
      // reader who has scrolled meanwhile stays where that led.
      const twice = top() - before;
      if (Math.abs(twice + shift) < 1) scrollBy({ top: twice, behavior: 'instant' });
    });
  };
}

/** CSS pixels that stay free above what is scrolled to. */
const AIR = 16;

/** How to scroll for this reader. */
export function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}

/**
 * Scrolls `element` to where it stands `at` CSS pixels below the top of the window, or as near to
 * that as leaves all down to the end of `last` in sight.
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

/** CSS custom properties as they were when they were first asked for. */
export interface KeptValues {
  readonly of: (property: string) => string;
  /** They may have changed, as colours do. */
  readonly forget: () => void;
}

/**
 * The same for what draws in every frame: asking makes the browser work out the styles, and often
 * the layout, of all that has changed on the page, in the midst of drawing.
 */
export function keptValues(element: Element): KeptValues {
  const known = new Map<string, string>();
  return {
    of(property) {
      const value = known.get(property) ?? cssValue(element, property);
      // What is on no page has none yet.
      if (value !== '') known.set(property, value);
      return value;
    },
    forget: () => {
      known.clear();
    },
  };
}

let lastId = 0;

/** A fresh id, to tie labels and descriptions to controls. */
export function freshId(stem: string): string {
  lastId += 1;
  return `${stem}-${String(lastId)}`;
}

/** Something that unfolds below its button. */
export interface Disclosure {
  readonly root: HTMLElement;
  readonly body: HTMLElement;
  readonly isOpen: () => boolean;
  readonly open: () => void;
  /** Stands as it `stood`; from then on `note` hears whether it is open. Answers itself. */
  readonly keep: (stood: boolean, note: (open: boolean) => void) => Disclosure;
}

/**
 * A button that unfolds `children`. Not a `<details>`: one that is closed anywhere on a page makes
 * Chromium take seconds to select all of a long text field.
 */
export function disclosure(
  kind: string,
  title: string,
  onToggle: () => void,
  ...children: Child[]
): Disclosure {
  const id = freshId('fold');
  const body = el('div', { id, class: 'fold-body' }, ...children);
  const button = el('button', { type: 'button', class: 'fold', 'aria-controls': id }, title);
  let tell: (open: boolean) => void = () => undefined;
  const isOpen = (): boolean => button.getAttribute('aria-expanded') === 'true';
  const show = (open: boolean): void => {
    body.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    tell(open);
  };
  show(false);
  button.addEventListener('click', () => {
    show(!isOpen());
    onToggle();
  });
  const fold: Disclosure = {
    root: el('div', { class: kind }, button, body),
    body,
    isOpen,
    open: () => {
      show(true);
      onToggle();
    },
    keep: (stood, note) => {
      show(stood);
      tell = note;
      return fold;
    },
  };
  return fold;
}

/** A table from a caption, column heads and rows of text; the first cell of a row is its head. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): HTMLTableElement {
  const headRow = el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)));
  const bodyRows = rows.map((cells) =>
    el(
      'tr',
      {},
      ...cells.map((cell, column) =>
        column === 0 ? el('th', { scope: 'row' }, cell) : el('td', {}, cell),
      ),
    ),
  );
  return el(
    'table',
    {},
    el('caption', {}, caption),
    el('thead', {}, headRow),
    el('tbody', {}, ...bodyRows),
  );
}

/** Of fields in which every character counts: phones and browsers are to change none. */
export const AS_TYPED = {
  autocomplete: 'off',
  autocapitalize: 'off',
  autocorrect: 'off',
  spellcheck: 'false',
} as const;

/** Sets these attributes on a field, as its `ref`: as properties, some would mean the opposite. */
export function asTyped(field: HTMLElement | null): void {
  if (field !== null) setAttributes(field, AS_TYPED);
}
