/** Whether a panel can be seen: what nobody looks at is not computed. */
import { scrollBehavior } from '../views/dom.ts';

export interface Sight {
  readonly visible: () => boolean;
  /** Scrolled out above the window; not where there is nothing of it. */
  readonly past: () => boolean;
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

/** Watches `element`; `changed` is called whenever it comes into sight or leaves it. */
export function watchSight(element: Element, changed: () => void): Sight {
  let last: IntersectionObserverEntry | undefined;
  const observer = new IntersectionObserver((entries) => {
    last = entries.at(-1);
    changed();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', changed);
  return {
    visible: () => last?.isIntersecting === true && !document.hidden,
    past: () => {
      const { height = 0, bottom = 0 } = last?.boundingClientRect ?? {};
      return last?.isIntersecting === false && height > 0 && bottom <= 0;
    },
    destroy: () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', changed);
    },
  };
}
