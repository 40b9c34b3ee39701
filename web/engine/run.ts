/** A model with all that is told of it: its losses, samples and state, from its first step on. */
import { failure } from './errors.ts';
import type { ErrorFacts } from './errors.ts';
import type { Inside } from './inside.ts';
import { Speedometer } from './speedometer.ts';
import type {
  Attention,
  Plan,
  RunHistory,
  RunState,
  SaveForm,
  Snapshot,
  StepSample,
  ValidationPoint,
} from './trainer.ts';
import type { EngineModel } from './wasm.ts';

/** Everything that belongs to one model from step 0 on; replaced as a whole. */
export interface Run {
  readonly number: number;
  readonly model: EngineModel;
  readonly inside: Inside;
  readonly context: number;
  readonly documents: boolean;
  readonly hasValidation: boolean;
  state: RunState;
  step: number;
  steps: number;
  losses: number[];
  /** Of the same steps. */
  learningRates: number[];
  gradientNorms: number[];
  lossesSent: number;
  /** Of all steps so far; the two lists below have what no snapshot has told yet. */
  shown: { validations: ValidationPoint[]; samples: StepSample[] };
  validations: ValidationPoint[];
  samples: StepSample[];
  error: ErrorFacts | null;
  attention: Attention | null;
  attentionError: ErrorFacts | null;
  /** Step and text of the last attention picture, to know whether a new one would differ. */
  attentionKey: string;
  speed: Speedometer;
}

/** What stays when a run is rewound. */
export type RunBase = Pick<Run, 'model' | 'inside' | 'context' | 'documents' | 'hasValidation'>;

/** A run of a model, at the step at which the model is; `history` is what it showed until there. */
export function newRun(number: number, base: RunBase, history?: RunHistory): Run {
  const { model, inside, context, documents, hasValidation } = base;
  const losses = history === undefined ? knownLosses(model) : [...history.losses];
  return {
    number,
    model,
    inside,
    context,
    documents,
    hasValidation,
    state: model.get('step') > 0 ? 'paused' : 'ready',
    step: model.get('step'),
    steps: model.get('steps'),
    losses,
    learningRates: history === undefined ? losses.map(() => NaN) : [...history.learningRates],
    gradientNorms: history === undefined ? losses.map(() => NaN) : [...history.gradientNorms],
    lossesSent: 0,
    shown: {
      validations: [...(history?.validations ?? [])],
      samples: [...(history?.samples ?? [])],
    },
    validations: [...(history?.validations ?? [])],
    samples: [...(history?.samples ?? [])],
    error: null,
    attention: null,
    attentionError: null,
    attentionKey: '',
    speed: new Speedometer(),
  };
}

/** Notes a validation loss, for the next snapshot and for good. */
export function addValidation(run: Run, point: ValidationPoint): void {
  run.validations.push(point);
  run.shown.validations.push(point);
}

/** Notes the texts of one step, for the next snapshot and for good. */
export function addSample(run: Run, sample: StepSample): void {
  run.samples.push(sample);
  run.shown.samples.push(sample);
}

/** All that the run has shown so far. */
export function historyOf({ losses, learningRates, gradientNorms, shown }: Run): RunHistory {
  return {
    // Losses are single floats in the engine; of the others, a curve needs no more digits.
    losses: Float32Array.from(losses),
    learningRates: Float32Array.from(learningRates),
    gradientNorms: Float32Array.from(gradientNorms),
    validations: [...shown.validations],
    samples: [...shown.samples],
  };
}

/** The model as a file, written in one go: no step comes in between. */
export function fileOf(run: Run, form: SaveForm, note: string): Blob {
  let file = new Blob([]);
  // Blobs live outside the heap: the file is never in memory twice.
  run.model.save(form, note, (piece) => {
    file = new Blob([file, piece]);
  });
  return file;
}

/** Adds the numbers of the step that the model has just taken. */
export function noteStep(run: Run): void {
  run.step += 1;
  run.losses.push(run.model.loss());
  run.learningRates.push(run.model.learningRate());
  run.gradientNorms.push(run.model.gradientNorm());
}

/** What has happened to a run since the last snapshot of it. */
export function takeSnapshot(run: Run): Snapshot {
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
    lossesFrom: run.lossesSent,
    losses: Float64Array.from(run.losses.slice(run.lossesSent)),
    learningRates: Float64Array.from(run.learningRates.slice(run.lossesSent)),
    gradientNorms: Float64Array.from(run.gradientNorms.slice(run.lossesSent)),
    validations: run.validations,
    samples: run.samples,
    attention: run.attention,
    attentionError: run.attentionError,
    error: run.error,
  };
  run.lossesSent = run.losses.length;
  run.validations = [];
  run.samples = [];
  run.attention = null;
  return snapshot;
}

/** A model that was opened to write only says so, and stays as it is. */
export function refuseToTrain({ model }: Run): void {
  if (model.get('generates_only') === 1) {
    throw failure('no-text', 'this model was loaded to generate only');
  }
}

/** The loss of every step so far: NaN where the engine kept only some of many. */
function knownLosses(model: EngineModel): number[] {
  const kept = model.losses();
  if (kept.length === 0) return [];
  const stride = model.get('loss_stride');
  const losses = new Array<number>(model.get('step')).fill(NaN);
  for (const [index, loss] of kept.entries()) {
    if (index * stride < losses.length) losses[index * stride] = loss;
  }
  return losses;
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
    cutCharacters: read('cut_characters'),
    invalidBytes: read('invalid_bytes'),
    parameters: read('parameters'),
    randomLoss: read('random_loss'),
    totalBytes: read('total_bytes'),
    limitBytes: read('limit_bytes'),
    tokensPerStep: read('tokens_per_step'),
  };
}
