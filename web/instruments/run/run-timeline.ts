/**
 * How far the run is, as a bar that is a slider too: dragged back, it moves everything that shows a
 * run to an earlier step. It stops at those that can be looked at.
 */
import type { Words } from '../../i18n/index.ts';
import { el, freshId, range, setAttribute } from '../../kit/dom.ts';
import type { Reach } from '../../store/timeline.ts';

export interface RunTimelineData extends Reach {
  readonly steps: number;
  /** The step that is looked at; null for the newest. */
  readonly lookedAt: number | null;
}

export class RunTimeline {
  readonly root: HTMLElement;
  readonly #words: Words;
  readonly #progress: HTMLProgressElement;
  readonly #slider: HTMLInputElement;
  readonly #now: HTMLButtonElement;
  readonly #onLookAt: (step: number | null) => void;
  #data: RunTimelineData = {
    step: 0,
    steps: 0,
    lookedAt: null,
    keptSteps: [],
    firstStep: null,
  };

  /** `onLookAt` takes the step to look at, near which one is found; null for the newest. */
  constructor(words: Words, onLookAt: (step: number | null) => void) {
    const { t } = words;
    this.#words = words;
    this.#onLookAt = onLookAt;
    this.#progress = el('progress', { max: 1, value: 0, 'aria-label': t('run.progress') });
    this.#slider = range({
      id: freshId('look-back'),
      min: 0,
      max: 1,
      value: 0,
      title: t('run.back.help'),
      'aria-label': t('run.back'),
    });
    this.#now = el('button', { type: 'button', class: 'link' }, t('run.back.now'));
    this.#now.style.visibility = 'hidden';
    this.root = el(
      'div',
      { class: 'timeline' },
      el('div', { class: 'timeline-bar' }, this.#progress, this.#slider),
      this.#now,
    );
    this.#slider.addEventListener('input', () => {
      onLookAt(Number(this.#slider.value));
    });
    this.#slider.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    this.#now.addEventListener('click', () => {
      // It goes with the press: the keyboard goes on at the slider.
      this.#slider.focus({ preventScroll: true });
      this.#onLookAt(null);
    });
  }

  update(data: RunTimelineData): void {
    this.#data = data;
    const { step, steps, lookedAt, keptSteps, firstStep } = data;
    this.#progress.value = steps > 0 ? Math.min(1, step / steps) : 0;
    this.#slider.disabled = keptSteps.length < 2 && step <= (firstStep ?? Infinity);
    setAttribute(this.#slider, 'max', String(Math.max(1, steps)));
    const value = String(lookedAt ?? step);
    if (this.#slider.value !== value) this.#slider.value = value;
    const { number, t } = this.#words;
    const text = t('run.back.step', { step: number(lookedAt ?? step) });
    setAttribute(this.#slider, 'aria-valuetext', text);
    // Its place is kept: the bar is as long with it as without it.
    this.#now.style.visibility = lookedAt === null ? 'hidden' : '';
  }

  /** By arrows from step to step, by the keys of pages from one kept step to the next. */
  #onKey(event: KeyboardEvent): void {
    const { keptSteps: kept, firstStep, lookedAt, step } = this.#data;
    const now = lookedAt ?? step;
    const first = Math.min(kept[0] ?? Infinity, firstStep ?? Infinity);
    const before = kept.filter((one) => one < now).at(-1) ?? first;
    const after = kept.find((one) => one > now) ?? Infinity;
    const isExact = firstStep !== null && now > firstStep;
    const [back, on] = [isExact ? now - 1 : before, firstStep === null ? after : now + 1];
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: back,
      ArrowDown: back,
      PageDown: before,
      Home: first,
      ArrowRight: on,
      ArrowUp: on,
      PageUp: after,
      End: Infinity,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#onLookAt(to);
  }
}
