/**
 * How far the run is, as a bar that is a slider too: dragged back, it moves everything that shows a
 * run to an earlier step. It stops at steps of which something is kept.
 */
import type { Words } from '../../i18n/index.ts';
import { el, freshId, range, setAttribute } from '../../kit/dom.ts';

export interface RunTimelineData {
  readonly step: number;
  readonly steps: number;
  /** The step that is looked at; null for the newest. */
  readonly lookedAt: number | null;
  /** Steps of which texts or maps are kept, in order. */
  readonly keptSteps: readonly number[];
}

export class RunTimeline {
  readonly root: HTMLElement;
  readonly #words: Words;
  readonly #progress: HTMLProgressElement;
  readonly #slider: HTMLInputElement;
  readonly #now: HTMLButtonElement;
  readonly #onLookAt: (step: number | null) => void;
  #data: RunTimelineData = { step: 0, steps: 0, lookedAt: null, keptSteps: [] };

  /** `onLookAt` takes the step to look at; null for the newest. */
  constructor(words: Words, onLookAt: (step: number | null) => void) {
    const { t } = words;
    this.#words = words;
    this.#onLookAt = onLookAt;
    this.#progress = el('progress', { max: 1, value: 0, 'aria-label': t('run.progress') });
    this.#slider = range({ id: freshId('look-back'), min: 0, max: 1, value: 0, title: t('run.back.help'), 'aria-label': t('run.back') }); // prettier-ignore
    this.#now = el('button', { type: 'button', class: 'link' }, t('run.back.now'));
    this.#now.style.visibility = 'hidden';
    this.root = el(
      'div',
      { class: 'timeline' },
      el('div', { class: 'timeline-bar' }, this.#progress, this.#slider),
      this.#now,
    );
    this.#slider.addEventListener('input', () => {
      this.#lookAt(Number(this.#slider.value));
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
    const { step, steps, lookedAt, keptSteps } = data;
    this.#progress.value = steps > 0 ? Math.min(1, step / steps) : 0;
    this.#slider.disabled = keptSteps.length < 2;
    setAttribute(this.#slider, 'max', String(Math.max(1, steps)));
    const value = String(lookedAt ?? step);
    if (this.#slider.value !== value) this.#slider.value = value;
    const { number, t } = this.#words;
    const text = t('run.back.step', { step: number(lookedAt ?? step) });
    setAttribute(this.#slider, 'aria-valuetext', text);
    // Its place is kept: the bar is as long with it as without it.
    this.#now.style.visibility = lookedAt === null ? 'hidden' : '';
  }

  /** The kept step that is nearest to `step`; from the last one on, the newest. */
  #lookAt(step: number): void {
    const { keptSteps: kept } = this.#data;
    if (step >= (kept.at(-1) ?? 0)) {
      this.#onLookAt(null);
      // The handle stays with what is shown, however far it was pulled.
      this.#slider.value = String(this.#data.step);
      return;
    }
    const far = (one: number): number => Math.abs(one - step);
    this.#onLookAt(kept.reduce((best, one) => (far(one) < far(best) ? one : best)));
  }

  /** From one kept step to the next. */
  #onKey(event: KeyboardEvent): void {
    const { keptSteps: kept, lookedAt, step } = this.#data;
    const now = lookedAt ?? step;
    const first = kept[0] ?? 0;
    const before = kept.filter((one) => one < now).at(-1) ?? first;
    const after = kept.find((one) => one > now) ?? Infinity;
    const moves: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: before, ArrowDown: before, PageDown: before, Home: first },
      ...{ ArrowRight: after, ArrowUp: after, PageUp: after, End: Infinity },
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#lookAt(to);
  }
}
