/**
 * What would help most after a run: more steps, a larger model, more text, a lower learning rate,
 * held-out text, or nothing. Pure rules on what the run has shown and on what a short trial
 * measured (trial.ts); their words are in words/en.ts.
 *
 * The first row that holds decides. If none does, nothing is advised.
 *
 * | what is known                                                        | advice       | why     |
 * |----------------------------------------------------------------------|--------------|---------|
 * | the loss is as low as any model's on this text, which is random      | nothing      | least   |
 * | the validation loss was lowest clearly before the end                | more text    | heart   |
 * | the training loss ends clearly above where it was before             | lower rate   | rose    |
 * | trial: the larger model needs less work for the same validation loss | larger model | trial   |
 * | trial: more steps lowered the validation loss noticeably, and below  | more steps   | trial   |
 * | where it ever was                                                    |              |         |
 * | trial: more steps did not raise it; the text was read less than once | more steps   | unread  |
 * | trial: fewer than 50 more steps did not raise it, and it was still   | more steps   | falling |
 * | falling at the end                                                   |              |         |
 * | trial: none of the above                                             | nothing      | trial   |
 * | no trial, and the text was read less than once                       | more steps   | unread  |
 * | no trial, and the validation loss was still falling at the end       | more steps   | falling |
 * | nothing is held out, and the text was read often and is known        | more text    | read    |
 * | nothing is held out, the text was read up to four times, and the     | more steps   | falling |
 * | training loss was still falling at the end                           |              |         |
 * | nothing is held out, and a tenth can be                              | held out     | unseen  |
 *
 * Why four times: text that is repeated up to four times lowers the loss on other text almost as
 * new text does (Muennighoff et al., "Scaling Data-Constrained Language Models", 2023, abstract),
 * so up to then a falling training loss means a falling validation loss.
 *
 * Why work decides between steps and size: in its first steps a larger model is ahead of a smaller
 * one by more than at the end, so a lead in nats says little. How much sooner it reaches the same
 * loss changes little along the run: if it is there after n steps, this run was there after m, and
 * a step of it takes r times the work, then it learns more for the same work if m > r * n.
 */
import type { ValidationPoint } from '../../engine/trainer.ts';
import { swingSince } from '../../store/training/loss-reading.ts';

/** The last validation loss is clearly above the lowest by this share of it and by no swing .. */
const CLEARLY = 0.01;
/** .. if this share of the steps lies behind the lowest. */
const BEHIND = 0.1;
/** More steps lowered the validation loss noticeably if it fell by this share of it. */
const NOTICEABLE = 0.001;
/** Fewest steps of a trial whose failure to lower the loss is evidence against more steps. */
const EVIDENCE = 50;
/** The ends that are compared to see whether a loss still falls, as a share of the run. */
const END = 0.1;
/** A loss is as low as any model's if it is above the least one by at most this share of it. */
const AT_LEAST = 0.01;
/** A training loss has risen clearly by this share of the loss of guessing .. */
const RISEN = 0.02;
/** .. and by this many standard errors, .. */
const ERRORS = 4;
/** .. of runs with this many losses, whose tenths have a standard error that says something. */
const FEWEST = 50;
/** A text is known by heart if it was read this often .. */
const OFTEN = 20;
/** .. and the training loss is below this share of the loss of guessing. */
const KNOWN = 0.1;
/** A text is as good as new if it was read this often at most. */
const AS_NEW = 4;

/** What a finished run has shown. */
export interface Facts {
  readonly steps: number;
  /** In order of their steps; empty if nothing is held out. */
  readonly validations: readonly ValidationPoint[];
  /** Training losses, evenly spaced from the first step to the last. */
  readonly losses: readonly number[];
  /** The loss of guessing every token with the same probability. */
  readonly randomLoss: number;
  /** No model gets below it on text that it never saw; null if that is not known. */
  readonly least: number | null;
  /** How often the run has read its text. */
  readonly readings: number;
  /** Whether the settings and the text allow to hold a tenth out. */
  readonly canHoldOut: boolean;
}

/** What a trial measured. */
export interface Trial {
  /** Validation loss of the run at its end, and after this many steps more. */
  readonly more: { readonly steps: number; readonly before: number; readonly after: number } | null;
  readonly larger: {
    readonly steps: number;
    /** Its validation loss after these steps from chance. */
    readonly loss: number;
    /** Work of one of its steps; that of a step of the run is 1. */
    readonly work: number;
    /** How long its steps took; decides nothing. */
    readonly seconds: number;
  } | null;
}

/** Losses are in nats per token. */
export type Advice =
  | {
      readonly help: 'nothing';
      readonly why: 'least';
      readonly least: number;
      readonly end: number;
    }
  | {
      readonly help: 'rate';
      readonly why: 'rose';
      /** The step up to which the training loss was lowest, and its means then and in the end. */
      readonly step: number;
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly help: 'text';
      readonly why: 'heart';
      /** The lowest validation loss, its step, and the last one. */
      readonly loss: number;
      readonly step: number;
      readonly end: number;
    }
  | { readonly help: 'text'; readonly why: 'read'; readonly readings: number }
  | {
      readonly help: 'steps';
      readonly why: 'trial';
      readonly steps: number;
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly help: 'nothing';
      readonly why: 'trial';
      readonly steps: number;
      readonly before: number;
      readonly after: number;
      /** Whether only more steps were tried, and no larger model. */
      readonly isAlone: boolean;
    }
  | { readonly help: 'steps'; readonly why: 'unread' }
  | {
      readonly help: 'steps';
      readonly why: 'falling';
      /** Means over the last two parts of the run. */
      readonly before: number;
      readonly after: number;
      /** Whether these are validation losses. */
      readonly isHeldOut: boolean;
    }
  | {
      readonly help: 'model';
      readonly why: 'trial';
      readonly steps: number;
      readonly loss: number;
      /** Validation loss of the run after as many steps. */
      readonly own: number;
    }
  | { readonly help: 'heldOut'; readonly why: 'unseen' };

