import { createReservedSpaces } from '../kit/reserved-space.ts';

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
 * Watches over these panels. The columns come before `front` in the document, and browsers would
 * hold what still shows of them: while the reader has `front` before them, that is held instead.
 */
export function holdStill(
  panels: readonly HTMLElement[],
  front: HTMLElement | null,
  columns: readonly HTMLElement[],
): HoldStill {
  const inFront = new IntersectionObserver(
    (entries) => {
      const seen = entries.at(-1)?.isIntersecting ?? false;
      for (const column of columns) column.classList.toggle('no-anchor', seen);
    },
    { rootMargin: '0px 0px -33% 0px' },
  );
  if (front !== null) inFront.observe(front);

  const reserved = createReservedSpaces();
  return {
    hold() {
      // All are measured before any is changed: the page is laid out once.
      const heights = panels.map((panel) => panel.clientHeight);
      for (const [index, panel] of panels.entries()) reserved.reserve(panel, heights[index] ?? 0);
    },
    destroy() {
      reserved.destroy();
      inFront.disconnect();
    },
  };
}
