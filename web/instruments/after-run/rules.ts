/**
 * Chooses the advice after a run: more steps, a larger model, more text, a lower learning rate,
 * held-out text, or nothing. Pure rules on the curve of the run and the results of a short
 * trial (trial.ts); their words are in words/en.ts.
 *
 * The first row that holds decides. If none does, nothing is advised.
 *
 * | condition                                                            | advice       | why     |
 * |----------------------------------------------------------------------|--------------|---------|
 * | the loss is as low as any model's on this text, which is random      | nothing      | least   |
 * | the validation loss was lowest clearly before the end                | more text    | heart   |
 * | the training loss ends clearly above where it was before             | lower rate   | rose    |
 * | trial: the larger model needs less work for the same validation loss | larger model | trial   |
 * | trial: more steps lowered the validation loss noticeably, to a value | more steps   | trial   |
 * | below its minimum in the run                                         |              |         |
 * | trial: more steps did not raise it; the text was read less than once | more steps   | unread  |
 * | trial: fewer than 50 more steps did not raise it, and it was still   | more steps   | falling |
 * | falling at the end                                                   |              |         |
 * | trial of more steps: none of the above                               | nothing      | trial   |
 * | no trial of more steps, and the text was read less than once         | more steps   | unread  |
 * | no trial of more steps, and the validation loss fell until the end   | more steps   | falling |
 * | nothing is held out, and the text was read often and is known        | more text    | read    |
 * | nothing is held out, the text was read up to four times, and the     | more steps   | falling |
 * | training loss was still falling at the end                           |              |         |
 * | nothing is held out, and a tenth can be                              | held out     | unseen  |
 *
 * Why four times: text that is repeated up to four times lowers the loss on other text almost as
 * new text does (Muennighoff et al., "Scaling Data-Constrained Language Models", 2023, abstract),
 * so up to then a falling training loss means a falling validation loss.
 *
 * Why work decides between steps and size: the lead of a larger model in nats is larger in its
 * first steps than at the end, so that lead says little. The ratio of the steps to a given loss
 * changes little along the run. If the larger model reaches a loss after n steps that this run
 * reached after m, and a step of the larger model takes r times the work, then the larger model
 * learns more for the same work if m > r * n.
 */
import type { ValidationPoint } from '../../engine/trainer.ts';
import { swingSince } from '../../store/training/loss-reading.ts';

/**
 * Minimum excess of the last validation loss over the lowest, as a share of the lowest; it must
 * also exceed the noise.
 */
const CLEARLY = 0.01;
/** Minimum steps after the lowest validation loss, as a share of the run's steps. */
const BEHIND = 0.1;
/** Minimum noticeable fall of the validation loss, as a share of that loss. */
const NOTICEABLE = 0.001;
/** Minimum steps of a trial whose failure to lower the loss is evidence against more steps. */
const EVIDENCE = 50;
/** Length of a period of the loss curve whose mean is compared, as a share of the run. */
const END = 0.1;
/**
 * Maximum excess over the lowest possible loss, as a share of that loss, that counts as reaching
 * it.
 */
const AT_LEAST = 0.01;
/** Minimum rise of the training loss, as a share of the loss of guessing. */
const RISEN = 0.02;
/** Minimum rise of the training loss in standard errors. */
const ERRORS = 4;
/** Minimum number of losses for which the mean of a tenth has a meaningful standard error. */
const FEWEST = 50;
/** Minimum number of readings of a text known by heart. */
const OFTEN = 20;
/** Maximum training loss on a text known by heart, as a share of the loss of guessing. */
const KNOWN = 0.1;
/** Maximum number of readings for which repeated text is as good as new text. */
const AS_NEW = 4;

/** Facts about a finished run. */
export interface Facts {
  readonly steps: number;
  /** Validation losses, ascending by step; empty if nothing is held out. */
  readonly validations: readonly ValidationPoint[];
  /** Training losses, evenly spaced from the first step to the last. */
  readonly losses: readonly number[];
  /** Loss of guessing, with the same probability for every token. */
  readonly randomLoss: number;
  /** The lowest loss that a model can reach on unseen text; null if unknown. */
  readonly least: number | null;
  /** Number of times the run has read its text. */
  readonly readings: number;
  /** Whether settings and text permit to hold out a tenth. */
  readonly canHoldOut: boolean;
}

/** Results of a trial. */
export interface Trial {
  /** Validation loss at the end of the run, and after `steps` further steps. */
  readonly more: { readonly steps: number; readonly before: number; readonly after: number } | null;
  readonly larger: {
    readonly steps: number;
    /** Validation loss of the larger model after `steps` steps from random weights. */
    readonly loss: number;
    /** Work of a step of the larger model, relative to a step of the run. */
    readonly work: number;
    /** Duration of `steps` steps, for display only. */
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
      /**
       * The last step of the period with the lowest mean training loss, and the means of that
       * period and of the last one.
       */
      readonly step: number;
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly help: 'text';
      readonly why: 'heart';
      /** The lowest validation loss, its step, and the last validation loss. */
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
      /** Mean losses of the last but one and of the last period of the run. */
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
      /** Validation loss of the run at step `steps`, for comparison. */
      readonly own: number;
    }
  | { readonly help: 'heldOut'; readonly why: 'unseen' };

/** The advice; null if unknown. `trial` is null if none was possible. */
export function advise(facts: Facts, trial: Trial | null): Advice | null {
  return untried(facts) ?? (trial === null ? byCurve(facts) : byTrial(facts, trial));
}

/** The advice if it is certain without a trial; else null. */
export function untried(facts: Facts): Advice | null {
  return atLeast(facts) ?? byHeart(facts) ?? byRise(facts);
}

/** Advises nothing if no model can reach a clearly lower loss; else null. */
function atLeast({ validations, losses, least }: Facts): Advice | null {
  if (least === null) return null;
  const end = validations.at(-1)?.loss ?? meanOf(losses.slice(-endOf(losses)));
  return end <= least * (1 + AT_LEAST) ? { help: 'nothing', why: 'least', least, end } : null;
}

/** Advises a lower learning rate if the training loss rose and did not recover; else null. */
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
  // Steps of a loaded run may lack a loss (NaN), which shows no rise.
  if (!(after - before > Math.max(RISEN * randomLoss, byChance))) return null;
  return { help: 'rate', why: 'rose', step: lowest.step, before, after };
}

/** Advises more text if the validation loss rose while the training loss fell; else null. */
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

/** First step from `steps` on with a validation loss of `loss`, interpolated; Infinity if none. */
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

/** Number of losses in a period, at least two. */
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
