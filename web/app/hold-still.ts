import { keepRoom } from '../views/dom.ts';

/**
 * Keeps the page still when a run begins anew. What the panels show of it is short at first, and
 * would pull up all that stands below; not every browser holds what the reader looks at by itself.
 */
export interface HoldStill {
  /** Before anything is drawn anew: panels keep the height that they have, or become higher. */
  hold(): void;
  destroy(): void;
}

/**
 * Watches over these panels. Those in `others` come before `front` in the document, also where they
 * stand below it, as on phones: browsers would hold them, and move what the reader has in front.
 */
export function holdStill(
  panels: readonly HTMLElement[],
  front: HTMLElement | null,
  others: readonly HTMLElement[],
): HoldStill {
  const inFront = new IntersectionObserver(
    (entries) => {
      const seen = entries.at(-1)?.isIntersecting ?? false;
      for (const panel of others) panel.classList.toggle('no-anchor', seen);
    },
    { rootMargin: '0px 0px -50% 0px' },
  );
  if (front !== null) inFront.observe(front);

  // Given back where nobody sees it and nothing in sight stands below.
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (!isIntersecting && boundingClientRect.top > 0) release(target as HTMLElement);
    }
  });
  const release = (panel: HTMLElement): void => {
    observer.unobserve(panel);
    keepRoom(panel, null);
  };
  return {
    hold() {
      // All are measured before any is changed: the page is laid out once.
      const heights = panels.map((panel) => panel.clientHeight);
      for (const [index, panel] of panels.entries()) {
        // Also for those out of sight below: they are given back at once, or when they are left.
        keepRoom(panel, heights[index] ?? null);
        observer.unobserve(panel);
        observer.observe(panel);
      }
    },
    destroy() {
      for (const panel of panels) release(panel);
      observer.disconnect();
      inFront.disconnect();
    },
  };
}
