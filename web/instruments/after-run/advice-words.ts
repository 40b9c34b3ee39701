/** Texts of an advice: its sentence with reasons, its duration, and its button. */
import { fairUnit, unitFactor } from '../../data/loss-data.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { canChange } from '../../store/address/lesson.ts';
import type { Session } from '../../store/training/session.ts';
import type { LaterContext } from '../panel.ts';
import type { Found } from './found.ts';
import type { Advice } from './rules.ts';

const BUTTONS = {
  rate: 'run.gentler',
  text: 'after.text.do',
  heldOut: 'tokens.heldOut.do',
  model: 'after.model.do',
} as const;

/** Text of the button; empty for no button. */
export function buttonText({ advice }: Found, { words, lesson }: LaterContext): string {
  // The run bar has its own button to train more steps.
  if (advice === null || advice.help === 'nothing' || advice.help === 'steps') return '';
  const { help } = advice;
  return canChange(lesson, help === 'text' ? 'text' : 'settings') ? words.t(BUTTONS[help]) : '';
}

/** The advice in a sentence, without reasons; empty if the button says it. */
export function shortText(found: Found, context: LaterContext): string {
  if (buttonText(found, context) !== '') return '';
  const { t } = context.words;
  if (found.advice?.help === 'steps') return t('after.steps');
  return found.advice?.help === 'nothing' ? t('after.nothing.short') : '';
}

/**
 * The advice with its reasons; empty without advice, or if the lesson locks the text or settings
 * that it changes.
 */
export function lineText(found: Found, now: Session, context: LaterContext): string {
  const { advice } = found;
  const { lock } = context.lesson;
  if (advice === null) return '';
  if (advice.help !== 'nothing' && lock.has(advice.help === 'text' ? 'text' : 'settings'))
    return '';
  const why = whyText(advice, now, context);
  return sentences([why, durationText(found, now, context)], context.words);
}

/** Duration of more steps or of the larger model; empty if unknown, or for other advice. */
function durationText(
  { advice, larger, trial }: Found,
  { run, current }: Session,
  { words, state }: LaterContext,
): string {
  const { t } = words;
  const pace = run === null || run.wasWatched ? NaN : run.stepsPerSecond;
  if (advice?.help === 'steps') {
    const count = current?.info.steps ?? 0;
    const time = timeText(count / pace, words);
    return time === '' ? '' : t('after.steps.time', { count, time });
  }
  if (advice?.help !== 'model') return '';
  const tried = trial?.larger;
  const slowest = typeof state.pace === 'number' && state.pace > 0 ? 1 / state.pace : 0;
  const perStep = tried ? tried.seconds / tried.steps : (larger?.work ?? NaN) / pace;
  const time = timeText((run?.step ?? 0) * Math.max(slowest, perStep), words);
  return time === '' ? '' : t('after.model.time', { time });
}

function whyText(
  advice: Advice,
  { tokensPerCharacter, earlier }: Session,
  { words, state }: LaterContext,
): string {
  const { t } = words;
  const { train, validation } = tokensPerCharacter;
  const unit = fairUnit(state.lossChoice.unit, { tokensPerCharacter, lines: earlier.all });
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

/** Formats losses with enough decimals to distinguish them: two, or else three. */
function apart(losses: readonly number[], { number }: AllWords): string[] {
  const short = losses.map((loss) => number(loss, 2));
  return new Set(short).size === short.length ? short : losses.map((loss) => number(loss, 3));
}

/** A rounded duration; empty if `seconds` is not finite. */
function timeText(seconds: number, { t }: AllWords): string {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 90) return t('after.seconds', { count: Math.max(1, Math.round(seconds)) });
  const minutes = seconds / 60;
  if (minutes < 90) return t('after.minutes', { count: Math.round(minutes) });
  return t('after.hours', { count: Math.round(minutes / 60) });
}
