/** The strip that starts, paces and ends the run. */
import type { ErrorFacts } from '../../engine/errors.ts';
import { valueOf, wrongValues } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import { paceAt } from '../../engine/schedule.ts';
import type { Pace } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { Folds } from '../../kit/folds.ts';
import { fairUnit, unitFactor, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { StripChange } from './strip-data.ts';
import { RunStrip } from './view.ts';
import { stripState } from '../../store/training/strip-state.ts';
import { leftOutShare } from '../../store/text/left-out.ts';
import { canChange, shows } from '../../store/address/lesson.ts';
import { isAwaited, messageOf, placeOf, textProblemFor } from '../../store/messages.ts';
import { valueText } from '../../store/training/run-name.ts';
import type { OpenedModel } from '../../store/training/model-files.ts';
import type { RunData } from '../../store/training/run-data.ts';
import type { Session } from '../../store/training/session.ts';
import { PACES } from '../../store/address/page-settings.ts';
import { keptSteps, sampleAt, stepLookedAt } from '../../store/timeline.ts';
import { leadToMistake } from '../lead-to-mistake.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

export const createRun: CreatePanel = (container, context) => {
  const { words, state, actions, session, lesson, goTo, reveal, runs, watch } = context;
  const view = new RunStrip(container, {
    words,
    folds: context.kept(Folds),
    paces: PACES,
    onPace: actions.onPace,
    onLookAt: (step) => {
      const run = session()?.run?.number;
      actions.onLookAt(step === null || run === undefined ? null : { run, step });
    },
    onStart: () => {
      start('start');
    },
    onPause: () => session()?.pause(),
    onStep: () => {
      start('step');
    },
    onRewind: () => session()?.rewind(),
    onNewSeed: () => session()?.newSeed(),
    onExtend: () => {
      reveal();
      session()?.extend();
    },
    onContinue: () => {
      reveal();
      session()?.start();
    },
    onRestart: () => {
      if (leadToMistake(session(), goTo)) return;
      reveal();
      session()?.restart(true);
    },
    onKept: () => {
      goTo('notice');
    },
    onGentler: () => session()?.gentler(),
    onCure: actions.onFit,
    onTune: () => {
      reveal();
      session()?.models.tune();
    },
  });

  /** Starts or steps; where that is impossible, goes to the place where it can be mended. */
  function start(what: 'start' | 'step'): void {
    const now = session();
    if (now === null) return;
    // A run under way can go on, whatever is wrong with plans for another.
    const led = !now.run?.step && leadToMistake(now, goTo);
    // On a phone the curves are below: bring them into sight at the start.
    if (what === 'start' && !led && now.error === null) reveal();
    if (what === 'start') actions.onStart();
    else now.step();
  }

  /** What stands in the way, unless it is said at the text already. */
  function messageFor(problem: ErrorFacts | null, asked: boolean, trains: boolean): string {
    if (problem !== null) return asked ? '' : sayAll(textProblemFor(problem, lesson));
    const now = session();
    if (!trains) return whyNot(now?.model ?? null);
    // By “New seed”, say: nobody chose to be without it.
    const left = now?.pending().length === 0 ? now.left : null;
    return left === null ? '' : words.t('run.left', { name: left.name });
  }

  /** How much of the text the next run would leave out, where that is worth saying. */
  function leftOut(): string {
    const now = session();
    const plan = now?.plan ?? null;
    const isNext = now?.run?.step === 0 || (now?.pending().length ?? 0) > 0;
    if (plan === null || !isNext) return '';
    const share = leftOutShare({ plan });
    if (share === 0) return '';
    const values = { share: words.percent(share), lines: plan.cutDocuments };
    return words.t('run.leftOut', values);
  }

  /** Whose all that is shown is, while nothing can come of what is wanted. */
  function whose(problem: ErrorFacts | null): string {
    const now = session();
    if (problem === null || now?.error !== problem || now.notOfRun().length === 0) return '';
    return words.t(now.run?.state === 'running' ? 'run.changed.running' : 'run.changed.resting');
  }

  /** Why an opened model only writes: its run may lack nothing but its text. */
  function whyNot(model: OpenedModel | null): string {
    const { why = null, facts } = model ?? {};
    if (why?.code === 'text-differs') return messageOf(why, words);
    const lacks = why !== null && isAwaited(why) && facts?.resumable === true;
    return words.t(lacks ? 'run.lacks' : 'error.no-text');
  }

  /**
   * With a value that cannot be, all others that cannot be either: one by one they would be a
   * chase.
   */
  function sayAll(problem: ErrorFacts): string {
    const now = session();
    const wrong = now === null ? [] : wrongValues(now.table, now.recipe);
    const isOne = ({ code, subject }: ErrorFacts): boolean =>
      code === problem.code && subject === problem.subject;
    const all = wrong.some(isOne) ? wrong : [problem];
    return sentences(
      all.map((one) => messageOf(one, words)),
      words,
    );
  }

  context.layers.set('run', () => {
    const step = stepLookedAt(state.lookedAt, session()?.run ?? null);
    return step === null ? [] : [{ step, label: words.t('run.back.mark') }];
  });

  const panel = panelOf(view, () => {
    const now = session();
    const run = now?.run ?? null;
    const lookedAt = stepLookedAt(state.lookedAt, run);
    const problem = state.loadError ?? run?.error ?? now?.error ?? null;
    // Where a text is asked for, it is asked for once.
    const asked = problem !== null && isAwaited(problem) && shows(lesson, 'text');
    const changed = now === null ? [] : changesOf(now, words);
    const tokensPerCharacter = now?.tokensPerCharacter ?? UNKNOWN_TOKENS;
    const lines = now?.earlier.all ?? [];
    const unit = fairUnit(state.lossChoice.unit, { tokensPerCharacter, lines });
    // A model to write with has nothing to start, and says where that is changed.
    const trains = run === null || now?.trains !== false;
    const { smoothing } = state.lossChoice;
    const loss =
      lookedAt === null
        ? run?.history.smoothedLast(smoothing)
        : run?.history.at(lookedAt, smoothing)?.smoothed;
    const at = stripState(now, problem);
    const message = messageFor(problem, asked, trains);
    const entry = sampleAt(run?.samples ?? [], lookedAt);
    // A new run is wanted still, and something stands in its way: its button leads there, and does
    // not turn into one that trains the old model under somebody's thumb.
    const rests = at === 'paused' || at === 'finished';
    const isBarred = rests && changed.length > 0 && problem !== null && problem === now?.error;
    view.update({
      state: at,
      step: run?.step ?? 0,
      steps: run?.steps ?? 0,
      lookedAt,
      keptSteps: run === null ? [] : keptSteps(run),
      newest: entry?.texts.find((text) => text.trim() !== '') ?? '',
      pace: state.pace,
      loss: loss === undefined ? null : loss * unitFactor({ unit }, tokensPerCharacter.train),
      unit,
      tokensPerSecond: run?.tokensPerSecond ?? 0,
      secondsLeft: run === null ? NaN : secondsLeft(run, state.pace),
      extension: now?.current?.info.steps ?? 0,
      changed,
      renewable: (changed.length > 0 && now?.plan !== null && problem === null) || isBarred,
      leavesModel: now?.leavesModel === true,
      tunable: now?.tunable === true && now.leavesModel,
      kept: runs.offer !== null && notice?.past() === true,
      trains,
      leftOut: leftOut(),
      curable: now?.model === null && canChange(lesson, 'settings'),
      message: message === '' ? '' : sentences([message, whose(problem)], words),
      messageIsError: problem !== null,
      stuck: problem !== null && !isMendable(problem) && (at === 'blocked' || isBarred),
    });
  });
  const notice = watch('notice', () => {
    panel.update();
  });
  return {
    ...panel,
    focus: () => {
      view.focus();
    },
    destroy: () => {
      notice?.destroy();
      panel.destroy();
    },
  };
};

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

/** What was changed since the run began, and could not be taken up by it. */
function changesOf(session: Session, words: Words): StripChange[] {
  const { table, recipe } = session;
  const old = (session.current ?? session).recipe;
  const names = session.pending();
  // What came with another preset is one change, not as many as it has options.
  const single = names.filter(
    (name) =>
      name === 'text' ||
      old.preset === recipe.preset ||
      name in recipe.changes ||
      name in old.changes,
  );
  const changes = single.map((name): StripChange => {
    if (name === 'text') return { name: words.t('run.changed.text'), was: '', now: '' };
    const value = (of: Recipe): string => valueText(table, name, valueOf(table, of, name), words);
    const title = words.find(`option.${name}`) ?? name;
    return { name: title, was: value(old), now: value(recipe) };
  });
  if (single.length === names.length) return changes;
  const preset = { name: words.t('settings.preset'), was: old.preset, now: recipe.preset };
  const texts = single[0] === 'text' ? 1 : 0;
  return [...changes.slice(0, texts), preset, ...changes.slice(texts)];
}
