/**
 * Outlines the target of a stop of the tour, scrolls it into view, and keeps the tour's card beside
 * it.
 */
import { scrollBehavior } from '../../kit/dom.ts';
import { placeClear, whileMoving } from '../../kit/place-beside.ts';

/** Space above a target for its outline, in CSS pixels. */
const FRAME = 12;
/**
 * Milliseconds after which the position is checked: panels that come into sight on the way may grow
 * and push the target out of it.
 */
const CHECKS = [800, 1600];
/** Input that moves the page: after it, no check scrolls back. */
const MOVES = ['wheel', 'touchmove', 'keydown'] as const;

/** Elements that are the same for all stops. */
export interface TourParts {
  readonly card: HTMLElement;
  readonly main: HTMLElement;
  /** The run bar, which may stay in the window, and is never covered. */
  readonly runBar: HTMLElement;
}

export class TourAim {
  readonly #parts: TourParts;
  readonly #listening = new AbortController();
  /** Panels above the target grow with the run and move it. */
  readonly #growth = new ResizeObserver(() => this.place());
  readonly #stopFollowing = whileMoving(() => this.place());
  #target: HTMLElement | null = null;
  #spared: HTMLElement | null = null;
  #checks: number[] = [];
  /** A pressed card does not move, or the press would end beside its button. */
  #isPressed = false;

  constructor(parts: TourParts) {
    this.#parts = parts;
    const { signal } = this.#listening;
    const press = (): void => {
      this.#isPressed = true;
    };
    const release = (): void => {
      if (!this.#isPressed) return;
      this.#isPressed = false;
      // The click follows `pointerup`.
      setTimeout(() => this.place());
    };
    for (const name of MOVES) {
      window.addEventListener(name, this.#stopChecks, { passive: true, signal });
    }
    parts.card.addEventListener('pointerdown', press, { signal });
    for (const name of ['pointerup', 'pointercancel']) {
      window.addEventListener(name, release, { signal });
    }
  }

  /** Shows the element that `find` returns, now or at a later check. `spared` is not covered. */
  show(find: () => HTMLElement, spared: HTMLElement | null): void {
    this.#spared = spared;
    this.#stopChecks();
    this.#aimAt(find());
    this.#scroll();
    this.#checks = CHECKS.map((time) => window.setTimeout(() => this.#check(find()), time));
  }

  /** Moves the card beside the target. */
  place(): void {
    const { card, runBar } = this.#parts;
    if (this.#target === null || this.#isPressed) return;
    const also = runBar.getBoundingClientRect();
    // Avoids the whole run bar if the target is in it.
    if (runBar.contains(this.#target)) {
      placeClear(card, { about: also, also: null, stacked: true });
    } else {
      const about = this.#target.getBoundingClientRect();
      const spared = this.#spared?.getBoundingClientRect() ?? null;
      placeClear(card, { about, also, spared, stacked: false });
    }
  }

  destroy(): void {
    this.#listening.abort();
    this.#stopFollowing();
    this.#growth.disconnect();
    this.#stopChecks();
    this.#release();
  }

  #aimAt(target: HTMLElement): void {
    this.#release();
    this.#growth.disconnect();
    for (const element of [target, this.#parts.main]) this.#growth.observe(element);
    this.#target = target;
    target.classList.add('tour-target');
  }

  #release(): void {
    this.#target?.classList.remove('tour-target');
    this.#target?.style.removeProperty('scroll-margin-top');
  }

  #scroll(): void {
    const { runBar } = this.#parts;
    const target = this.#target;
    if (target === null) return;
    const covered = getComputedStyle(runBar).position === 'sticky' ? runBar.offsetHeight : 0;
    target.style.scrollMarginTop = `${String(covered + FRAME)}px`;
    const block = runBar.contains(target) ? 'nearest' : 'start';
    target.scrollIntoView({ block, behavior: scrollBehavior() });
    this.place();
  }

  #check(found: HTMLElement): void {
    const { top } = found.getBoundingClientRect();
    const isLost = found !== this.#target || top < -1 || top > window.innerHeight / 2;
    this.#aimAt(found);
    if (isLost) this.#scroll();
    else this.place();
  }

  readonly #stopChecks = (): void => {
    for (const check of this.#checks.splice(0)) clearTimeout(check);
  };
}
