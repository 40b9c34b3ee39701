/** What is known of the run that is shown: gathered from snapshots, drawn by the views. */
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
  /** Options that were changed after the first step, with the step when they were. */
  readonly #changed = new Map<string, number>();
  state: RunState = 'ready';
  step = 0;
  steps = 0;
  tokensPerSecond = 0;
  stepsPerSecond = 0;
  /** It was slowed down, so that it could be watched: its speed is not the machine's. */
  wasWatched = false;
  gradientNorm = 0;
  threads = 1;
  hasValidation = false;
  attention: Attention | null = null;
  attentionError: ErrorFacts | null = null;
  error: ErrorFacts | null = null;

  /** An option has another value from the next step on. */
  change(name: string): void {
    if (!this.#changed.has(name)) this.#changed.set(name, this.step);
  }

  /** Options that were changed on the way: steps have been made with them since. */
  get changed(): readonly string[] {
    return [...this.#changed].flatMap(([name, step]) => (step < this.step ? [name] : []));
  }

  constructor(number: number) {
    this.number = number;
  }

  /** A run that was kept at `step`, to be looked at beside others. */
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

  /** Takes in what a snapshot of this run says. */
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
