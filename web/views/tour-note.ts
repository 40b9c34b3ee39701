/** The callout of the tour: beside one thing at a time, with a way on, back, and out. */
import type { Words } from '../i18n/index.ts';
import { el, freshId, setText } from './dom.ts';
import { placeAtSide, placeBeside, whileMoving } from './place-beside.ts';

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
  readonly words: Words;
  readonly count: number;
  readonly onTurn: (by: 1 | -1) => void;
  readonly onEnd: () => void;
  /** CSS pixels at the window's lower edge that the callout must leave free beside a section. */
  readonly covered: (section: HTMLElement) => number;
  /** What the callout must not cover while it stands beside a section; null for nothing. */
  readonly free: (section: HTMLElement) => DOMRect | null;
}

export interface TourNote {
  /** Shows stop number `at` (from 0), which is about `target`, without covering `section` around it. */
  show(at: number, target: HTMLElement, section: HTMLElement, stop: TourStop): void;
  /** Only what is waited for has changed. */
  update(stop: TourStop): void;
  destroy(): void;
}

/** When to look again whether what the tour speaks of is still in sight, in milliseconds. */
const LOOKS = [800, 1600];

/** Creates the callout in `container`. */
export function createTourNote(container: HTMLElement, options: TourNoteOptions): TourNote {
  const { words, count, onTurn, onEnd } = options;
  const { t } = words;
  const titleId = freshId('tour');
  const title = el('h2', { id: titleId });
  const close = el('button', { type: 'button', class: 'note-close', title: t('tour.end') }, '×');
  close.setAttribute('aria-label', t('tour.end'));
  const text = el('p', {});
  const live = el('p', { class: 'tour-live' });
  const place = el('span', { class: 'muted' });
  const back = el('button', { type: 'button', class: 'secondary' }, t('tour.back'));
  const next = el('button', { type: 'button', class: 'primary' });
  const note = el(
    'div',
    { class: 'tour-note', role: 'dialog', 'aria-labelledby': titleId, tabindex: -1 },
    el('div', { class: 'note-head' }, title, close),
    el('div', { 'aria-live': 'polite' }, text, live),
    el('div', { class: 'tour-turn' }, place, back, next),
  );
  container.append(note);
  let target: HTMLElement | null = null;
  let around: HTMLElement | null = null;
  let last = false;
  let looks: number[] = [];
  const stand = (): void => {
    if (around === null) return;
    const covered = options.covered(around);
    if (target === around) placeAtSide(note, around, covered, options.free(around));
    else placeBeside(note, around, covered);
  };
  const stopFollowing = whileMoving(stand);
  const restless = (): void => {
    for (const look of looks.splice(0)) clearTimeout(look);
  };
  // Whoever moves the page on their own is not called back.
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
  const escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) onEnd();
  };
  document.addEventListener('keydown', escape);

  function update(stop: TourStop): void {
    setText(live, stop.live);
    live.hidden = stop.live === '';
    live.classList.toggle('come', stop.come);
  }

  return {
    show(at, where, section, stop) {
      target?.classList.remove('tour-target');
      target = where;
      around = section;
      last = at === count - 1;
      target.classList.add('tour-target');
      setText(title, stop.title);
      setText(text, stop.text);
      setText(place, t('tour.place', { at: at + 1, count }));
      setText(next, last ? t('tour.done') : t('tour.next'));
      back.disabled = at === 0;
      update(stop);
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const behavior = calm ? 'auto' : 'smooth';
      const block = where === section ? 'start' : 'nearest';
      target.scrollIntoView({ block, behavior });
      stand();
      // What comes into sight on the way may grow, and push the place out of it: looked after twice.
      restless();
      looks = LOOKS.map((time) =>
        window.setTimeout(() => {
          const { top } = where.getBoundingClientRect();
          if (top < -1 || top > window.innerHeight / 2) where.scrollIntoView({ block, behavior });
        }, time),
      );
      // At its first stop; later, whoever pressed a button here is there already.
      if (at === 0) note.focus({ preventScroll: true });
    },
    update(stop) {
      update(stop);
      stand();
    },
    destroy() {
      stopFollowing();
      restless();
      for (const name of MOVES) window.removeEventListener(name, restless);
      document.removeEventListener('keydown', escape);
      target?.classList.remove('tour-target');
      note.remove();
    },
  };
}
