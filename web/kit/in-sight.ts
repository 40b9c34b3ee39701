/** Whether a panel can be seen: what nobody looks at is not computed. */
import { drawNow, scrollBehavior } from './dom.ts';

export interface Sight {
  readonly visible: () => boolean;
  readonly destroy: () => void;
}

/** How many CSS pixels of the element's height are within the window. */
export function visibleHeight(element: Element | null): number {
  if (element === null) return 0;
  const { top, bottom } = element.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0);
}

/** Scrolls the element's beginning into the window: at once for those who want no motion. */
export function bringIntoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
}

/** Whether an element stays in the window by its style, wherever one scrolls. */
export function staysInSight(element: Element | null): boolean {
  return element !== null && /fixed|sticky/.test(getComputedStyle(element).position);
}

/** Whether one has scrolled past an element, of which there is something. */
export interface Passing {
  readonly past: () => boolean;
  readonly destroy: () => void;
}

/** Watches whether one scrolls past `element`, and whether there is something of it. */
export function watchPassing(element: Element, changed: () => void): Passing {
  // What grows out of sight comes into none.
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
 * Watches `element`; `changed` is called whenever it comes into sight or leaves it. A page that is
 * printed is in sight as a whole.
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

/** Watches whether `element` is on the page, in sight or not: a closed tab is not. */
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
