/** The controls of a run and where it is: start, pause, one step, rewind, new seed, progress. */
import type { PageState } from '../../store/page-state.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { WATCHED } from '../../store/address/page-settings.ts';
import type { StripState } from '../../store/training/strip-state.ts';
import { disclosure, el, icon, ICONS, perFrame, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { termButton } from '../../kit/term.ts';
import { createUnitMark } from '../../kit/unit-mark.ts';
import { RunTimeline } from './run-timeline.ts';
import type { RunTimelineData } from './run-timeline.ts';

/** A setting that was changed since the run began. */
export interface StripChange {
  readonly name: string;
  /** As readers know them; empty where they are too long to be said. */
  readonly was: string;
  readonly now: string;
}

export interface RunStripData extends RunTimelineData {
  readonly state: StripState;
  /** The text that is looked at, for a line where the texts are out of sight. */
  readonly newest: string;
  /** Loss in `unit`, smoothed as the curve is, or null before the first step. */
  readonly loss: number | null;
  readonly unit: LossUnit;
  readonly tokensPerSecond: number;
  /** How training is held back: to steps a second, 0 for full speed, or so as to be watched. */
  readonly pace: PageState['pace'];
  /** Seconds that the run still takes; NaN where nobody can tell. */
  readonly secondsLeft: number;
  /** How many steps "train further" would add. */
  readonly extension: number;
  /** Settings that differ from those of the run that is shown. */
  readonly changed: readonly StripChange[];
  /** A run of before is on offer, out of sight. */
  readonly kept: boolean;
  /** False for a model that was opened to write only. */
  readonly trains: boolean;
  /** A new run with the changed settings can be begun. */
  readonly renewable: boolean;
  /**
   * A new run would begin from chance, although a model was opened; and that model could learn it.
   */
  readonly leavesModel: boolean;
  readonly tunable: boolean;
  /** How much of the text the next run would not learn, in a sentence; empty for nothing. */
  readonly leftOut: string;
  /** Settings that learn all of it can be had with a press. */
  readonly curable: boolean;
  /** What is wrong or worth knowing, in the reader's language. */
  readonly message: string;
  readonly messageIsError: boolean;
  /** Nothing can begin, and no single place mends it: the message is all there is to go to. */
  readonly stuck: boolean;
}

export interface RunStripOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** Speeds to choose from, in steps a second; 0 for full speed. */
  readonly paces: readonly number[];
  readonly onPace: (stepsPerSecond: number) => void;
  /** Another step is to be looked at; null for the newest. */
  readonly onLookAt: (step: number | null) => void;
  readonly onStart: () => void;
  readonly onPause: () => void;
  readonly onStep: () => void;
  readonly onRewind: () => void;
  readonly onNewSeed: () => void;
  readonly onExtend: () => void;
  /** On with the run, whatever was changed for another. */
  readonly onContinue: () => void;
  /** A new run with the changed settings. */
  readonly onRestart: () => void;
  /** Settings that suit the text, so that none of it is left out. */
  readonly onCure: () => void;
  /** The opened model learns what was changed. */
  readonly onTune: () => void;
  /** To the offer of a run of before. */
  readonly onKept: () => void;
  /** Rewind and train more gently, after the loss blew up. */
  readonly onGentler: () => void;
}

/** What a press of the large button does. */
type Deed = 'wait' | 'start' | 'pause' | 'continue' | 'extend' | 'rewind' | 'renew';

/** This many changes are named in a sentence; of more, there is a list. */
const FEW = 3;

/** What can be done with the run that there is. */
function deedOf({ state }: RunStripData): Deed {
  switch (state) {
    case 'loading':
      return 'wait';
    case 'running':
      return 'pause';
    case 'paused':
      return 'continue';
    case 'finished':
      return 'extend';
    case 'diverged':
      return 'rewind';
    default:
      return 'start';
  }
}

/** Whether what was changed for a new run comes before the run that has come to rest. */
function renews({ state, renewable }: RunStripData): boolean {
  return renewable && (state === 'paused' || state === 'finished');
}

