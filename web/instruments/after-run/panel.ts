/** After a run: one line says what would help most, and one button does it. */
import { failure } from '../../engine/errors.ts';
import type { Recipe } from '../../engine/options.ts';
import type { Trainer } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { createAfterLine } from './view.ts';
import type { AfterLineData } from './view.ts';
import { fairUnit, unitFactor } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { isWorse } from '../../store/training/loss-reading.ts';
import { idle } from '../../kit/idle.ts';
import { canChange } from '../../store/address/lesson.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel, LaterContext } from '../panel.ts';
import type { Session } from '../../store/training/session.ts';
import { keptText } from '../../store/text/text-source.ts';
import { advise, untried } from './rules.ts';
import type { Advice, Trial } from './rules.ts';
import { factsOf, heldOutOf, largerThan, runTrial } from './trial.ts';
import type { Larger } from './trial.ts';

/** What was found out about a finished run. */
interface Found {
  readonly run: string;
  readonly advice: Advice | null;
  readonly larger: Larger | null;
  /** What the button of the advice begins anew with, if it does. */
  readonly recipe: Recipe | null;
  readonly trial: Trial | null;
}

/** The last of them: another language has no other advice. */
class LastFound {
  found: Found | null = null;
}

/** Finding it out. */
interface Search {
  readonly run: string;
  readonly stop: AbortController;
  /** Called once a trial begins. */
  readonly onTrial: () => void;
  hasTrial: boolean;
}

export const createAfterRun: CreateLaterPanel = (container, context) => {
  const { words, actions, session, reveal, goTo } = context;
  const last = context.kept(LastFound);
  let search: Search | null = null;
  /** From the first run on, so that nothing moves when a line comes or goes. */
  let isReserved = false;

  const view = createAfterLine(container, {
    onPress: () => {
      const { advice, recipe } = last.found ?? {};
      if (advice?.help === 'text') goTo('text');
      if (advice?.help === 'rate') actions.onGentler();
      if (!recipe) return;
      actions.onRecipe(recipe);
      reveal();
      session()?.restart(true);
    },
    onLeave: () => {
      goTo('run');
    },
  });

  async function find(now: Session, run: string): Promise<void> {
    const mine: Search = {
      run,
      stop: new AbortController(),
      hasTrial: false,
      onTrial: () => {
        mine.hasTrial = true;
        panel.update();
      },
    };
    search = mine;
    await idle();
    const found = mine.stop.signal.aborted ? null : await findOut(now, context, mine);
    // Another search may have begun.
    if (search !== mine) return;
    search = null;
    last.found = found;
    panel.update();
  }

  function giveUp(): void {
    search?.stop.abort();
    search = null;
  }

  const panel = panelOf(view, () => {
    const now = session();
    const run = finishedRun(now);
    const rests = run !== '' && !isBusy(context);
    if (!rests || search?.run !== run) giveUp();
    const found = last.found?.run === run ? last.found : null;
    if (now !== null && rests && found === null && search === null) void find(now, run);
    const line = found?.advice && now && lineOf(found, found.advice, now, context);
    const isTraining = now?.run?.state === 'running';
    const trying = search?.hasTrial === true ? words.t('after.trying') : '';
    isReserved ||= run !== '' || isTraining;
    view.update(line ?? (isReserved ? { text: '', trying, button: '' } : null));
  });
  return {
    ...panel,
    destroy: () => {
      giveUp();
      panel.destroy();
    },
  };
};

/** Names a run that is over and is what is wanted; empty for any other, and for one that failed. */
function finishedRun(now: Session | null): string {
  const run = now?.run ?? null;
  if (now === null || run?.state !== 'finished' || !now.trains) return '';
  if (now.error !== null || now.pending().length > 0) return '';
  const loss = run.history.smoothedLast() ?? NaN;
  // What to do about such a loss is said below the curve.
  if (now.current === null || isWorse(loss, now.current.plan.randomLoss)) return '';
  return `${String(run.number)} ${String(run.step)}`;
}

/** Whether the reader has the machine do something. */
function isBusy({ session, runs }: LaterContext): boolean {
  const now = session();
  return now?.answers.last?.busy === true || now?.opening === true || runs.opening;
}

async function findOut(
  now: Session,
  context: LaterContext,
  { run: name, stop, onTrial }: Search,
): Promise<Found | null> {
  const { current, table, trainer } = now;
  if (current === null) return null;
  const { data: run, recipe, plan, text, model } = current;
  // A model from a file is not begun anew in another size.
  const larger = model === null ? await largerThan(trainer, { table, recipe, plan }) : null;
  const heldOut = model === null ? await heldOutOf(trainer, { table, recipe, plan }) : null;
  const { validations, all: losses } = run.history;
  const { step: steps, stepsPerSecond } = run;
  const finished = { table, recipe, plan, steps, validations, stepsPerSecond, larger, heldOut };
  const facts = factsOf(finished, losses, leastOf(context));
  // What was changed on the way is in no model that begins anew.
  const isOne = run.changed.every((option) => option === 'steps');
  const isTried = isOne && untried(facts) === null;
  const { startTrial } = context;
  const found = (trial: Trial | null): Found => {
    const advice = advise(facts, trial);
    const recipes = { model: larger?.recipe ?? null, heldOut };
    const begins = advice?.help === 'model' || advice?.help === 'heldOut';
    return { run: name, advice, larger, recipe: begins ? recipes[advice.help] : null, trial };
  };
  if (!isTried || text === null || startTrial === null) {
    return found(null);
  }
  const files = async (): ReturnType<Parameters<typeof runTrial>[1]> => ({
    text: (await keptText(text)).bytes,
    checkpoint: await trainer.save('checkpoint', ''),
  });
  const start = async (): Promise<Trainer> => {
    onTrial();
    const started = await startTrial();
    if (started.place === 'worker') return started.trainer;
    // On the page's own thread it would be in the reader's way.
    started.trainer.close();
    throw failure('worker', 'there is no worker for a trial');
  };
  return found(await runTrial(finished, files, start, stop.signal).catch(() => null));
}

