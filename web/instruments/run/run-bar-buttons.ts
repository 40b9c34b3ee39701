/** The buttons of the run bar: a large one for what comes next, and the small ones beside it. */
import { el, icon, ICONS, setAttribute, setText } from '../../kit/dom.ts';
import { deedOf, deedsOf, renews } from './run-bar-data.ts';
import type { Deed, RunBarData, RunBarOptions } from './run-bar-data.ts';

/** Milliseconds for which a press is still meant for the button as it was. */
const MEANT = 400;

export class RunBarButtons {
  readonly root: HTMLElement;
  readonly #options: RunBarOptions;
  readonly #label = el('span', {});
  readonly #icon = el('span', { class: 'icon-box' });
  readonly #main: HTMLButtonElement;
  readonly #step: HTMLButtonElement;
  readonly #rewind: HTMLButtonElement;
  readonly #seed: HTMLButtonElement;
  /** What the large button says that it will do; the state itself may be a frame ahead of it. */
  #shown: Deed = 'wait';
  /** What it said at the last click. */
  #clicked: Deed = 'wait';
  /** The run ended under the button a moment ago: who presses now was about to pause it. */
  #turned = false;
  #stuck = false;
  #shownIcon = '';

  /** `onStuck` answers a press of the large button while nothing can begin. */
  constructor(options: RunBarOptions, isStuck: () => boolean, onStuck: () => void) {
    this.#options = options;
    const { t } = options.words;
    const kind = { type: 'button', class: 'primary', 'data-control': 'main' };
    this.#main = el('button', kind, this.#icon, this.#label);
    this.#step = smallButton('step', t('run.step'), options.onStep);
    this.#rewind = smallButton('rewind', t('run.rewind'), options.onRewind);
    this.#seed = smallButton('seed', t('run.newSeed'), options.onNewSeed);
    this.#rewind.title = t('run.rewind.help');
    this.#seed.title = t('run.newSeed.help');
    this.root = el(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': t('run.title') },
      this.#main,
      this.#step,
      this.#rewind,
      this.#seed,
    );
    const deeds = deedsOf(options);
    this.#main.addEventListener('click', ({ detail }) => {
      // Who clicks twice meant to start, not to start and pause, however soon it says Pause.
      const same = this.#shown === this.#clicked;
      this.#clicked = this.#shown;
      if ((detail === 2 && !same) || this.#turned) return;
      if (isStuck()) onStuck();
      else deeds[this.#shown]();
    });
  }

  /** The focus goes to the large button, where nothing is scrolled for it. */
  focus(): void {
    this.#main.focus({ preventScroll: true });
  }

  update(data: RunBarData): void {
    const { state, stuck, trains } = data;
    this.#showMain(data);
    const idle = state === 'loading' || state === 'blocked';
    this.#step.disabled = !trains || stuck || ['loading', 'finished', 'diverged'].includes(state);
    // The main button rewinds then: twice would puzzle.
    this.#rewind.hidden = state === 'diverged';
    this.#rewind.disabled = idle || data.step === 0;
    this.#seed.disabled = state === 'loading';
  }

  #showMain(data: RunBarData): void {
    // With a text or settings for another run, that run is what is wanted next.
    const shown = renews(data) ? 'renew' : deedOf(data);
    const ended = data.state === 'finished' || data.state === 'diverged';
    if (ended && this.#shown === 'pause') this.#turn();
    this.#shown = shown;
    const path = shown === 'pause' || shown === 'rewind' ? shown : 'start';
    if (path !== this.#shownIcon) {
      this.#icon.replaceChildren(icon(ICONS[path], path !== 'rewind'));
      this.#shownIcon = path;
    }
    const { t } = this.#options.words;
    this.#main.classList.toggle('long', shown === 'extend');
    setText(this.#label, this.#textOf(shown, data));
    setAttribute(this.#main, 'title', shown === 'extend' ? t('run.extend.help') : '');
    this.#main.disabled = data.state === 'loading' || (!data.trains && shown !== 'renew');
    this.#stuck = data.stuck;
    this.#showStuck();
  }

  #turn(): void {
    this.#turned = true;
    setTimeout(() => {
      this.#turned = false;
      this.#showStuck();
    }, MEANT);
  }

  /** Looks as if it could not be pressed; where it is stuck, says why when it is. */
  #showStuck(): void {
    setAttribute(this.#main, 'aria-disabled', String(this.#stuck || this.#turned));
  }

  #textOf(deed: Deed, { extension }: RunBarData): string {
    const { t } = this.#options.words;
    if (deed === 'wait') return t('run.loading');
    if (deed === 'extend') return t('run.extend', { steps: extension });
    if (deed === 'renew') return t('run.restart');
    return t(`run.${deed}`);
  }
}

function smallButton(
  name: 'step' | 'rewind' | 'seed',
  text: string,
  press: () => void,
): HTMLButtonElement {
  const kind = { type: 'button', class: 'secondary', title: text, 'data-control': name };
  const label = el('span', { class: 'button-text' }, text);
  const button = el('button', kind, icon(ICONS[name]), label);
  button.addEventListener('click', press);
  return button;
}
