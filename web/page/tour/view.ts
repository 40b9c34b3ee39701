/** The callout of the tour: beside one thing at a time, with a way on, back, and out. */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, scrollBehavior, setAttribute, setText } from '../../kit/dom.ts';
import { placeClear, whileMoving } from '../../kit/place-beside.ts';

/** One stop of the tour. */
export interface TourStop {
  readonly title: string;
  readonly text: string;
  /** What is waited for, or has come about; empty for nothing. */
  readonly live: string;
  /** Whether it has come about. */
  readonly come: boolean;
}

export interface TourNoteOptions {
  readonly words: AllWords;
  readonly count: number;
  readonly onTurn: (by: 1 | -1) => void;
  readonly onEnd: () => void;
  /** What stays in the window whatever is scrolled, and must not be covered. */
  readonly fixed: HTMLElement;
  /** The tour was open before the language changed: the focus stays where it is. */
  readonly resumed: boolean;
}

/** Room above what the tour speaks of, for its frame. */
const FRAME = 12;
/** When to look again whether what the tour speaks of is still in sight, in milliseconds. */
const LOOKS = [800, 1600];
const RELEASES = ['pointerup', 'pointercancel'] as const;
/** A reader who moves the page is not called back. */
const MOVES = ['wheel', 'touchmove', 'keydown'] as const;

export class TourNote {
  readonly #container: HTMLElement;
  readonly #options: TourNoteOptions;
  readonly #title = el('h2', { id: freshId('tour') });
  readonly #text = el('p', {});
  readonly #live = el('p', { class: 'tour-live' });
  readonly #box = el('div', { 'aria-live': 'polite' }, this.#text, this.#live);
  readonly #place = el('span', { class: 'muted' });
  readonly #back: HTMLButtonElement;
  readonly #next = el('button', { type: 'button', class: 'primary' });
  readonly #note: HTMLElement;
  // What a run shows grows, and moves what is below it.
  readonly #growth = new ResizeObserver(() => this.#stand());
  readonly #stopFollowing: () => void;
  #target: HTMLElement | null = null;
  #spared: HTMLElement | null = null;
  #isLast = false;
  #looks: number[] = [];
  /** A pointer is down on the note: it holds still, or the press would end beside its button. */
  #pressed = false;
  #resumed: boolean;

