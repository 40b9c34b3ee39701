/**
 * Trains in short slices, between which other calls run, so that a caller waits at most one slice
 * or one step. Also takes validation losses and samples at their steps.
 */
import { yieldTask } from '../base/yield-task.ts';
import { TRACES } from '../base/form.ts';
import { FINISHED } from './binding/exports.ts';
import { factsOf } from './errors.ts';
import { addMemorised, addSample, addValidation, noteStep, refuseToTrain } from './run.ts';
import type { Run, RunSlot } from './run.ts';
import { isSampleStep, memorisingInterval, MOST_TRACED, paceAt } from './schedule.ts';
import { validationInterval } from './schedule.ts';
import type { Reporter } from './reporter.ts';
import type { Pace, RunState } from './trainer.ts';
import type { SampleWriter } from './sample-writer.ts';

/** Longest rest, and longest wait before pace and rest are read again; milliseconds. */
const LONGEST_REST = 500;
const LONGEST_WAIT = 50;
/** Characters after which a step's sample needs no further text. */
const ENOUGH_TEXT = 72;

/** Waits `milliseconds`, but at most LONGEST_WAIT, so that a change of pace is noticed. */
function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, LONGEST_WAIT)));
}

export class TrainingLoop {
  readonly #slot: RunSlot;
  readonly #reporter: Reporter;
  readonly #writing: SampleWriter;
  readonly #slice: number;
  #looping = false;
  /** Requested pace, 0 for full speed; and the `performance.now()` of the next step. */
  #pace: Pace = 0;
  #due = 0;
  /** The step at which training pauses. */
  #until = Infinity;
  /** The `performance.now()` at which a pause requested by `rest` ends. */
  #restEnd = 0;

  /** `slice`: milliseconds of training before other calls get a turn. */
  constructor(slot: RunSlot, reporter: Reporter, writing: SampleWriter, slice: number) {
    this.#slot = slot;
    this.#reporter = reporter;
    this.#writing = writing;
    this.#slice = slice;
  }

  /** Trains until step `until`, if that is still ahead, or to the end. */
  start(run: Run, until = Infinity): void {
    refuseToTrain(run);
    this.#until = until;
    if (run.state === 'running') return;
    const isDiverged = run.state === 'diverged';
    if (isDiverged || run.step >= run.steps) {
      run.state = isDiverged ? 'diverged' : 'finished';
      this.#reporter.publish(true);
      return;
    }
    run.state = 'running';
    run.speed.restart();
    this.#reporter.announce();
    void this.#loop();
  }

  pause(run: Run): void {
    if (run.state !== 'running') return;
    run.state = 'paused';
    this.#reporter.publish(true);
  }

  /** Trains one step and stays paused. */
  async step(run: Run): Promise<void> {
    refuseToTrain(run);
    if (run.state === 'diverged') return;
    await this.#writing.ended;
    if (run !== this.#slot.run) return;
    run.state = 'paused';
    this.#advance(run);
    this.#reporter.publish(true);
  }

  pace(pace: Pace): void {
    this.#pace = typeof pace === 'number' ? Math.max(0, pace) : pace;
    this.#reporter.isHeld = this.#pace !== 0;
    this.#due = performance.now();
  }

  rest(milliseconds: number): void {
    this.#restEnd = performance.now() + Math.min(milliseconds, LONGEST_REST);
  }

  /** Trains while the current run is running, whichever run that is. At most one loop exists. */
  async #loop(): Promise<void> {
    if (this.#looping) return;
    this.#looping = true;
    try {
      for (;;) {
        await yieldTask();
        // Training waits for a text being written, because both use the model's cache.
        if (this.#writing.run !== null) await this.#writing.ended;
        const run = this.#slot.run;
        if (run?.state !== 'running') return;
        const rest = this.#restEnd - performance.now();
        if (rest > 0) {
          await delay(rest);
          // Speed does not count rests.
          run.speed.restart();
          continue;
        }
        if (this.#pace !== 0) await this.#advancePaced(run);
        else this.#advanceSlice(run);
        run.speed.note(run.step, run.model.get('tokens_seen'));
        // The last step is reported at once.
        this.#reporter.publish((run.state as RunState) !== 'running');
      }
    } finally {
      this.#looping = false;
    }
  }

  #advanceSlice(run: Run): void {
    const end = performance.now() + this.#slice;
    while (performance.now() < end && this.#advance(run));
  }

  /** Trains one step if due, else waits. */
  async #advancePaced(run: Run): Promise<void> {
    const wait = this.#due - performance.now();
    if (wait > 0) {
      await delay(wait);
      return;
    }
    // A delay of more than 50 ms is not caught up.
    this.#due = Math.max(this.#due, performance.now() - 50) + 1000 / paceAt(this.#pace, run);
    this.#advance(run);
  }

  /** Trains one step and records its losses and samples. Returns whether training continues. */
  #advance(run: Run): boolean {
    try {
      if (run.model.step() === FINISHED) {
        run.state = 'finished';
        return false;
      }
    } catch (thrown) {
      run.state = 'diverged';
      run.error = factsOf(thrown);
      return false;
    }
    noteStep(run);
    this.#slot.snapshots?.note(run);
    const isDue = (interval: number): boolean => run.step === 1 || run.step % interval === 0;
    const { validations = validationInterval(run.steps) } = this.#reporter.watch;
    if (validations > 0 && isDue(validations)) this.validate(run);
    if (isDue(memorisingInterval(run))) this.memorise(run);
    if (run.step >= run.steps) run.state = 'finished';
    else if (run.step === this.#until) run.state = 'paused';
    if (isSampleStep(run.step) || run.state === 'finished' || run.step === this.#until) {
      this.writeSample(run);
      // Records watched attention even if no panel shows it now: this step can be viewed later.
      this.#reporter.probe(true);
    }
    return run.state === 'running';
  }

  /** Notes the validation loss of the current step, if part of the text is held out. */
  validate(run: Run): void {
    if (!run.hasValidation) return;
    const loss = run.model.validate();
    if (Number.isFinite(loss)) addValidation(run, { step: run.step, loss });
  }

  /** Notes the memorised share, unless the model is too large or this page cannot show it. */
  memorise(run: Run): void {
    if (!TRACES || run.model.get('parameters') > MOST_TRACED) return;
    const [train, heldOut] = [run.model.memorised(false), run.model.memorised(true)];
    if (Number.isFinite(train)) addMemorised(run, { step: run.step, train, heldOut });
  }

  /** Writes the sample of the current step. Seeds are fixed, so that only the model changes. */
  writeSample(run: Run): void {
    const wanted = this.#reporter.watch.samples;
    if (wanted === null || this.#writing.run === run) return;
    const count = run.documents ? wanted.count : 1;
    const texts: string[] = [];
    const cut: number[] = [];
    try {
      let length = 0;
      for (let seed = 1; seed <= count && length < ENOUGH_TEXT; seed++) {
        run.model.sampler.begin('', 0.8, 0, 1, seed);
        for (let drawn = 0; drawn < wanted.maxTokens && !run.model.sampler.isEnded(); drawn++) {
          run.model.sampler.next();
        }
        const text = run.model.sampler.text();
        length += text.length;
        const isWhole = run.model.sampler.isEnded() && !run.model.sampler.isFull();
        if (run.documents && !isWhole) cut.push(texts.length);
        texts.push(text);
      }
      addSample(run, { step: run.step, texts, cut });
    } catch (thrown) {
      run.error ??= factsOf(thrown);
    }
  }
}
