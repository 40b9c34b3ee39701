/** The run bar that starts, paces and ends the run. */
import type { ErrorFacts } from '../../engine/errors.ts';
import { paceAt } from '../../engine/schedule.ts';
import type { Pace } from '../../engine/trainer.ts';
import { Folds } from '../../kit/folds.ts';
import type { Passing } from '../../kit/in-sight.ts';
import { fairUnit, unitFactor, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import type { RunBarData, RunBarOptions } from './run-bar-data.ts';
import { changesOf, leftOutText, runBarMessage } from './run-bar-message.ts';
import { RunBar } from './view.ts';
import { runBarState } from '../../store/training/run-bar-state.ts';
import { canChange } from '../../store/address/lesson.ts';
import { placeOf } from '../../store/messages.ts';
import type { RunData } from '../../store/training/run-data.ts';
import type { Session } from '../../store/training/session.ts';
import { PACES } from '../../store/address/page-settings.ts';
import { keptSteps, sampleAt, seenAt, stepLookedAt } from '../../store/timeline.ts';
import { leadToMistake } from '../lead-to-mistake.ts';
import type { CreatePanel, Panel, PanelContext } from '../panel.ts';

export const createRun: CreatePanel = (container, context) => new RunPanel(container, context);

class RunPanel implements Panel {
  readonly #context: PanelContext;
  readonly #view: RunBar;
  /** Whether the offer of a run of before is out of sight; null without one. */
  readonly #notice: Passing | null;
  #destroyed = false;

  constructor(container: HTMLElement, context: PanelContext) {
    const { words, state, session } = context;
    this.#context = context;
    this.#view = new RunBar(container, this.#options());
    context.layers.set('run', () => {
      const step = stepLookedAt(state.lookedAt, session()?.run ?? null);
      return step === null ? [] : [{ step, label: words.t('run.back.mark') }];
    });
    this.#notice = context.watch('notice', () => this.update());
  }

  update(): void {
    if (!this.#destroyed) this.#view.update(this.#data());
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#notice?.destroy();
    this.#destroyed = true;
    this.#view.destroy();
  }

  focus(): void {
    this.#view.focus();
  }

  #options(): RunBarOptions {
    const { words, actions, session, goTo, reveal } = this.#context;
    /** Brings what the model writes into sight, then acts on the session. */
    const revealed = (act: (now: Session) => void): void => {
      reveal();
      const now = session();
      if (now !== null) act(now);
    };
    return {
      words,
      folds: this.#context.kept(Folds),
      paces: PACES,
      onPace: actions.onPace,
      onLookAt: actions.onLookAt,
      onStart: () => this.#start('start'),
      onPause: () => session()?.pause(),
      onStep: () => this.#start('step'),
      onRewind: () => session()?.rewind(),
      onNewSeed: () => session()?.newSeed(),
      onExtend: () => revealed((now) => now.extend()),
      onContinue: () => revealed((now) => now.start()),
      onRestart: () => {
        if (!leadToMistake(session(), goTo)) revealed((now) => now.restart(true));
      },
      onKept: () => goTo('notice'),
      onGentler: actions.onGentler,
      onCure: actions.onFit,
      onTune: () => revealed((now) => now.models.tune()),
    };
  }

  /** Starts or steps; where that is impossible, goes to the place where it can be mended. */
  #start(what: 'start' | 'step'): void {
    const { actions, session, goTo, reveal } = this.#context;
    const now = session();
    if (now === null) return;
    // A run under way can go on, whatever is wrong with plans for another.
    const led = !now.run?.step && leadToMistake(now, goTo);
    // On a phone the curves are below: bring them into sight at the start.
    if (what === 'start' && !led && now.error === null) reveal();
    if (what === 'start') actions.onStart();
    else actions.onStep();
  }

  #data(): RunBarData {
    const { words, state, session, lesson, runs } = this.#context;
    const now = session();
    const run = now?.run ?? null;
    const lookedAt = stepLookedAt(state.lookedAt, run);
    const problem = state.loadError ?? run?.error ?? now?.error ?? null;
    const changed = now === null ? [] : changesOf(now, words);
    // A model to write with has nothing to start, and says where that is changed.
    const trains = run === null || now?.trains !== false;
    const at = runBarState(now, problem, state.awaitsText);
    const entry = seenAt(now, lookedAt)?.samples.at(-1) ?? sampleAt(run?.samples ?? [], lookedAt);
    // A new run is wanted still, and something stands in its way: its button leads there, and does
    // not turn into one that trains the old model under somebody's thumb.
    const rests = at === 'paused' || at === 'finished';
    const isBarred = rests && changed.length > 0 && problem !== null && problem === now?.error;
    return {
      state: at,
      pace: state.pace,
      lookedAt,
      changed,
      trains,
      ...lossShown(now, lookedAt, state.lossChoice),
      step: run?.step ?? 0,
      steps: run?.steps ?? 0,
      keptSteps: run === null ? [] : keptSteps(run),
      firstStep: now?.firstStep ?? null,
      newest: entry?.texts.find((text) => text.trim() !== '') ?? '',
      tokensPerSecond: run?.tokensPerSecond ?? 0,
      secondsLeft: run === null ? NaN : secondsLeft(run, state.pace),
      extension: now?.current?.info.steps ?? 0,
      renewable: (changed.length > 0 && now?.plan !== null && problem === null) || isBarred,
      barred: problem !== null,
      leavesModel: now?.leavesModel === true,
      tunable: now?.tunable === true && now.leavesModel,
      kept: runs.offer !== null && this.#notice?.past() === true,
      leftOut: leftOutText(now, words),
      curable: now?.model === null && canChange(lesson, 'settings'),
      isFixed: lesson.lock.has('settings'),
      message: runBarMessage(problem, now, trains, { words, lesson }),
      messageIsError: problem !== null,
      stuck: problem !== null && !isMendable(problem) && (at === 'blocked' || isBarred),
    };
  }
}

/** The loss of the step that is looked at, as it is measured here. */
function lossShown(
  now: Session | null,
  lookedAt: number | null,
  { unit: chosen, smoothing }: LossChoice,
): Pick<RunBarData, 'loss' | 'unit'> {
  const tokensPerCharacter = now?.tokensPerCharacter ?? UNKNOWN_TOKENS;
  const unit = fairUnit(chosen, { tokensPerCharacter, lines: now?.earlier.all ?? [] });
  const history = now?.run?.history;
  const loss =
    lookedAt === null
      ? history?.smoothedLast(smoothing)
      : history?.at(lookedAt, smoothing)?.smoothed;
  const factor = unitFactor({ unit }, tokensPerCharacter.train);
  return { unit, loss: loss === undefined ? null : loss * factor };
}

/** Seconds that a run still takes; NaN before it has a speed. */
function secondsLeft({ step, steps, stepsPerSecond }: RunData, pace: Pace): number {
  if (stepsPerSecond <= 0) return NaN;
  const bySpeed = Math.max(0, steps - step) / stepsPerSecond;
  // Held back so as to be watched it becomes faster, unless the machine is what holds it back.
  const isSlow = stepsPerSecond < paceAt(pace, { step, steps }) / 2;
  if (typeof pace === 'number' || isSlow) return bySpeed;
  return pace.seconds * (1 - Math.sqrt(Math.min(1, step / steps)));
}

/** Whether there is one place to go to, where this is mended. */
function isMendable(problem: ErrorFacts): boolean {
  const { options, text } = placeOf(problem);
  return options.length > 0 || text;
}
