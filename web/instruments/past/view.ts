/** Below the run bar: which step is looked at, the way to it, and what can be done with it. */
import type { AllWords } from '../../i18n/index.ts';
import { el, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { ForkForm } from './fork-form.ts';
import type { ForkFormData, ForkFormOptions } from './fork-form.ts';

export interface PastOptions {
  readonly words: AllWords;
  readonly fork: Omit<ForkFormOptions, 'words'>;
  readonly onNow: () => void;
  /** The focus has to go somewhere: what had it is gone. */
  readonly onLeave: () => void;
  readonly onPlay: (play: boolean) => void;
  readonly onBest: () => void;
  /** The form is opened or closed. */
  readonly onForm: (open: boolean) => void;
  /** A film is made, or what is being made given up. */
  readonly onFilm: () => void;
  /** The way to the step is given up. */
  readonly onStop: () => void;
}

export interface PastData {
  /** What is said of the step that is looked at; empty for nothing. */
  readonly line: string;
  /** What is read out of it. */
  readonly spoken: string;
  readonly error: string;
  /** Whether a step of before is looked at. */
  readonly looks: boolean;
  /** The step to stop at on a long way; null for no such way. */
  readonly stop: number | null;
  readonly plays: boolean;
  readonly canPlay: boolean;
  /** How many pictures of a film are made; null while none is. */
  readonly film: { readonly done: number; readonly count: number } | null;
  /** The best step and its loss; null where no step is better than the newest. */
  readonly best: { readonly step: number; readonly loss: number } | null;
  /** Null where no run can leave this one. */
  readonly fork: ForkFormData | null;
  readonly formIsOpen: boolean;
}

export class PastView implements View<PastData | null> {
  readonly #container: HTMLElement;
  readonly #words: AllWords;
  readonly #onLeave: () => void;
  /** Who drags the slider hears the step there. */
  readonly #line = el('p');
  /** Says of a long way that it begins, once: its figures change too often to be read out. */
  readonly #spoken = el('p', { class: 'visually-hidden', role: 'status' });
  readonly #error = el('p', { class: 'note error', role: 'alert' });
  readonly #now: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #play: HTMLButtonElement;
  readonly #film: HTMLButtonElement;
  readonly #best: HTMLButtonElement;
  readonly #fork: HTMLButtonElement;
  readonly #form: ForkForm;
  readonly #row: HTMLElement;
  #data: PastData | null = null;

  constructor(container: HTMLElement, options: PastOptions) {
    const { words } = options;
    const { t } = words;
    this.#container = container;
    this.#words = words;
    this.#onLeave = options.onLeave;
    const button = (text: string, press: () => void): HTMLButtonElement => {
      const made = el('button', { type: 'button', class: 'link' }, text);
      made.addEventListener('click', press);
      return made;
    };
    this.#now = button(t('past.now'), options.onNow);
    this.#stop = button('', options.onStop);
    this.#play = button('', () => {
      options.onPlay(this.#data?.plays !== true);
    });
    this.#film = button('', options.onFilm);
    this.#best = button('', options.onBest);
    this.#fork = button(t('past.fork'), () => {
      const open = this.#data?.formIsOpen !== true;
      options.onForm(open);
      if (open) this.#form.open();
    });
    this.#form = new ForkForm({ words, ...options.fork });
    const buttons = [this.#now, this.#stop, this.#play, this.#film, this.#best, this.#fork];
    this.#row = el('div', { class: 'past-row' }, ...buttons);
    container.setAttribute('aria-label', t('past.title'));
    container.append(this.#line, this.#row, this.#error, this.#spoken);
    container.hidden = true;
  }

  update(data: PastData | null): void {
    const { t, number } = this.#words;
    this.#data = data;
    const focused = this.#row.querySelector<HTMLElement>(':focus');
    const hadFocus = this.#container.querySelector(':focus') !== null;
    this.#container.hidden = data === null;
    if (data === null) {
      this.#form.root.remove();
      if (hadFocus) this.#onLeave();
      return;
    }
    const { looks, stop, film, best, fork, formIsOpen } = data;
    this.#container.classList.toggle('looks', looks);
    setText(this.#line, data.line);
    setText(this.#spoken, data.spoken);
    setText(this.#error, data.error);
    this.#now.hidden = !looks;
    this.#stop.hidden = stop === null;
    setText(this.#stop, t('past.stop', { step: number(stop ?? 0) }));
    this.#play.hidden = !data.canPlay;
    setText(this.#play, t(data.plays ? 'past.hold' : 'past.play'));
    this.#film.hidden = !data.canPlay;
    setText(this.#film, film === null ? t('past.film') : t('past.film.making', film));
    this.#best.hidden = best === null;
    setText(this.#best, t('past.best', { step: number(best?.step ?? 0) }));
    this.#best.title = t('past.best.help', { loss: number(best?.loss ?? NaN, 3) });
    this.#fork.hidden = fork === null;
    setAttribute(this.#fork, 'aria-expanded', String(formIsOpen));
    if (fork !== null) this.#form.update(fork);
    if (!formIsOpen || fork === null) this.#form.root.remove();
    else if (!this.#form.root.isConnected) this.#row.after(this.#form.root);
    // What goes with its press does not take the keyboard with it.
    if (focused?.hidden === true)
      this.#row.querySelector<HTMLElement>('button:not([hidden])')?.focus();
  }

  resize = (): void => undefined;

  destroy(): void {
    this.#container.replaceChildren();
  }
}
