import { createReservedSpaces } from '../kit/reserved-space.ts';

/**
 * Keeps the page still when a new run begins: panels are short at first, and without reserved
 * heights everything below them would move up. Not every browser has scroll anchoring.
 */
export interface HoldStill {
  /** Call before drawing a new run: reserves the current height of each panel. */
  hold(): void;
  destroy(): void;
}

/**
 * Creates a `HoldStill` for `panels`. The columns precede `front` in the document, and browsers
 * would anchor scrolling to the part of the columns that is still visible: while `front` is in the
 * upper two thirds of the window, the columns are excluded from anchoring.
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
      // Reads all heights before any change: one layout.
      const heights = panels.map((panel) => panel.clientHeight);
      for (const [index, panel] of panels.entries()) reserved.reserve(panel, heights[index] ?? 0);
    },
    destroy() {
      reserved.destroy();
      inFront.disconnect();
    },
  };
}