/** Creates the run strip in `container`. */
export function createRunStrip(
  container: HTMLElement,
  options: RunStripOptions,
): View<RunStripData> & { focus(): void } {
  const { words } = options;
  const { t } = words;
  let data: RunStripData | null = null;

  /** What the large button does, for each state of the run. */
  const press: Readonly<Record<Deed, () => void>> = {
    wait: () => undefined,
    start: options.onStart,
    pause: options.onPause,
    continue: options.onContinue,
    extend: options.onExtend,
    rewind: options.onRewind,
    renew: options.onRestart,
  };

  const mainLabel = el('span', {});
  const mainIcon = el('span', { class: 'icon-box' });
  const main = el(
    'button',
    { type: 'button', class: 'primary', 'data-control': 'main' },
    mainIcon,
    mainLabel,
  );
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
  const unit = createUnitMark(words);
  const facts = {
    step: fact('step', termButton('step', t('run.fact.step'))),
    loss: fact('loss', el('span', {}, termButton('loss', t('run.fact.loss')), ' ', unit.root)),
    speed: fact('speed', termButton('speed', t('run.fact.speed'))),
    left: fact('left', t('run.fact.left')),
  };
  facts.loss.value.title = t('run.fact.loss.help');
  const factList = el('dl', { class: 'facts' }, ...Object.values(facts).map(({ box }) => box));
  // On a phone it may have no room: what nobody sees must not take the focus either.
  const room = new IntersectionObserver(
    (entries) => {
      const seen = entries.at(-1)?.isIntersecting ?? true;
      facts.speed.box.style.visibility = seen ? '' : 'hidden';
    },
    { root: factList },
  );
  room.observe(facts.speed.box);
  // On a phone, in place of figures that say nothing yet: nothing else moves for it.
  const kept = el('button', { type: 'button', class: 'link strip-kept' }, t('run.kept'));
  kept.addEventListener('click', options.onKept);
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
  const timeline = new RunTimeline(words, options.onLookAt);
  // Those who hear the page are told where the texts stand.
  const newest = el('p', { class: 'strip-newest written', 'aria-hidden': 'true', translate: 'no' });
  const full = el('button', { type: 'button', class: 'secondary' }, t('run.pace.full'));
  full.addEventListener('click', () => {
    options.onPace(0);
  });
  const message = el('p', { class: 'note', 'data-part': 'run-message', tabindex: '-1' });
  // On a phone the note is one of two lines, until this is pressed, or the note itself.
  const whole = el('button', {
    ...{ type: 'button', class: 'fold note-whole', 'aria-expanded': 'false' },
    'aria-label': t('run.changed.whole'),
  });
  const restart = el('button', { type: 'button', class: 'secondary' }, t('run.restart'));
  const gentler = el('button', { type: 'button', class: 'secondary' }, t('run.gentler'));
  const tune = el('button', { type: 'button', class: 'secondary' }, t('run.tune'));
  const cure = el('button', { type: 'button', class: 'secondary' }, t('run.leftOut.cure'));
  const old = el('button', { type: 'button', class: 'secondary' });
  const changes = el('ul', {});
  // As many as there may be, they must not cover the page where the strip stays in sight.
  const scroll = { class: 'strip-changes', tabindex: '0', role: 'region' };
  const changesBox = el('div', { ...scroll, 'aria-label': t('run.changed.list') }, changes);
  const which = options.folds.keep(
    'run.changed.which',
    disclosure('strip-which', t('run.changed.which'), () => undefined, changesBox),
  );
  const offer = el(
    'div',
    { class: 'offer' },
    whole,
    message,
    cure,
    restart,
    tune,
    old,
    gentler,
    which.root,
  );
  const unfold = (): void => {
    const isWhole = offer.classList.toggle('whole');
    whole.setAttribute('aria-expanded', String(isWhole));
  };
  whole.addEventListener('click', unfold);
  message.addEventListener('click', unfold);
  cure.addEventListener('click', options.onCure);
  restart.addEventListener('click', options.onRestart);
  tune.addEventListener('click', options.onTune);
  old.addEventListener('click', () => {
    if (data !== null) press[deedOf(data)]();
  });
  gentler.addEventListener('click', options.onGentler);
  // Says what happened, once: the figures themselves change too often to be read out.
  const spoken = el('p', {
    class: 'visually-hidden',
    'aria-live': 'polite',
    'data-part': 'spoken',
  });
  container.append(
    newest,
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
      el('div', { class: 'figures' }, kept, factList, paceBox, full),
    ),
    timeline.root,
    offer,
    spoken,
  );

  /** What the button says that it will do; the state itself may be a frame ahead of it. */
  let shown = 'wait' as Deed;
  /** What it said at the last click. */
  let clicked: Deed = shown;
  main.addEventListener('click', ({ detail }) => {
    // Who clicks twice meant to start, not to start and pause, however soon the button says Pause.
    const same = shown === clicked;
    clicked = shown;
    if (detail === 2 && !same) return;
    if (data?.stuck === true) message.focus();
    else press[shown]();
  });

  /** The changes that are listed. */
  let listed = '';
  let shownIcon = '';
  function showMain(current: RunStripData): void {
    const { state } = current;
    // With a text or settings for another run, that run is what is wanted next.
    shown = renews(current) ? 'renew' : deedOf(current);
    const path = shown === 'pause' || shown === 'rewind' ? shown : 'start';
    if (path !== shownIcon) {
      mainIcon.replaceChildren(icon(ICONS[path], path !== 'rewind'));
      shownIcon = path;
    }
    setText(mainLabel, textOf(shown, current));
    setAttribute(main, 'title', shown === 'extend' ? t('run.extend.help') : '');
    main.disabled = state === 'loading' || (!current.trains && shown !== 'renew');
    // Looks as if it could not be pressed, and says why when it is.
    setAttribute(main, 'aria-disabled', String(current.stuck));
    container.dataset.state = state;
  }

  function textOf(deed: Deed, { extension }: RunStripData): string {
    if (deed === 'wait') return t('run.loading');
    if (deed === 'extend') return t('run.extend', { steps: extension });
    if (deed === 'renew') return t('run.restart');
    return t(`run.${deed}`);
  }

  /** Beside the new run, it is said that the other is meant. */
  function textOfOld({ state, extension }: RunStripData): string {
    return state === 'finished' ? t('run.old.extend', { steps: extension }) : t('run.old.continue');
  }

  function timeLeft({ state, secondsLeft }: RunStripData): string {
    if (state === 'finished') return t('run.done');
    return Number.isNaN(secondsLeft) ? '–' : words.duration(secondsLeft);
  }

  /** The focus goes to the large button, where nothing is scrolled for it. */
  function focusMain(): void {
    main.focus({ preventScroll: true });
  }

  const draw = perFrame(() => {
    const current = data;
    if (current === null) return;
    const pressed = container.querySelector<HTMLButtonElement>('button:focus');
    const { state, loss, steps } = current;
    showMain(current);
    container.classList.toggle('kept', current.kept);
    const idle = state === 'loading' || state === 'blocked';
    step.disabled =
      !current.trains || current.stuck || ['loading', 'finished', 'diverged'].includes(state);
    // The main button rewinds then: twice would puzzle.
    rewind.hidden = state === 'diverged';
    rewind.disabled = idle || current.step === 0;
    seed.disabled = state === 'loading';
    pace.value = typeof current.pace === 'number' ? String(current.pace) : '0';
    full.hidden = current.pace !== WATCHED;
    paceBox.hidden = !full.hidden;
    const at = words.number(current.step);
    setText(
      facts.step.value,
      steps > 0 ? t('run.of', { step: at, steps: words.number(steps) }) : at,
    );
    unit.show(current.unit);
    setText(facts.loss.value, loss === null ? '–' : words.number(loss, 2));
    const speed = current.tokensPerSecond;
    setText(facts.speed.value, speed > 0 ? words.short(speed) : '–');
    setText(facts.left.value, timeLeft(current));
    timeline.update(current);
    setText(newest, current.newest);
    newest.hidden = current.newest === '';
    const note = noteText(current);
    setText(message, note);
    // One line of it on a phone, until it is pressed; what went wrong is said whole.
    const folds = current.message === '' && note !== '' && current.leftOut === '';
    offer.classList.toggle('folds', folds);
    message.classList.toggle('error', current.messageIsError && current.message !== '');
    const renewing = renews(current);
    // Where the large button begins the new run, the old one can still go on.
    restart.hidden = !current.renewable || renewing || state === 'blocked';
    tune.hidden = !current.renewable || !current.tunable || state === 'blocked';
    old.hidden = !renewing;
    setText(old, textOfOld(current));
    gentler.hidden = state !== 'diverged';
    cure.hidden = current.leftOut === '' || !current.curable || current.message !== '';
    offer.hidden = note === '';
    showChanges(current.message === '' ? current.changed : []);
    // Otherwise what cannot be pressed any more loses the focus to the page.
    if (pressed !== null && (pressed.disabled || pressed.closest('[hidden]') !== null)) focusMain();
  });

  /** One by one, with their values, where there are too many for a sentence. */
  function showChanges(changed: readonly StripChange[]): void {
    which.root.hidden = changed.length <= FEW;
    const lines = which.root.hidden
      ? []
      : changed.map(({ name, was, now }) =>
          was === '' ? name : t('run.changed.one', { name, was, now }),
        );
    if (lines.join('\n') === listed) return;
    listed = lines.join('\n');
    changes.replaceChildren(...lines.map((line) => el('li', {}, line)));
  }

  function noteText({ message: text, changed, state, leavesModel, leftOut }: RunStripData): string {
    if (text !== '') return text;
    const count = changed.length;
    if (count === 0) return leftOut;
    const names = changed.map(({ name }) => name).join(t('list.separator'));
    const what = count <= FEW ? t('run.changed', { names }) : t('run.changed.many', { count });
    const then = t(state === 'running' ? 'run.changed.running' : 'run.changed.resting');
    const renew = leavesModel ? t('run.changed.chance') : t('run.changed.renew', { count });
    return sentences([what, then, renew, leftOut], words);
  }

  /** Announces a change of state, and errors; of one that is gone nothing may stay to be read. */
  function announce(before: RunStripData | null, now: RunStripData): void {
    if (now.message !== '' && now.message !== before?.message) setText(spoken, now.message);
    else if (before !== null) {
      const { state, step: at } = now;
      // Single steps leave it paused, at another step.
      const isStep = state === 'paused' && before.step !== at;
      if (before.state === state && before.message === now.message && !isStep) return;
      setText(spoken, state === 'blocked' ? '' : t(`run.state.${state}`, { step: at }));
    }
  }

  return {
    focus: focusMain,
    update(next) {
      announce(data, next);
      data = next;
      draw.request();
    },
    resize: () => undefined,
    destroy() {
      room.disconnect();
      draw.cancel();
      container.replaceChildren();
    },
  };
}
