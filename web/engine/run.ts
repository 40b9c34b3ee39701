/** A run: a model, and everything reported about it since step 0. */
import { KeptSteps } from '../base/kept-steps.ts';
import { failure } from './errors.ts';
import type { ErrorFacts } from './errors.ts';
import { everyStep } from './every-step.ts';
import type { StepNumbers } from './every-step.ts';
import type { Inside } from './inside.ts';
import type { KeptSnapshots } from './kept-snapshots.ts';
import { noteWithPoints } from './note-points.ts';
import type { Recipe } from './options.ts';
import { Speedometer } from './speedometer.ts';
import type {
  Fit,
  Attention,
  Plan,
  RunHistory,
  RunInfo,
  RunState,
  SaveForm,
  MemorisedPoint,
  Snapshot,
  StepSample,
  ValidationPoint,
} from './trainer.ts';
import type { EngineModel } from './binding/model.ts';

/** Maximum bytes of held-out text in RunInfo. */
const HELD_OUT_BYTES = 4096;
/** Maximum number of unsent attention maps. */
const MOST_ATTENTIONS = 64;

/** State of a run; a new model or a rewind replaces it as a whole. */
export interface Run {
  readonly number: number;
  readonly model: EngineModel;
  readonly inside: Inside;
  readonly context: number;
  readonly documents: boolean;
  readonly hasValidation: boolean;
  readonly tokensPerStep: number;
  state: RunState;
  step: number;
  steps: number;
  /** Numbers of all steps so far, thinned out. */
  kept: KeptSteps<keyof StepNumbers>;
  /** Numbers of the steps after `from`, not yet reported. */
  fresh: StepNumbers & { from: number };
  /** Lists since step 0. The three lists of the same names below contain only unsent items. */
  shown: {
    validations: ValidationPoint[];
    memorised: MemorisedPoint[];
    samples: StepSample[];
  };
  validations: ValidationPoint[];
  memorised: MemorisedPoint[];
  samples: StepSample[];
  error: ErrorFacts | null;
  /** Attention maps not yet reported. */
  attentions: Attention[];
  attentionError: ErrorFacts | null;
  /** Step, limit and text of the last attention probe: an equal key needs no new one. */
  attentionKey: string;
  speed: Speedometer;
}

/** The current run and its snapshots, shared by the parts of a trainer. */
export interface RunSlot {
  run: Run | null;
  snapshots: KeptSnapshots | null;
}

/** The current run; throws `state` before a model is made. */
export function currentRun({ run }: RunSlot): Run {
  if (run === null) throw failure('state', 'there is no model yet', [], 'prepare');
  return run;
}

/** History of a run that has shown nothing, or whose steps another trainer reports. */
export const NO_HISTORY: RunHistory = {
  stride: 1,
  losses: new Float32Array(0),
  learningRates: new Float32Array(0),
  gradientNorms: new Float32Array(0),
  validations: [],
  memorised: [],
  samples: [],
};

/** The part of a run that a rewind keeps. */
export type RunBase = Pick<
  Run,
  'model' | 'inside' | 'context' | 'documents' | 'hasValidation' | 'tokensPerStep'
>;

/**
 * A run at the model's step. `history`: everything shown before; `points`: the validation losses,
 * if only these are known.
 */
export function newRun(
  number: number,
  base: RunBase,
  history?: RunHistory,
  points: readonly ValidationPoint[] = history?.validations ?? [],
): Run {
  const { model, inside, context, documents, hasValidation, tokensPerStep } = base;
  const fresh = {
    from: 0,
    ...(history === undefined ? knownLosses(model) : everyStep(history, model.get('step'))),
  };
  return {
    number,
    model,
    inside,
    context,
    documents,
    hasValidation,
    tokensPerStep,
    state: restingState(model),
    step: model.get('step'),
    steps: model.get('steps'),
    kept: keptOf(fresh),
    fresh,
    shown: listsOf(history, points),
    ...listsOf(history, points),
    error: null,
    attentions: [],
    attentionError: null,
    attentionKey: '',
    speed: new Speedometer(),
  };
}

/** New lists of validation losses, memorised shares and samples. */
function listsOf(history: RunHistory | undefined, points: readonly ValidationPoint[]) {
  return {
    validations: [...points],
    memorised: [...(history?.memorised ?? [])],
    samples: [...(history?.samples ?? [])],
  };
}

/** State of a new or resumed run; a run at its last step is finished. */
function restingState(model: EngineModel): RunState {
  const step = model.get('step');
  if (step === 0) return 'ready';
  const learns = model.get('generates_only') !== 1;
  return learns && step >= model.get('steps') ? 'finished' : 'paused';
}

/** Adds a validation loss to the next report and to the history. */
export function addValidation(run: Run, point: ValidationPoint): void {
  run.validations.push(point);
  run.shown.validations.push(point);
}

/** Adds a memorised share to the next report and to the history. */
export function addMemorised(run: Run, point: MemorisedPoint): void {
  run.memorised.push(point);
  run.shown.memorised.push(point);
}

/** Adds texts of a step to the next report and to the history. */
export function addSample(run: Run, sample: StepSample): void {
  run.samples.push(sample);
  run.shown.samples.push(sample);
}

/** Adds attention maps of a text to the next report. */
export function addAttention(run: Run, attention: Attention): void {
  // Bounds the queue of a page that takes no reports: keeps the first and the newest.
  if (run.attentions.length >= MOST_ATTENTIONS) run.attentions.splice(1, 1);
  run.attentions.push(attention);
}