/** The loss below which no model gets on this text, where something says so. */
function leastOf({ layers }: LaterContext): number | null {
  const marks = layers.marks.filter((mark) => 'level' in mark);
  return marks.find(({ isLeast }) => isLeast === true)?.level.nats ?? null;
}

function lineOf(
  { larger, trial }: Found,
  advice: Advice,
  now: Session,
  context: LaterContext,
): AfterLineData {
  const { words, lesson, state } = context;
  const { tokensPerCharacter, earlier } = now;
  const unit = fairUnit(state.lossChoice.unit, { tokensPerCharacter, lines: earlier.all });
  const why = whyOf(advice, now, unit, words);
  const line = { trying: '', button: '' };
  const slowest = typeof state.pace === 'number' && state.pace > 0 ? 1 / state.pace : 0;
  const pace = now.run?.wasWatched === true ? NaN : (now.run?.stepsPerSecond ?? 0);
  if (advice.help === 'steps') {
    // The large button of the run bar does it.
    const count = now.current?.info.steps ?? 0;
    const time = timeText(count / pace, words);
    const text = time === '' ? '' : words.t('after.steps.time', { count, time });
    return { ...line, text: sentences([why, text], words) };
  }
  if (advice.help === 'nothing') return { ...line, text: why };
  if (advice.help === 'rate') {
    const button = canChange(lesson, 'settings') ? words.t('run.gentler') : '';
    return { ...line, text: why, button };
  }
  if (advice.help === 'text') {
    const button = canChange(lesson, 'text') ? words.t('after.text.do') : '';
    return { ...line, text: why, button };
  }
  if (advice.help === 'heldOut') {
    const button = canChange(lesson, 'settings') ? words.t('after.heldOut.do') : '';
    return { ...line, text: why, button };
  }
  const tried = trial?.larger;
  const perStep = tried ? tried.seconds / tried.steps : (larger?.work ?? NaN) / pace;
  const steps = now.run?.step ?? 0;
  const time = timeText(steps * Math.max(slowest, perStep), words);
  const text = time === '' ? '' : words.t('after.model.time', { time });
  const button = canChange(lesson, 'settings') ? words.t('after.model.do') : '';
  return { ...line, text: sentences([why, text], words), button };
}

function whyOf(advice: Advice, now: Session, unit: LossUnit, words: AllWords): string {
  const { t } = words;
  const { train, validation } = now.tokensPerCharacter;
  const say = (losses: readonly number[], tokens = validation): string[] =>
    apart(
      losses.map((loss) => loss * unitFactor({ unit }, tokens)),
      words,
    );
  switch (advice.why) {
    case 'least': {
      const [least = '', end = ''] = say([advice.least, advice.end]);
      return t('after.nothing', { least, end });
    }
    case 'rose': {
      const [before = '', after = ''] = say([advice.before, advice.after], train);
      return t('after.rate', { step: advice.step, before, after });
    }
    case 'heart': {
      const [loss = '', end = ''] = say([advice.loss, advice.end]);
      return t('after.text.heart', { step: advice.step, loss, end });
    }
    case 'trial': {
      const { steps } = advice;
      if (advice.help === 'model') {
        const [loss = '', own = ''] = say([advice.loss, advice.own]);
        return t('after.model.trial', { steps, loss, own });
      }
      const [before = '', after = ''] = say([advice.before, advice.after]);
      if (advice.help === 'steps') return t('after.steps.trial', { steps, before, after });
      const key = advice.isAlone ? 'after.nothing.trial.alone' : 'after.nothing.trial';
      return t(key, { steps, before, after });
    }
    case 'falling': {
      const key = advice.isHeldOut ? 'after.steps.falling.heldOut' : 'after.steps.falling';
      const tokens = advice.isHeldOut ? validation : train;
      const [before = '', after = ''] = say([advice.before, advice.after], tokens);
      return t(key, { before, after });
    }
    case 'read':
      return t('after.text.read', { readings: Math.round(advice.readings) });
    case 'unread':
      return t('after.steps.unread');
    case 'unseen':
      return t('after.heldOut');
  }
}

/** Losses with as many decimals as tell them apart: two, or else three. */
function apart(losses: readonly number[], { number }: AllWords): string[] {
  const short = losses.map((loss) => number(loss, 2));
  return new Set(short).size === short.length ? short : losses.map((loss) => number(loss, 3));
}

/** About how long something takes; empty if nobody knows. */
function timeText(seconds: number, { t }: AllWords): string {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 90) return t('after.seconds', { count: Math.max(1, Math.round(seconds)) });
  const minutes = seconds / 60;
  if (minutes < 90) return t('after.minutes', { count: Math.round(minutes) });
  return t('after.hours', { count: Math.round(minutes / 60) });
}
