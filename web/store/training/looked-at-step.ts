/**
 * The viewed step of the shown run, and models of past steps. Loads the code
 * (../past/looking-back.ts) at the first request; the last request wins. Writes nothing of the
 * session except the run's first step.
 */
import { TRACES } from '../../base/form.ts';
import { failure, ignore } from '../../engine/errors.ts';
import type { Model, PastModel, VisitOptions } from '../../engine/past-run.ts';
import type { KeptMoment, Trainer, Watch } from '../../engine/trainer.ts';
import type { LookingBack } from '../past/looking-back.ts';
import { FILE_BYTES, firstStepOf, PAST_BYTES } from '../past/reach.ts';
import type { StartSecond } from '../questions.ts';
import type { CurrentRun } from './current-run.ts';

export interface LookedAtStepOptions {
  readonly trainer: Trainer;
  /** Starts the engine for past steps; null in forms without it. */
  readonly start: StartSecond | null;
  readonly current: () => CurrentRun | null;
  /** Replaces the shown run by a copy with another first step. */
  readonly setCurrent: (current: CurrentRun) => void;
  /** Called when the model of another step is shown. */
  readonly onModel: () => void;
  readonly changed: () => void;
}

export class LookedAtStep {
  readonly #options: LookedAtStepOptions;
  #past: LookingBack | null = null;
  #isMissing = false;
  /** The step requested last; null for the newest. */
  #step: number | null = null;
  #watched: Watch | null = null;

  constructor(options: LookedAtStepOptions) {
    this.#options = options;
    const { trainer, start } = options;
    if (start !== null) trainer.keepMoments(PAST_BYTES, FILE_BYTES).catch(ignore);
  }

  /** The view of past steps; null before the first request. */
  get past(): LookingBack | null {
    return this.#past;
  }

  /** Whether the code for past steps failed to load at the last request. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** The first step from which every step can be recomputed; null if none can. */
  get firstStep(): number | null {
    return this.#options.start === null ? null : firstStepOf(this.#options.current());
  }

  /** The model of the viewed step, or of the newest. */
  get model(): Model {
    return this.#past?.model ?? this.#options.trainer;
  }

  /** The viewed step; null for the newest. */
  get pastStep(): number | null {
    return this.#past?.model?.step ?? null;
  }

  /** The step of `model`. */
  get step(): number {
    return this.pastStep ?? this.#options.current()?.data.step ?? 0;
  }

  /** Follows a change of the shown run; null if no run is shown. */
  follow(current: CurrentRun | null): void {
    this.#past?.follow(current);
  }

  watch(watch: Watch): void {
    this.#watched = watch;
    this.#past?.watch(watch);
  }

  /** Restores saved snapshots of the shown run. */
  async restoreSnapshots(snapshots: readonly KeptMoment[]): Promise<void> {
    const current = this.#options.current();
    this.#setFirstStep(current, await this.#options.trainer.giveMoments(snapshots));
  }

  /** Views this step of the run; null for the newest. */
  look(step: number | null): void {
    if (step === null && this.#past === null) return;
    this.#step = step !== null && step < (this.firstStep ?? Infinity) ? null : step;
    this.#lookingBack().then((past) => {
      const { current, onModel, changed } = this.#options;
      const [run, before] = [current(), past.model];
      if (run !== null) past.look(run, this.#step);
      if (past.model !== before) onModel();
      changed();
    }, ignore);
  }

  /** The model of any step of the shown run, independent of the viewed step. */
  async modelAt(step: number, options?: VisitOptions): Promise<PastModel> {
    const past = await this.#lookingBack();
    const current = this.#options.current();
    if (current === null) throw failure('state', 'there is no run yet');
    return past.at(current, step, options);
  }

  #setFirstStep(current: CurrentRun | null, firstStep: number | null): void {
    const { current: shown, setCurrent } = this.#options;
    if (current !== null && shown() === current) setCurrent({ ...current, firstStep });
  }

  /**
   * Handles snapshots dropped for lack of memory: views the same step again, or the newest if it is
   * lost.
   */
  async #loseSnapshots(): Promise<void> {
    const current = this.#options.current();
    const [first = null] = await this.#options.trainer.moments();
    this.#setFirstStep(current, first);
    this.look(this.#step);
  }

  async #lookingBack(): Promise<LookingBack> {
    const { trainer, start, changed } = this.#options;
    if (!TRACES || start === null) throw failure('past', 'this form does not look back');
    const Made = await this.#fetch();
    if (this.#past === null) {
      const lost = (): void => {
        this.#loseSnapshots().catch(ignore);
      };
      this.#past = new Made({ trainer, start, changed, lost });
      if (this.#watched !== null) this.#past.watch(this.#watched);
    }
    return this.#past;
  }

  async #fetch(): Promise<typeof LookingBack> {
    try {
      const { LookingBack: Made } = await import('../past/looking-back.ts');
      this.#isMissing = false;
      return Made;
    } catch (thrown) {
      this.#isMissing = true;
      this.#options.changed();
      throw thrown;
    }
  }
}