/** The history of the run so far. */
export function historyOf({ kept, shown }: Run): RunHistory {
  return {
    stride: kept.stride,
    // The engine's losses are single floats; a curve needs no more digits of the others either.
    losses: Float32Array.from(kept.columns.losses),
    learningRates: Float32Array.from(kept.columns.learningRates),
    gradientNorms: Float32Array.from(kept.columns.gradientNorms),
    validations: [...shown.validations],
    memorised: [...shown.memorised],
    samples: [...shown.samples],
  };
}

/** Writes the model to a file without a training step in between. */
export function fileOf(run: Run, form: SaveForm, note: string): Blob {
  let file = new Blob([]);
  // A Blob is stored outside the heap, so the file is never in memory twice.
  const kept = form === 'checkpoint' ? noteWithPoints(note, run.shown.validations) : note;
  run.model.save(form, kept, (piece) => {
    file = new Blob([file, piece]);
  });
  return file;
}

/** Notes the numbers of the step just trained. */
export function noteStep(run: Run): void {
  const { model } = run;
  const numbers = {
    losses: model.loss(),
    learningRates: model.learningRate(),
    gradientNorms: model.gradientNorm(),
  };
  run.step += 1;
  run.fresh.losses.push(numbers.losses);
  run.fresh.learningRates.push(numbers.learningRates);
  run.fresh.gradientNorms.push(numbers.gradientNorms);
  run.kept.add(numbers);
}

/** Stores the numbers of a resumed run's earlier steps, thinned out. */
function keptOf({ losses, learningRates, gradientNorms }: StepNumbers): Run['kept'] {
  const kept = new KeptSteps<keyof StepNumbers>(['losses', 'learningRates', 'gradientNorms']);
  for (const [index, loss] of losses.entries()) {
    kept.add({
      losses: loss,
      learningRates: learningRates[index] ?? NaN,
      gradientNorms: gradientNorms[index] ?? NaN,
    });
  }
  return kept;
}

/** Facts of a run for `prepare`. */
export function infoOf(run: Run): RunInfo {
  const { model } = run;
  return {
    run: run.number,
    step: run.step,
    steps: run.steps,
    context: run.context,
    documents: run.documents,
    hasValidation: run.hasValidation,
    memoryBytes: model.get('memory_bytes'),
    trains: model.get('generates_only') !== 1,
    merges: model.get('merges'),
    trainTokensPerCharacter: model.get('train_tokens_per_character'),
    validationTokensPerCharacter: model.get('validation_tokens_per_character'),
    heldOutText: model.heldOutText(HELD_OUT_BYTES),
    prompts: {
      train: model.get('train_prompts'),
      heldOut: model.get('held_out_prompts'),
      tokens: model.get('prompt_tokens'),
    },
  };
}

/** Makes a report and clears the lists of unsent items. */
export function drainProgress(run: Run): Snapshot {
  const snapshot: Snapshot = {
    run: run.number,
    state: run.state,
    step: run.step,
    steps: run.steps,
    threads: run.model.threads(),
    tokensPerSecond: run.speed.tokens,
    stepsPerSecond: run.speed.steps,
    learningRate: run.model.get('lr_now'),
    gradientNorm: run.model.get('grad_norm'),
    lossesFrom: run.fresh.from,
    losses: Float64Array.from(run.fresh.losses),
    learningRates: Float64Array.from(run.fresh.learningRates),
    gradientNorms: Float64Array.from(run.fresh.gradientNorms),
    validations: run.validations,
    memorised: run.memorised,
    samples: run.samples,
    attentions: run.attentions,
    attentionError: run.attentionError,
    error: run.error,
  };
  run.fresh = {
    from: run.fresh.from + run.fresh.losses.length,
    losses: [],
    learningRates: [],
    gradientNorms: [],
  };
  run.validations = [];
  run.memorised = [];
  run.samples = [];
  run.attentions = [];
  return snapshot;
}

/** Throws if the model was opened to generate only. */
export function refuseToTrain({ model }: Run): void {
  if (model.get('generates_only') === 1) {
    throw failure('no-text', 'this model was loaded to generate only');
  }
}

/** Losses of all steps so far; NaN where the engine stores every n-th only. */
function knownLosses(model: EngineModel): StepNumbers {
  const kept = model.losses();
  const stride = model.get('loss_stride');
  const losses = kept.length === 0 ? [] : new Array<number>(model.get('step')).fill(NaN);
  for (const [index, loss] of kept.entries()) {
    if (index * stride < losses.length) losses[index * stride] = loss;
  }
  const unknown = (): number[] => losses.map(() => NaN);
  return { losses, learningRates: unknown(), gradientNorms: unknown() };
}

/** Parses the answer of gpt_config_fit. */
export function readFit(json: string): Fit {
  const { preset, changes, ...rest } = JSON.parse(json) as Omit<Fit, 'recipe'> & Recipe;
  return { ...rest, recipe: { preset, changes } };
}

/**
 * Parses the engine's plan. Counts that depend on the shuffled order of documents are null there
 * and 0 here.
 */
export function readPlan(json: string): Plan {
  const raw = JSON.parse(json) as Record<string, number | null>;
  const read = (name: string): number => raw[name] ?? 0;
  return {
    vocab: read('vocab'),
    tokens: read('tokens'),
    hasValidation: read('validation_sequences') > 0 || read('validation_tokens') > 0,
    documents: read('documents'),
    cutDocuments: read('cut_documents'),
    cutTokens: read('cut_tokens'),
    invalidBytes: read('invalid_bytes'),
    parameters: read('parameters'),
    randomLoss: read('random_loss'),
    totalBytes: read('total_bytes'),
    limitBytes: read('limit_bytes'),
    tokensPerStep: read('tokens_per_step'),
    indexBytes: read('index_bytes'),
  };
}
