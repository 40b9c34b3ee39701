/** The controls of a run and where it is: start, pause, one step, rewind, new seed, progress. */
import type { Words } from '../../i18n/index.ts';
import { el, perFrame, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { RunTimeline } from './run-timeline.ts';
import { RunBarButtons } from './run-bar-buttons.ts';
import type { RunBarData, RunBarOptions } from './run-bar-data.ts';
import { RunBarFigures } from './run-bar-figures.ts';
import { RunBarOffer } from './run-bar-offer.ts';

export class RunBar implements View<RunBarData> {
  readonly #container: HTMLElement;
  readonly #words: Words;
  readonly #buttons: RunBarButtons;
  readonly #figures: RunBarFigures;
  readonly #timeline: RunTimeline;
  readonly #offer: RunBarOffer;
  /** Those who hear the page are told where the texts stand. */
  readonly #newest: HTMLElement;
  /** Says what happened, once: the figures themselves change too often to be read out. */
  readonly #spoken: HTMLElement;
  #data: RunBarData | null = null;

  /** Creates the run bar in `container`. */
  constructor(container: HTMLElement, options: RunBarOptions) {
    this.#container = container;
    this.#words = options.words;
    const line = { class: 'run-bar-newest written', 'aria-hidden': 'true', translate: 'no' };
    this.#newest = el('p', line);
    this.#offer = new RunBarOffer(options);
    this.#buttons = new RunBarButtons(
      options,
      () => this.#data?.stuck === true,
      () => {
        this.#offer.focus();
      },
    );
    this.#figures = new RunBarFigures(options);
    this.#timeline = new RunTimeline(options.words, options.onLookAt);
    const live = { class: 'visually-hidden', 'aria-live': 'polite', 'data-part': 'spoken' };
    this.#spoken = el('p', live);
    const row = el('div', { class: 'run-bar-row' }, this.#buttons.root, this.#figures.root);
    container.append(this.#newest, row, this.#timeline.root, this.#offer.root, this.#spoken);
  }

  readonly #draw = perFrame(() => {
    const data = this.#data;
    if (data === null) return;
    const pressed = this.#container.querySelector<HTMLButtonElement>('button:focus');
    this.#container.dataset.state = data.state;
    this.#container.classList.toggle('kept', data.kept);
    this.#buttons.update(data);
    this.#figures.update(data);
    this.#timeline.update(data);
    setText(this.#newest, data.newest);
    this.#newest.hidden = data.newest === '';
    this.#offer.update(data);
    // Otherwise what cannot be pressed any more loses the focus to the page.
    if (pressed !== null && (pressed.disabled || pressed.closest('[hidden]') !== null)) {
      this.focus();
    }
  });

  /** Announces a change of state, and errors; of one that is gone nothing may stay to be read. */
  #announce(before: RunBarData | null, now: RunBarData): void {
    if (now.message !== '' && now.message !== before?.message) setText(this.#spoken, now.message);
    else if (before !== null) {
      const { state, step } = now;
      // Single steps leave it paused, at another step.
      const isStep = state === 'paused' && before.step !== step;
      if (before.state === state && before.message === now.message && !isStep) return;
      const said = state === 'blocked' ? '' : this.#words.t(`run.state.${state}`, { step });
      setText(this.#spoken, said);
    }
  }

  focus(): void {
    this.#buttons.focus();
  }

  update(data: RunBarData): void {
    this.#announce(this.#data, data);
    this.#data = data;
    this.#draw.request();
  }

  resize = (): void => undefined;

  destroy(): void {
    this.#figures.destroy();
    this.#draw.cancel();
    this.#container.replaceChildren();
  }
}