/** What would help most, null if that is not known; `trial` is null if none was possible. */
export function advise(facts: Facts, trial: Trial | null): Advice | null {
  return untried(facts) ?? (trial === null ? byCurve(facts) : byTrial(facts, trial));
}

/** What would help most, if that is certain without a trial; null otherwise. */
export function untried(facts: Facts): Advice | null {
  return atLeast(facts) ?? byHeart(facts) ?? byRise(facts);
}

/** Nothing, if no model gets clearly below the loss of this one; null otherwise. */
function atLeast({ validations, losses, least }: Facts): Advice | null {
  if (least === null) return null;
  const end = validations.at(-1)?.loss ?? meanOf(losses.slice(-endOf(losses)));
  return end <= least * (1 + AT_LEAST) ? { help: 'nothing', why: 'least', least, end } : null;
}

/** A lower learning rate, if the training loss rose and has not come back; null otherwise. */
function byRise({ steps, losses, randomLoss }: Facts): Advice | null {
  if (losses.length < FEWEST) return null;
  const size = endOf(losses);
  const last = losses.slice(-size);
  const parts = Array.from({ length: Math.floor(losses.length / size) - 1 }, (_, at) => ({
    step: Math.round((steps * (at + 1) * size) / losses.length),
    part: losses.slice(at * size, (at + 1) * size),
  }));
  const lowest = parts.reduce((least, one) =>
    meanOf(one.part) < meanOf(least.part) ? one : least,
  );
  const [before, after] = [meanOf(lowest.part), meanOf(last)];
  const byChance = ERRORS * Math.hypot(errorOf(lowest.part), errorOf(last));
  // Steps of which a file kept no loss have NaN, which shows no rise.
  if (!(after - before > Math.max(RISEN * randomLoss, byChance))) return null;
  return { help: 'rate', why: 'rose', step: lowest.step, before, after };
}

/** More text, if the validation loss rose while the training loss fell; null otherwise. */
function byHeart({ steps, validations, losses }: Facts): Advice | null {
  const end = validations.at(-1);
  if (end === undefined) return null;
  const lowest = validations.reduce((least, one) => (one.loss < least.loss ? one : least));
  const clearly = Math.max(CLEARLY * lowest.loss, swingSince(validations, lowest));
  const rose = end.loss - lowest.loss > clearly;
  const isEarly = steps - lowest.step >= BEHIND * steps;
  const at = (share: number): number => Math.round(share * losses.length);
  const around = lowest.step / steps;
  const then = losses.slice(at(around - END / 2), at(around + END / 2));
  const fell = meanOf(losses.slice(at(1 - END))) < meanOf(then);
  return rose && isEarly && fell ? { help: 'text', why: 'heart', ...lowest, end: end.loss } : null;
}

function byTrial(facts: Facts, { more, larger }: Trial): Advice | null {
  const { validations } = facts;
  const own = validations.find(({ step }) => step === larger?.steps)?.loss ?? NaN;
  const model = larger && ({ help: 'model', why: 'trial', ...larger, own } as const);
  if (model !== null && reached(validations, model) > model.work * model.steps) return model;
  if (more === null) return byCurve(facts);
  const lowest = Math.min(...validations.map(({ loss }) => loss));
  if (more.after < Math.min(lowest, more.before * (1 - NOTICEABLE))) {
    return { help: 'steps', why: 'trial', ...more };
  }
  const isEvidence = facts.readings >= 1 && more.steps >= EVIDENCE;
  const curve = isEvidence || more.after > more.before ? null : byCurve(facts);
  if (curve?.help === 'steps') return curve;
  return { help: 'nothing', why: 'trial', ...more, isAlone: model === null };
}

/** The step at which a run had this validation loss, interpolated; Infinity if it never had. */
function reached(
  points: readonly ValidationPoint[],
  { steps, loss }: { steps: number; loss: number },
): number {
  const at = points.findIndex((one) => one.step >= steps && one.loss <= loss);
  const [before, there] = [points[at - 1], points[at]];
  if (there === undefined) return Infinity;
  if (before === undefined || there.step === steps) return there.step;
  const share = (before.loss - loss) / (before.loss - there.loss);
  return before.step + share * (there.step - before.step);
}

function byCurve({ validations, losses, randomLoss, readings, canHoldOut }: Facts): Advice | null {
  if (readings < 1) return { help: 'steps', why: 'unread' };
  const isHeldOut = validations.length > 0;
  const all = isHeldOut ? validations.map(({ loss }) => loss) : losses;
  const part = endOf(all);
  const [earlier, last] = [all.slice(-2 * part, -part), all.slice(-part)];
  const [before, after] = [meanOf(earlier), meanOf(last)];
  if (!isHeldOut && readings >= OFTEN && after < KNOWN * randomLoss) {
    return { help: 'text', why: 'read', readings };
  }
  // A difference within its standard error may be chance.
  const isFalling = before - after > Math.hypot(errorOf(earlier), errorOf(last));
  if (isFalling && (isHeldOut || readings <= AS_NEW)) {
    return { help: 'steps', why: 'falling', before, after, isHeldOut };
  }
  return !isHeldOut && canHoldOut ? { help: 'heldOut', why: 'unseen' } : null;
}

/** How many losses the end of a run has: two at least. */
function endOf(losses: readonly number[]): number {
  return Math.max(2, Math.round(END * losses.length));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The standard error of a mean. */
function errorOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = meanOf(values.map((value) => (value - mean) ** 2));
  return Math.sqrt(squares / (values.length - 1));
}