  /** Creates the callout in `container`. */
  constructor(container: HTMLElement, options: TourNoteOptions) {
    this.#container = container;
    this.#options = options;
    this.#resumed = options.resumed;
    this.#back = el('button', { type: 'button', class: 'secondary' }, options.words.t('tour.back'));
    this.#note = this.#create();
    container.append(this.#note);
    this.#stopFollowing = whileMoving(() => this.#stand());
    this.#listen();
  }

  /**
   * Shows stop number `at` (from 0), which is about what `find` finds now, or a moment later, and
   * speaks of `spared` as well.
   */
  show(at: number, find: () => HTMLElement, stop: TourStop, spared: HTMLElement | null): void {
    const { words, count } = this.#options;
    const { t } = words;
    this.#spared = spared;
    this.#isLast = at === count - 1;
    setText(this.#place, t('tour.place', { at: at + 1, count }));
    setText(this.#next, this.#isLast ? t('tour.done') : t('tour.next'));
    this.#back.disabled = at === 0;
    this.#say(stop, true);
    this.#aim(find());
    this.#bring();
    // What comes into sight on the way may grow, and push the place out of it: looked after twice.
    this.#stopLooking();
    this.#looks = LOOKS.map((time) => window.setTimeout(() => this.#lookAfter(find()), time));
    // At its first stop; later the focus is on the button that was pressed.
    if (at === 0 && !this.#resumed) this.#note.focus({ preventScroll: true });
    this.#resumed = false;
  }

  /** Only its words have changed; read out when more has than numbers. */
  update(stop: TourStop, aloud: boolean): void {
    this.#say(stop, aloud);
    this.#stand();
  }

  destroy(): void {
    this.#stopFollowing();
    this.#growth.disconnect();
    this.#stopLooking();
    for (const name of MOVES) window.removeEventListener(name, this.#stopLooking);
    for (const name of RELEASES) window.removeEventListener(name, this.#release);
    document.removeEventListener('keydown', this.#escape);
    this.#forget();
    this.#note.remove();
  }

  #create(): HTMLElement {
    const { words, onTurn, onEnd } = this.#options;
    const end = words.t('tour.end');
    const close = el('button', { type: 'button', class: 'note-close', title: end }, '×');
    close.setAttribute('aria-label', end);
    close.addEventListener('click', onEnd);
    this.#back.addEventListener('click', () => onTurn(-1));
    this.#next.addEventListener('click', () => {
      if (this.#isLast) onEnd();
      else onTurn(1);
    });
    return el(
      'div',
      { class: 'tour-note', role: 'dialog', 'aria-labelledby': this.#title.id, tabindex: -1 },
      el('div', { class: 'note-head' }, this.#title, close),
      this.#box,
      el('div', { class: 'tour-turn' }, this.#place, this.#back, this.#next),
    );
  }

  #listen(): void {
    const note = this.#note;
    for (const name of MOVES) window.addEventListener(name, this.#stopLooking, { passive: true });
    for (const name of RELEASES) window.addEventListener(name, this.#release);
    document.addEventListener('keydown', this.#escape);
    note.addEventListener('pointerdown', () => (this.#pressed = true));
    // Read to the end, without a button of its own in focus: on to the next.
    note.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.target !== note) return;
      event.preventDefault();
      this.#next.click();
    });
  }

  readonly #release = (): void => {
    if (!this.#pressed) return;
    this.#pressed = false;
    // After the click, which comes once the pointer is up.
    setTimeout(() => this.#stand());
  };

  readonly #escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) this.#options.onEnd();
  };

  #say(stop: TourStop, aloud: boolean): void {
    // Numbers follow the run for the eye; for the ear they would never end.
    setAttribute(this.#box, 'aria-live', aloud ? 'polite' : 'off');
    setText(this.#title, stop.title);
    setText(this.#text, stop.text);
    setText(this.#live, stop.live);
    this.#live.hidden = stop.live === '';
    this.#live.classList.toggle('come', stop.come);
  }

  // ---- Where it stands --------------------------------------------------------------------------

  #stand(): void {
    const { fixed } = this.#options;
    if (this.#target === null || this.#pressed) return;
    const also = fixed.getBoundingClientRect();
    // What is fixed is not covered for a part of it either.
    if (fixed.contains(this.#target)) {
      placeClear(this.#note, { about: also, also: null, stacked: true });
    } else {
      const about = this.#target.getBoundingClientRect();
      const spared = this.#spared?.getBoundingClientRect() ?? null;
      placeClear(this.#note, { about, also, spared, stacked: false });
    }
  }

  #aim(found: HTMLElement): void {
    this.#forget();
    this.#growth.disconnect();
    for (const one of [found, this.#container]) this.#growth.observe(one);
    this.#target = found;
    found.classList.add('tour-target');
  }

  #forget(): void {
    this.#target?.classList.remove('tour-target');
    this.#target?.style.removeProperty('scroll-margin-top');
  }

  #bring(): void {
    const { fixed } = this.#options;
    const target = this.#target;
    if (target === null) return;
    // Whole, with its frame, below what is fixed above it.
    const bar = getComputedStyle(fixed).position === 'sticky' ? fixed.offsetHeight : 0;
    target.style.scrollMarginTop = `${String(bar + FRAME)}px`;
    const block = fixed.contains(target) ? 'nearest' : 'start';
    target.scrollIntoView({ block, behavior: scrollBehavior() });
    this.#stand();
  }

  #lookAfter(found: HTMLElement): void {
    const { top } = found.getBoundingClientRect();
    const isLost = found !== this.#target || top < -1 || top > window.innerHeight / 2;
    this.#aim(found);
    if (isLost) this.#bring();
    else this.#stand();
  }

  readonly #stopLooking = (): void => {
    for (const look of this.#looks.splice(0)) clearTimeout(look);
  };
}
