/** The controls of a run and where it is: start, pause, one step, rewind, new seed, progress. */
import type { Words } from '../i18n/index.ts';
import { el, icon, ICONS, perFrame, setText } from './dom.ts';
import type { View } from './dom.ts';
import { termButton } from './term.ts';

export type StripState =
  'loading' | 'blocked' | 'ready' | 'running' | 'paused' | 'finished' | 'diverged';

export interface RunStripData {
  readonly state: StripState;
  readonly step: number;
  readonly steps: number;
  /** Smoothed loss, or null before the first step. */
  readonly loss: number | null;
  readonly tokensPerSecond: number;
  /** Steps a second that training is held back to; 0 for full speed. */
  readonly pace: number;
  readonly stepsPerSecond: number;
  /** How many steps "train further" would add. */
  readonly extension: number;
  /** Settings differ from those of the run that is shown. */
  readonly changed: readonly string[];
  /** What is wrong or worth knowing, in the reader's language. */
  readonly message: string;
  readonly messageIsError: boolean;
}

export interface RunStripOptions {
  readonly words: Words;
  /** Speeds to choose from, in steps a second; 0 for full speed. */
  readonly paces: readonly number[];
  readonly onPace: (stepsPerSecond: number) => void;
  readonly onStart: () => void;
  readonly onPause: () => void;
  readonly onStep: () => void;
  readonly onRewind: () => void;
  readonly onNewSeed: () => void;
  readonly onExtend: () => void;
  /** A new run with the changed settings. */
  readonly onRestart: () => void;
  /** Rewind and train more gently, after the loss blew up. */
  readonly onGentler: () => void;
}

