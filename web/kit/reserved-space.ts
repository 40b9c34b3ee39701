/**
 * Reserves the space of removed content (`reserveSpace`), and releases it when that moves no
 * visible content: below the window, or when it enters the window from above, where scrolling
 * compensates for the released height.
 */
import { keepInPlace, reserveSpace } from './dom.ts';

export interface ReservedSpaces {
  /** `passing`: closes the space after QUIET, because nothing else will fill it. */
  reserve(block: HTMLElement, pixels: number, passing?: boolean): void;
  release(block: HTMLElement): void;
  /** Releases all reserved space. */
  destroy(): void;
}

/** Heights in the window, as shares, at which `before` looks for content to keep in place. */
const HELD_AT = [0.5, 0.7, 0.3];

/** A period of `time` milliseconds without any of `events`. */
interface Rest {
  readonly time: number;
  readonly events: readonly string[];
}

/** No scrolling. Changing the scroll position earlier would stop a smooth scroll. */
const AT_REST: Rest = { time: 150, events: ['scroll'] };

/** No input at all: nobody is about to press anything, so the empty space can be closed. */
const QUIET: Rest = {
  time: 3000,
  events: ['scroll', 'pointermove', 'pointerdown', 'pointerup', 'keydown'],
};

/** Calls `then` after the period. Returns a function that cancels the call. */
function afterRest({ time, events }: Rest, then: () => void): () => void {
  let timer = 0;
  const options = { capture: true, passive: true } as const;
  const wait = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      stop();
      then();
    }, time);
  };
  const stop = (): void => {
    window.clearTimeout(timer);
    for (const event of events) window.removeEventListener(event, wait, options);
  };
  for (const event of events) window.addEventListener(event, wait, options);
  wait();
  return stop;
}

/** Visible content in the column of `block`, to keep in place; null if nothing is visible. */
function before(block: HTMLElement): Element | null {
  const { left, width } = block.getBoundingClientRect();
  const page = block.getRootNode() as Document | ShadowRoot;
  for (const height of HELD_AT) {
    const element = page.elementFromPoint(left + width / 2, height * innerHeight);
    if (element !== null && !element.contains(block) && !block.contains(element)) return element;
  }
  return null;
}

/** Whether `block` is narrow: then scrolling would move the content of a column beside it. */
const isNarrow = (block: HTMLElement): boolean => 2 * block.offsetWidth < innerWidth;

export function createReservedSpaces(): ReservedSpaces {
  const kept = new Set<HTMLElement>();
  const above = new Set<HTMLElement>();
  /** Cancels the pending release of a block. */
  const waiting = new Map<HTMLElement, () => void>();
  const callOff = (block: HTMLElement): void => {
    waiting.get(block)?.();
    waiting.delete(block);
  };
  const look: IntersectionObserverCallback = (entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const block = target as HTMLElement;
      if (!isIntersecting) {
        if (boundingClientRect.top > 0) release(block);
        else above.add(block);
      } else if (boundingClientRect.bottom > 0 && above.delete(block)) {
        if (!isNarrow(block)) wait(block, AT_REST);
      }
    }
  };
  const wait = (block: HTMLElement, rest: Rest): void => {
    const stop = afterRest(rest, () => {
      if (isNarrow(block)) release(block);
      else {
        keepInPlace(before(block) ?? block, () => {
          release(block);
        });
      }
    });
    callOff(block);
    waiting.set(block, stop);
  };
  const observer = new IntersectionObserver(look);
  // A jump from below the block to above it never shows the block; the large margin detects the
  // jump.
  const jumped = new IntersectionObserver(look, { rootMargin: '1000000px 0px 0px 0px' });
  const release = (block: HTMLElement): void => {
    observer.unobserve(block);
    jumped.unobserve(block);
    kept.delete(block);
    above.delete(block);
    callOff(block);
    reserveSpace(block, null);
  };
  return {
    reserve(block, pixels, passing = false) {
      reserveSpace(block, pixels);
      kept.add(block);
      above.delete(block);
      callOff(block);
      if (passing) wait(block, QUIET);
      // Observing anew reports the position at once, even outside the window.
      for (const one of [observer, jumped]) {
        one.unobserve(block);
        one.observe(block);
      }
    },
    release,
    destroy() {
      for (const block of kept) release(block);
      observer.disconnect();
      jumped.disconnect();
    },
  };
}
