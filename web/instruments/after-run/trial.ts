/**
 * Runs a short trial after a run: continues it for a few steps, and trains the next larger model.
 * Uses a trainer of its own and closes it. The number of steps depends on the run and its speed;
 * with the same number, all losses are reproducible.
 */
import { failure, GlasshouseError } from '../../engine/errors.ts';
import { checkRecipe, fullRecipe, valueOf, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import { validationInterval } from '../../engine/schedule.ts';
import type { Origin, Plan, Snapshot, Trainer, ValidationPoint } from '../../engine/trainer.ts';
import { readingsOf } from '../../store/text/left-out.ts';
import type { Facts, Trial } from './rules.ts';

/** Maximum steps of each part of a trial (continued run, larger model), as a share of the run's. */
const SHARE = 0.1;
/** Maximum seconds of each part of a trial, estimated from the speed of the run. */
const SECONDS = 2.5;
/** Maximum size of a model in a trial; the model of the run stays in memory. */
const MOST_BYTES = 256 * 2 ** 20;

const TENTH = 0.1;
/** Cost of the AdamW update of a parameter: multiplications and additions that take as long. */
const UPDATE = 30;

/** The next larger model and its cost. */
export interface Larger {
  readonly recipe: Recipe;
  readonly plan: Plan;
  /** Work of a step of the larger model, relative to a step of the run. */
  readonly work: number;
}

/** A finished run. */
export interface Finished {
  readonly table: OptionTable;
  readonly recipe: Recipe;
  readonly plan: Plan;
  readonly steps: number;
  readonly validations: readonly ValidationPoint[];
  readonly stepsPerSecond: number;
  /** The next larger model; null if options or memory forbid it, or for a model from a file. */
  readonly larger: Larger | null;
  /**
   * The recipe with a tenth of the text held out; null if text is held out already, if settings or
   * text forbid it, or for a model from a file.
   */
  readonly heldOut: Recipe | null;
}

/**
 * Facts for the rules. `losses` are evenly spaced over the run; `least` is the lowest loss possible
 * on unseen text, null if unknown.
 */
export function factsOf(
  finished: Finished,
  losses: readonly number[],
  least: number | null = null,
): Facts {
  const { table, recipe, plan, steps, validations, heldOut } = finished;
  const readings = readingsOf({ plan, table, recipe: withChange(table, recipe, 'steps', steps) });
  const { randomLoss } = plan;
  return { steps, validations, losses, randomLoss, least, readings, canHoldOut: heldOut !== null };
}

/** The recipe with twice the channels and one more layer; null if options or memory forbid it. */
export async function largerThan(
  trainer: Pick<Trainer, 'plan'>,
  { table, recipe, plan }: Pick<Finished, 'table' | 'recipe' | 'plan'>,
): Promise<Larger | null> {
  const value = (name: string): number => valueOf(table, recipe, name);
  const wider = withChange(table, recipe, 'channels', 2 * value('channels'));
  const grown = withChange(table, wider, 'layers', value('layers') + 1);
  if (checkRecipe(table, grown) !== null) return null;
  const grownPlan = await trainer.plan(grown).catch(() => null);
  if (grownPlan === null) return null;
  const work = stepOperations(table, grownPlan, grown) / stepOperations(table, plan, recipe);
  return { recipe: grown, plan: grownPlan, work };
}

/**
 * The recipe with a tenth of the text held out; null if text is held out already, or if settings or
 * text forbid it.
 */
export async function heldOutOf(
  trainer: Pick<Trainer, 'plan'>,
  { table, recipe, plan }: Pick<Finished, 'table' | 'recipe' | 'plan'>,
): Promise<Recipe | null> {
  if (plan.hasValidation) return null;
  const changed = withChange(table, recipe, 'validation', TENTH);
  const changedPlan = await trainer.plan(changed).catch(() => null);
  return changedPlan?.hasValidation === true ? changed : null;
}

/** Operations of one step: forward, twice as many backward, and the update. */
function stepOperations(table: OptionTable, plan: Plan, recipe: Recipe): number {
  const value = (name: string): number => valueOf(table, recipe, name);
  const context = value('context');
  // Each document has one target more than tokens: its end.
  const document = plan.tokens / plan.documents + 1;
  const length = plan.documents > 0 ? Math.min(context, document) : context;
  // Forward, a parameter is multiplied and added once per token: 2 operations, 6 with backward.
  // Attention reads half of the tokens on average.
  const attention = 6 * value('layers') * value('channels') * length;
  return value('batch') * length * (6 * plan.parameters + attention) + UPDATE * plan.parameters;
}

/**
 * The largest number of further steps, up to `most`, after which the validation loss is measured; 0
 * if none.
 */
function measuredSteps(steps: number, most: number): number {
  for (let more = Math.floor(most); more > 0; more--) {
    if ((steps + more) % validationInterval(steps + more) === 0) return more;
  }
  return 0;
}

/**
 * Step at which the larger model is compared with the run: the last affordable one at which the run
 * has a validation loss, and the larger model will have one. 0 if none.
 */
function comparedSteps({ steps, validations, stepsPerSecond }: Finished, work: number): number {
  const most = Math.min(SHARE * steps, (SECONDS * stepsPerSecond) / work);
  const every = validationInterval(steps);
  const common = validations.filter(({ step }) => step > 1 && step <= most && step % every === 0);
  return common.at(-1)?.step ?? 0;
}

/**
 * Runs the trial on a trainer from `start`, with the text and a checkpoint of the run. Null if
 * nothing is held out, or if time or memory are short; rejects if `signal` aborts.
 */
export async function runTrial(
  finished: Finished,
  files: () => Promise<{ readonly text: Uint8Array<ArrayBuffer>; readonly checkpoint: Blob }>,
  start: () => Promise<Trainer>,
  signal: AbortSignal,
): Promise<Trial | null> {
  const { plan, steps, larger, stepsPerSecond } = finished;
  const count = measuredSteps(steps, Math.min(SHARE * steps, SECONDS * stepsPerSecond));
  const fits = (larger?.plan.totalBytes ?? Infinity) <= MOST_BYTES;
  const compared = larger !== null && fits ? comparedSteps(finished, larger.work) : 0;
  if (!plan.hasValidation || plan.totalBytes > MOST_BYTES || count + compared === 0) return null;
  const { text, checkpoint } = await files();
  const trainer = await start();
  const close = (): void => {
    trainer.close();
  };
  signal.addEventListener('abort', close);
  try {
    if (signal.aborted) throw failure('cancelled', 'it was cancelled');
    await trainer.setText(text);
    const more = count === 0 ? null : await tryMore(trainer, finished, checkpoint, count);
    if (larger === null || compared === 0) return { more, larger: null };
    const { points, seconds } = await train(trainer, larger.recipe, compared);
    const loss = points.at(-1)!.loss;
    return { more, larger: { steps: compared, loss, work: larger.work, seconds } };
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/**
 * Continues the run for `count` steps, with a learning rate schedule that ends there, because only
 * losses at the end of a schedule are comparable: the schedule of "train further" first raises the
 * learning rate, and with it the loss (measured: 2.227 at first, 2.268 after 600 further steps,
 * 2.202 after 5,000).
 */
async function tryMore(
  trainer: Trainer,
  { table, recipe, steps }: Finished,
  checkpoint: Blob,
  count: number,
): Promise<Trial['more']> {
  const none = new Float32Array(0);
  const numbers = { losses: none, learningRates: none, gradientNorms: none };
  const origin: Origin = {
    files: { weights: checkpoint },
    purpose: 'resume',
    // A history without points makes the engine measure the loss at the start.
    history: { ...numbers, validations: [], samples: [] },
  };
  const further = withChange(table, recipe, 'steps', steps + count);
  const { points } = await train(trainer, fullRecipe(table, further), count, origin);
  return { steps: count, before: points[0]!.loss, after: points.at(-1)!.loss };
}

/** Trains `count` steps. Returns the validation losses of these steps, and their duration. */
async function train(
  trainer: Trainer,
  recipe: Recipe,
  count: number,
  origin?: Origin,
): Promise<{ readonly points: readonly ValidationPoint[]; readonly seconds: number }> {
  const points = new Map<number, ValidationPoint[]>();
  let newest: Snapshot | null = null;
  let heard = (): void => undefined;
  const stop = trainer.subscribe((snapshot) => {
    const { run, validations } = snapshot;
    points.set(run, [...(points.get(run) ?? []), ...validations]);
    newest = snapshot;
    heard();
  });
  const gone = trainer.closed.then(() => Promise.reject(failure('cancelled', 'it was closed')));
  gone.catch(() => undefined);
  try {
    const { run, step } = await trainer.prepare(recipe, origin);
    const begun = performance.now();
    await Promise.all(Array.from({ length: count }, () => trainer.step()));
    // The last snapshot may still be on its way.
    for (;;) {
      const last = newest as Snapshot | null;
      if (last?.run === run && last.step === step + count) break;
      if (last?.run === run && last.error !== null) throw new GlasshouseError(last.error);
      await Promise.race([gone, new Promise<void>((resolve) => (heard = resolve))]);
    }
    return { points: points.get(run) ?? [], seconds: (performance.now() - begun) / 1000 };
  } finally {
    stop();
  }
}
