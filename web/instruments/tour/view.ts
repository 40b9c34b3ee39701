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

export interface TourNote {
  /**
   * Shows stop number `at` (from 0), which is about what `find` finds now, or a moment later, and
   * speaks of `spared` as well.
   */
  show(at: number, find: () => HTMLElement, stop: TourStop, spared: HTMLElement | null): void;
  /** Only its words have changed; read out when more has than numbers. */
  update(stop: TourStop, aloud: boolean): void;
  destroy(): void;
}

/** Room above what the tour speaks of, for its frame. */
const FRAME = 12;
/** When to look again whether what the tour speaks of is still in sight, in milliseconds. */
const LOOKS = [800, 1600];
const RELEASES = ['pointerup', 'pointercancel'] as const;

/** Creates the callout in `container`. */
export function createTourNote(container: HTMLElement, options: TourNoteOptions): TourNote {
  const { words, count, onTurn, onEnd } = options;
  let { resumed } = options;
  const { t } = words;
  const titleId = freshId('tour');
  const title = el('h2', { id: titleId });
  const close = el('button', { type: 'button', class: 'note-close', title: t('tour.end') }, '×');
  close.setAttribute('aria-label', t('tour.end'));
  const text = el('p', {});
  const live = el('p', { class: 'tour-live' });
  const box = el('div', { 'aria-live': 'polite' }, text, live);
  const place = el('span', { class: 'muted' });
  const back = el('button', { type: 'button', class: 'secondary' }, t('tour.back'));
  const next = el('button', { type: 'button', class: 'primary' });
  const note = el(
    'div',
    { class: 'tour-note', role: 'dialog', 'aria-labelledby': titleId, tabindex: -1 },
    el('div', { class: 'note-head' }, title, close),
    box,
    el('div', { class: 'tour-turn' }, place, back, next),
  );
  container.append(note);
  let target: HTMLElement | null = null;
  let spared: HTMLElement | null = null;
  let last = false;
  let looks: number[] = [];
  /** A pointer is down on the note: it holds still, or the press would end beside its button. */
  let pressed = false;
  const stand = (): void => {
    if (target === null || pressed) return;
    const also = options.fixed.getBoundingClientRect();
    const inside = options.fixed.contains(target);
    // What is fixed is not covered for a part of it either.
    if (inside) placeClear(note, { about: also, also: null, stacked: true });
    else {
      const about = target.getBoundingClientRect();
      const spare = spared?.getBoundingClientRect() ?? null;
      placeClear(note, { about, also, spared: spare, stacked: false });
    }
  };
  // What a run shows grows, and moves what is below it.
  const growth = new ResizeObserver(stand);
  const forget = (): void => {
    target?.classList.remove('tour-target');
    target?.style.removeProperty('scroll-margin-top');
  };
  const aim = (found: HTMLElement): void => {
    forget();
    growth.disconnect();
    for (const one of [found, container]) growth.observe(one);
    target = found;
    target.classList.add('tour-target');
  };
  const bring = (): void => {
    const block = target !== null && options.fixed.contains(target) ? 'nearest' : 'start';
    // Whole, with its frame, below what is fixed above it.
    const { position } = getComputedStyle(options.fixed);
    const bar = position === 'sticky' ? options.fixed.offsetHeight : 0;
    if (target !== null) target.style.scrollMarginTop = `${String(bar + FRAME)}px`;
    target?.scrollIntoView({ block, behavior: scrollBehavior() });
    stand();
  };
  const stopFollowing = whileMoving(stand);
  const restless = (): void => {
    for (const look of looks.splice(0)) clearTimeout(look);
  };
  // A reader who moves the page is not called back.
  const MOVES = ['wheel', 'touchmove', 'keydown'] as const;
  for (const name of MOVES) window.addEventListener(name, restless, { passive: true });
  close.addEventListener('click', onEnd);
  back.addEventListener('click', () => {
    onTurn(-1);
  });
  next.addEventListener('click', () => {
    if (last) onEnd();
    else onTurn(1);
  });
  const release = (): void => {
    if (!pressed) return;
    pressed = false;
    // After the click, which comes once the pointer is up.
    setTimeout(stand);
  };
  note.addEventListener('pointerdown', () => (pressed = true));
  for (const name of RELEASES) window.addEventListener(name, release);
  const escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) onEnd();
  };
  document.addEventListener('keydown', escape);
  // Read to the end, without a button of its own in focus: on to the next.
  note.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target !== note) return;
    event.preventDefault();
    next.click();
  });

  function update(stop: TourStop, aloud: boolean): void {
    // Numbers follow the run for the eye; for the ear they would never end.
    setAttribute(box, 'aria-live', aloud ? 'polite' : 'off');
    setText(title, stop.title);
    setText(text, stop.text);
    setText(live, stop.live);
    live.hidden = stop.live === '';
    live.classList.toggle('come', stop.come);
  }

  return {
    show(at, find, stop, alsoSpokenOf) {
      spared = alsoSpokenOf;
      last = at === count - 1;
      setText(place, t('tour.place', { at: at + 1, count }));
      setText(next, last ? t('tour.done') : t('tour.next'));
      back.disabled = at === 0;
      update(stop, true);
      aim(find());
      bring();
      // What comes into sight on the way may grow, and push the place out of it: looked after
      // twice.
      restless();
      looks = LOOKS.map((time) =>
        window.setTimeout(() => {
          const found = find();
          const { top } = found.getBoundingClientRect();
          const lost = found !== target || top < -1 || top > window.innerHeight / 2;
          aim(found);
          if (lost) bring();
          else stand();
        }, time),
      );
      // At its first stop; later the focus is on the button that was pressed.
      if (at === 0 && !resumed) note.focus({ preventScroll: true });
      resumed = false;
    },
    update(stop, aloud) {
      update(stop, aloud);
      stand();
    },
    destroy() {
      stopFollowing();
      growth.disconnect();
      restless();
      for (const name of MOVES) window.removeEventListener(name, restless);
      for (const name of RELEASES) window.removeEventListener(name, release);
      document.removeEventListener('keydown', escape);
      forget();
      note.remove();
    },
  };
}
