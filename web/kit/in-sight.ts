/** Watches whether a panel is visible; invisible panels compute nothing. */
import { drawNow, scrollBehavior } from './dom.ts';

export interface Sight {
  readonly visible: () => boolean;
  readonly destroy: () => void;
}

/**
 * Height of the element's visible part in CSS pixels; 0 if null, negative if outside the window.
 */
export function visibleHeight(element: Element | null): number {
  if (element === null) return 0;
  const { top, bottom } = element.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0);
}

/**
 * Scrolls the start of the element into view; without animation if the reader prefers reduced
 * motion.
 */
export function bringIntoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
}

/** Whether the element's style keeps it in the window at any scroll position. */
export function staysInSight(element: Element | null): boolean {
  return element !== null && /fixed|sticky/.test(getComputedStyle(element).position);
}

/** Tells whether a non-empty element has been scrolled out over the top of the window. */
export interface Passing {
  readonly past: () => boolean;
  readonly destroy: () => void;
}

/** Watches whether the reader scrolls past `element`, and whether it is empty. */
export function watchPassing(element: Element, changed: () => void): Passing {
  // Resizing outside the window causes no intersection event.
  const observers = [new IntersectionObserver(changed), new ResizeObserver(changed)];
  for (const observer of observers) observer.observe(element);
  return {
    past: () => {
      const { height, bottom } = element.getBoundingClientRect();
      return height > 0 && bottom <= 0;
    },
    destroy: () => {
      for (const observer of observers) observer.disconnect();
    },
  };
}

/**
 * Watches `element`; `changed` is called when it becomes visible or invisible. During printing,
 * everything is visible.
 */
export function watchSight(element: Element, changed: () => void): Sight {
  let inView = false;
  let isPrinted = false;
  const print = ({ type }: Event): void => {
    isPrinted = type === 'beforeprint';
    changed();
    if (isPrinted) drawNow();
  };
  const observer = new IntersectionObserver((entries) => {
    inView = entries.at(-1)?.isIntersecting ?? false;
    changed();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', changed);
  for (const type of ['beforeprint', 'afterprint']) addEventListener(type, print);
  return {
    visible: () => isPrinted || (inView && !document.hidden),
    destroy: () => {
      observer.disconnect();
      for (const type of ['beforeprint', 'afterprint']) removeEventListener(type, print);
      document.removeEventListener('visibilitychange', changed);
    },
  };
}

/**
 * Watches whether `element` is rendered, even outside the window. The content of a closed tab is
 * not rendered.
 */
export function watchShown(element: Element, changed: () => void): Sight {
  let isShown = false;
  const observer = new ResizeObserver(() => {
    const now = element.getClientRects().length > 0;
    if (now === isShown) return;
    isShown = now;
    changed();
  });
  observer.observe(element);
  return { visible: () => isShown, destroy: () => observer.disconnect() };
}
