/**
 * Room that is kept where something went away (`keepRoom`), and given back when nothing that the reader sees
 * moves: out of sight below, or as it comes into sight from above, while what is in sight is held.
 */
import { keepInPlace, keepRoom } from './dom.ts';

export interface Rooms {
  keep(block: HTMLElement, pixels: number): void;
  giveBack(block: HTMLElement): void;
  /** Gives all of it back. */
  destroy(): void;
}

/** Heights of the window at which something stands that can be held. */
const HELD_AT = [0.5, 0.7, 0.3];

/** What the reader has before them below `block`; null where they see nothing but that. */
function before(block: HTMLElement): Element | null {
  const { left, width } = block.getBoundingClientRect();
  const page = block.getRootNode() as Document | ShadowRoot;
  for (const height of HELD_AT) {
    const element = page.elementFromPoint(left + width / 2, height * innerHeight);
    if (element !== null && !element.contains(block) && !block.contains(element)) return element;
  }
  return null;
}

export function createRooms(): Rooms {
  const kept = new Set<HTMLElement>();
  const above = new Set<HTMLElement>();
  const look: IntersectionObserverCallback = (entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const block = target as HTMLElement;
      if (!isIntersecting) {
        if (boundingClientRect.top > 0) giveBack(block);
        else above.add(block);
      } else if (boundingClientRect.bottom > 0 && above.delete(block)) {
        // Beside a narrow one stands another column, which would move instead.
        if (2 * boundingClientRect.width < innerWidth) continue;
        keepInPlace(before(block) ?? block, () => {
          giveBack(block);
        });
      }
    }
  };
  const observer = new IntersectionObserver(look);
  // Who jumps from below it to above it never sees it.
  const jumped = new IntersectionObserver(look, { rootMargin: '1000000px 0px 0px 0px' });
  const giveBack = (block: HTMLElement): void => {
    observer.unobserve(block);
    jumped.unobserve(block);
    kept.delete(block);
    above.delete(block);
    keepRoom(block, null);
  };
  return {
    keep(block, pixels) {
      keepRoom(block, pixels);
      kept.add(block);
      above.delete(block);
      // Also of what is out of sight now: that is told at once.
      for (const one of [observer, jumped]) {
        one.unobserve(block);
        one.observe(block);
      }
    },
    giveBack,
    destroy() {
      for (const block of kept) giveBack(block);
      observer.disconnect();
      jumped.disconnect();
    },
  };
}