/** Creates the run strip in `container`. */
export function createRunStrip(
  container: HTMLElement,
  options: RunStripOptions,
): View<RunStripData> {
  const { words } = options;
  const { t } = words;
  let data: RunStripData | null = null;

  const mainLabel = el('span', {});
  const mainIcon = el('span', { class: 'icon-box' });
  const main = el('button', { type: 'button', class: 'primary' }, mainIcon, mainLabel);
  const small = (name: string, path: string, text: string, act: () => void): HTMLButtonElement => {
    const label = el('span', { class: 'button-text' }, text);
    const button = el(
      'button',
      { type: 'button', class: 'secondary', title: text, 'data-control': name },
      icon(path),
      label,
    );
    button.addEventListener('click', act);
    return button;
  };
  const step = small('step', ICONS.step, t('run.step'), options.onStep);
  const rewind = small('rewind', ICONS.rewind, t('run.rewind'), options.onRewind);
  const seed = small('seed', ICONS.seed, t('run.newSeed'), options.onNewSeed);
  rewind.title = t('run.rewind.help');
  seed.title = t('run.newSeed.help');

  const fact = (
    name: string,
    text: HTMLElement | string,
  ): { box: HTMLElement; value: HTMLElement } => {
    const value = el('dd', { 'data-part': name });
    return { box: el('div', { class: `fact fact-${name}` }, el('dt', {}, text), value), value };
  };
  const facts = {
    step: fact('step', termButton('step', t('run.fact.step'))),
    loss: fact('loss', termButton('loss', t('run.fact.loss'))),
    speed: fact('speed', termButton('token', t('run.fact.speed'))),
    left: fact('left', t('run.fact.left')),
  };
  const pace = el(
    'select',
    { title: t('run.pace.help') },
    ...options.paces.map((steps) => {
      const text = steps === 0 ? t('run.pace.0') : t('run.pace.value', { steps });
      return el('option', { value: steps }, text);
    }),
  );
  pace.addEventListener('change', () => {
    options.onPace(Number(pace.value));
  });
  const paceBox = el(
    'label',
    { class: 'pace', 'data-control': 'pace' },
    el('span', {}, t('run.pace')),
    pace,
  );
  const progress = el('progress', { max: 1, value: 0, 'aria-label': t('run.progress') });
  const message = el('p', { class: 'note', 'data-part': 'run-message' });
  const restart = el('button', { type: 'button', class: 'secondary' }, t('run.restart'));
  const gentler = el('button', { type: 'button', class: 'secondary' }, t('run.gentler'));
  const offer = el('div', { class: 'offer' }, message, restart, gentler);
  restart.addEventListener('click', options.onRestart);
  gentler.addEventListener('click', options.onGentler);
  // Says what happened, once: the figures themselves change too often to be read out.
  const spoken = el('p', {
    class: 'visually-hidden',
    'aria-live': 'polite',
    'data-part': 'spoken',
  });
  container.append(
    el(
      'div',
      { class: 'strip-row' },
      el(
        'div',
        { class: 'buttons', role: 'group', 'aria-label': t('run.title') },
        main,
        step,
        rewind,
        seed,
      ),
      el(
        'div',
        { class: 'figures' },
        el('dl', { class: 'facts' }, ...Object.values(facts).map(({ box }) => box)),
        paceBox,
      ),
    ),
    progress,
    offer,
    spoken,
  );

  /** What the button says that it will do; the state itself may be a frame ahead of it. */
  let shown = 'loading' as StripState;
  /** What it said at the last click. */
  let clicked: StripState = shown;
  main.addEventListener('click', ({ detail }) => {
    // Who clicks twice meant to start, not to start and pause, however soon the button says Pause.
    const same = shown === clicked;
    clicked = shown;
    if (detail === 2 && !same) return;
    if (shown === 'running') options.onPause();
    else if (shown === 'finished') options.onExtend();
    else if (shown === 'diverged') options.onRewind();
    else options.onStart();
  });

  let shownIcon = '';
  function showMain(current: RunStripData): void {
    const { state } = current;
    shown = state;
    const path = state === 'running' ? 'pause' : state === 'diverged' ? 'rewind' : 'start';
    if (path !== shownIcon) {
      mainIcon.replaceChildren(icon(ICONS[path], path !== 'rewind'));
      shownIcon = path;
    }
    setText(mainLabel, mainText(current));
    main.disabled = state === 'loading';
    container.dataset.state = state;
  }

  function mainText({ state, extension }: RunStripData): string {
    if (state === 'loading') return t('run.loading');
    if (state === 'running') return t('run.pause');
    if (state === 'paused') return t('run.continue');
    if (state === 'finished') return t('run.extend', { steps: extension });
    if (state === 'diverged') return t('run.rewind');
    return t('run.start');
  }

  function timeLeft({ state, step: at, steps, stepsPerSecond }: RunStripData): string {
    if (state === 'finished') return t('run.done');
    if (stepsPerSecond <= 0) return '–';
    return words.duration(Math.max(0, steps - at) / stepsPerSecond);
  }

  const draw = perFrame(() => {
    const current = data;
    if (current === null) return;
    const { state, changed, loss, steps } = current;
    showMain(current);
    const idle = state === 'loading' || state === 'blocked';
    step.disabled = state === 'loading' || state === 'finished' || state === 'diverged';
    // The main button rewinds then: twice would puzzle.
    rewind.hidden = state === 'diverged';
    rewind.disabled = idle || current.step === 0;
    seed.disabled = state === 'loading';
    pace.value = String(current.pace);
    const at = words.number(current.step);
    setText(
      facts.step.value,
      steps > 0 ? t('run.of', { step: at, steps: words.number(steps) }) : at,
    );
    setText(facts.loss.value, loss === null ? '–' : words.number(loss, 2));
    const speed = current.tokensPerSecond;
    setText(facts.speed.value, speed > 0 ? words.short(speed) : '–');
    setText(facts.left.value, timeLeft(current));
    progress.value = steps > 0 ? Math.min(1, current.step / steps) : 0;
    const note = noteText(current);
    setText(message, note);
    message.classList.toggle('error', current.messageIsError && current.message !== '');
    restart.hidden = changed.length === 0 || state === 'blocked';
    gentler.hidden = state !== 'diverged';
    offer.hidden = note === '';
  });

  function noteText({ message: text, changed }: RunStripData): string {
    if (text !== '') return text;
    if (changed.length > 0) return t('run.changed', { names: changed.join(t('list.separator')) });
    return '';
  }

  /** Announces a change of state, and errors. */
  function announce(before: RunStripData | null, now: RunStripData): void {
    if (now.message !== '' && now.message !== before?.message) setText(spoken, now.message);
    else if (before !== null && before.state !== now.state && now.state !== 'blocked') {
      setText(spoken, t(`run.state.${now.state}`, { step: now.step }));
    }
  }

  return {
    update(next) {
      announce(data, next);
      data = next;
      draw.request();
    },
    resize: () => undefined,
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}
