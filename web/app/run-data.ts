/** What is known of the run that is shown: gathered from snapshots, drawn by the views. */
import type { ErrorFacts } from '../engine/errors.ts';
import type { Attention, RunState, Snapshot, StepSample } from '../engine/trainer.ts';
import { AttentionHistory } from '../views/attention-history.ts';
import { LossHistory } from '../views/loss-history.ts';

export class RunData {
  readonly number: number;
  readonly history = new LossHistory();
  readonly attentions = new AttentionHistory();
  readonly samples: StepSample[] = [];
  state: RunState = 'ready';
  step = 0;
  steps = 0;
  tokensPerSecond = 0;
  stepsPerSecond = 0;
  gradientNorm = 0;
  threads = 1;
  hasValidation = false;
  attention: Attention | null = null;
  attentionError: ErrorFacts | null = null;
  error: ErrorFacts | null = null;

  constructor(number: number) {
    this.number = number;
  }

  /** Takes in what a snapshot of this run says. */
  take(snapshot: Snapshot): void {
    const { lossesFrom, losses, learningRates, gradientNorms } = snapshot;
    this.history.append(lossesFrom, losses, learningRates, gradientNorms);
    for (const { step, loss } of snapshot.validations) {
      this.history.addValidation(step, loss);
      this.hasValidation = true;
    }
    this.samples.push(...snapshot.samples);
    if (snapshot.attention !== null) {
      this.attention = snapshot.attention;
      this.attentions.add(snapshot.attention);
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
