/** A model with all that is told of it: its losses, samples and state, from its first step on. */
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

/** Bytes of the held-out text that a caller gets to see. */
const HELD_OUT_BYTES = 4096;
/** Pictures that wait to be sent, at most. */
const MOST_ATTENTIONS = 64;

/** Everything that belongs to one model from step 0 on; replaced as a whole. */
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
  /** What stays of the steps so far. */
  kept: KeptSteps<keyof StepNumbers>;
  /** What no snapshot has told yet: the numbers of the steps after `from`. */
  fresh: StepNumbers & { from: number };
  /** Of all steps so far; the lists below have what no snapshot has told yet. */
  shown: {
    validations: ValidationPoint[];
    memorised: MemorisedPoint[];
    samples: StepSample[];
  };
  validations: ValidationPoint[];
  memorised: MemorisedPoint[];
  samples: StepSample[];
  error: ErrorFacts | null;
  /** Attention pictures that were not sent yet. */
  attentions: Attention[];
  attentionError: ErrorFacts | null;
  /** Step and text of the last attention picture, to know whether a new one would differ. */
  attentionKey: string;
  speed: Speedometer;
}

/** Holds the run of now, and who keeps its snapshots; the parts of a trainer share it. */
export interface RunSlot {
  run: Run | null;
  snapshots: KeptSnapshots | null;
}

/** The run of now; fails with `state` if no model was made yet. */
export function currentRun({ run }: RunSlot): Run {
  if (run === null) throw failure('state', 'there is no model yet', [], 'prepare');
  return run;
}

/** Of a run that has shown nothing, or whose steps are known elsewhere. */
export const NO_HISTORY: RunHistory = {
  stride: 1,
  losses: new Float32Array(0),
  learningRates: new Float32Array(0),
  gradientNorms: new Float32Array(0),
  validations: [],
  memorised: [],
  samples: [],
};

/** What stays when a run is rewound. */
export type RunBase = Pick<
  Run,
  'model' | 'inside' | 'context' | 'documents' | 'hasValidation' | 'tokensPerStep'
>;

/**
 * A run of a model, at the step at which the model is; `history` is what it showed until there, or
 * `points` where only its validation losses are known.
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

/** New lists of what is noted at some steps. */
function listsOf(history: RunHistory | undefined, points: readonly ValidationPoint[]) {
  return {
    validations: [...points],
    memorised: [...(history?.memorised ?? [])],
    samples: [...(history?.samples ?? [])],
  };
}

/** Where a run rests that is begun, or gone on with: at its end there is nothing to continue. */
function restingState(model: EngineModel): RunState {
  const step = model.get('step');
  if (step === 0) return 'ready';
  const learns = model.get('generates_only') !== 1;
  return learns && step >= model.get('steps') ? 'finished' : 'paused';
}

/** Notes a validation loss, for the next snapshot and for good. */
export function addValidation(run: Run, point: ValidationPoint): void {
  run.validations.push(point);
  run.shown.validations.push(point);
}

/** Notes what the model continues, for the next snapshot and for good. */
export function addMemorised(run: Run, point: MemorisedPoint): void {
  run.memorised.push(point);
  run.shown.memorised.push(point);
}

/** Notes the texts of one step, for the next snapshot and for good. */
export function addSample(run: Run, sample: StepSample): void {
  run.samples.push(sample);
  run.shown.samples.push(sample);
}

/** Notes an attention picture for the next snapshot. */
export function addAttention(run: Run, attention: Attention): void {
  // A page that takes no snapshots for long gets the oldest and the newest, not ever more.
  if (run.attentions.length >= MOST_ATTENTIONS) run.attentions.splice(1, 1);
  run.attentions.push(attention);
}

/** All that the run has shown so far. */
export function historyOf({ kept, shown }: Run): RunHistory {
  return {
    stride: kept.stride,
    // Losses are single floats in the engine; of the others, a curve needs no more digits.
    losses: Float32Array.from(kept.columns.losses),
    learningRates: Float32Array.from(kept.columns.learningRates),
    gradientNorms: Float32Array.from(kept.columns.gradientNorms),
    validations: [...shown.validations],
    memorised: [...shown.memorised],
    samples: [...shown.samples],
  };
}

/** The model as a file, written in one go: no step comes in between. */
export function fileOf(run: Run, form: SaveForm, note: string): Blob {
  let file = new Blob([]);
  // Blobs live outside the heap: the file is never in memory twice.
  const kept = form === 'checkpoint' ? noteWithPoints(note, run.shown.validations) : note;
  run.model.save(form, kept, (piece) => {
    file = new Blob([file, piece]);
  });
  return file;
}

/** Adds the numbers of the step that the model has just taken. */
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

/** What is kept of the first steps of a run, all of which are here. */
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

/** Describes a run to the caller that has prepared it. */
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

/** What has happened to a run since the last snapshot of it. */
export function takeProgress(run: Run): Snapshot {
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

/** A model that was opened to write only says so, and stays as it is. */
export function refuseToTrain({ model }: Run): void {
  if (model.get('generates_only') === 1) {
    throw failure('no-text', 'this model was loaded to generate only');
  }
}

/** The loss of every step so far: NaN where the engine kept only some of many. */
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

/** The engine's answer to gpt_config_fit. */
export function readFit(json: string): Fit {
  const { preset, changes, ...rest } = JSON.parse(json) as Omit<Fit, 'recipe'> & Recipe;
  return { ...rest, recipe: { preset, changes } };
}

/** The engine's plan. Null stands for what only the shuffled order of the documents tells. */
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
