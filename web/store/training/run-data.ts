/** Data of one run, collected from snapshots and drawn by views. */
import type { ErrorFacts } from '../../engine/errors.ts';
import type {
  Attention,
  RunHistory,
  RunState,
  Snapshot,
  StepSample,
  ValidationPoint,
} from '../../engine/trainer.ts';
import { AttentionHistory } from './attention-history.ts';
import { LossHistory } from '../../data/loss-history.ts';

export class RunData {
  readonly number: number;
  readonly history = new LossHistory();
  readonly attentions = new AttentionHistory<Attention>();
  readonly samples: StepSample[] = [];
  /** Options changed during the run, with the step of their first change; 0 in a restored run. */
  readonly #changed = new Map<string, number>();
  state: RunState = 'ready';
  step = 0;
  steps = 0;
  tokensPerSecond = 0;
  stepsPerSecond = 0;
  /** Whether the run was slowed down to be watched, so that its speed is not the machine's. */
  wasWatched = false;
  gradientNorm = 0;
  threads = 1;
  hasValidation = false;
  attention: Attention | null = null;
  attentionError: ErrorFacts | null = null;
  error: ErrorFacts | null = null;

  /** Records that an option changes at the next step. */
  change(name: string): void {
    if (!this.#changed.has(name)) this.#changed.set(name, this.step);
  }

  /** Options changed during the run, with at least one step made since. */
  get changed(): readonly string[] {
    return [...this.#changed].flatMap(([name, step]) => (step < this.step ? [name] : []));
  }

  constructor(number: number) {
    this.number = number;
  }

  /** Data of a saved run at `step`, for comparison with others. */
  static kept(
    number: number,
    step: number,
    history: RunHistory,
    changed: readonly string[],
  ): RunData {
    const run = new RunData(number);
    run.history.restore(history, step);
    run.#validate(history.validations);
    run.history.memorised.push(...(history.memorised ?? []));
    run.samples.push(...history.samples);
    for (const name of changed) run.change(name);
    run.state = 'paused';
    run.step = step;
    return run;
  }

  #validate(points: readonly ValidationPoint[]): void {
    for (const { step, loss } of points) {
      this.history.addValidation(step, loss);
      this.hasValidation = true;
    }
  }

  /** Adds a snapshot of this run. */
  take(snapshot: Snapshot): void {
    const { lossesFrom, losses, learningRates, gradientNorms } = snapshot;
    this.history.append(lossesFrom, losses, learningRates, gradientNorms);
    this.#validate(snapshot.validations);
    this.history.memorised.push(...snapshot.memorised);
    this.samples.push(...snapshot.samples);
    for (const attention of snapshot.attentions) {
      this.attention = attention;
      this.attentions.add(attention);
    }
    this.attentionError = snapshot.attentionError;
    this.state = snapshot.state;
    this.step = snapshot.step;
    this.steps = snapshot.steps;
    this.tokensPerSecond = snapshot.tokensPerSecond;
    this.stepsPerSecond = snapshot.stepsPerSecond;
    this.gradientNorm = snapshot.gradientNorm;
    this.threads = snapshot.threads;
    this.error = snapshot.error;
  }
}
