/**
 * Plans and makes runs with the chosen settings, and changes the current run. Owns the data of a
 * run between its first snapshot and the engine's answer. The session's queue calls all methods
 * except `take`, so that no two overlap.
 */
import { asError } from '../../engine/errors.ts';
import {
  differingOptions,
  findOption,
  fullRecipe,
  sameRecipe,
  valueOf,
  withChange,
} from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import type { Origin, Plan, RunInfo, Snapshot, Trainer } from '../../engine/trainer.ts';
import { changed, namedBy, newRun, rewound } from './current-run.ts';
import type { CurrentRun } from './current-run.ts';
import type { EarlierRuns } from './earlier-runs.ts';
import type { OpenedModel } from './model-files.ts';
import { RunData } from './run-data.ts';
import type { TrainingState } from './training-state.ts';
import { fixedPending, learnsAnew, leavesModel, pendingOptions, writesOnly } from './wanted.ts';
import type { Wanted } from './wanted.ts';

/** Maximum bytes of a run that is made while settings are changed; Start makes larger ones. */
const PREPARE_BYTES = 64 * 2 ** 20;

export interface RunMakerOptions {
  readonly trainer: Trainer;
  readonly wanted: Wanted;
  /** Earlier runs of the session. */
  readonly earlier: EarlierRuns;
  /** Writes the state and notifies listeners. */
  readonly set: (change: Partial<TrainingState>) => void;
  /** Called when the engine has another model, before the state says so. */
  readonly onModel: () => void;
  /** Saves the shown run before another replaces it. */
  readonly leave: () => Promise<void>;
  /** Trains the shown run. */
  readonly train: () => Promise<void>;
}

export class RunMaker {
  readonly #options: RunMakerOptions;
  /**
   * Data of a new run whose snapshots arrive before the call that makes the run returns; null for
   * none.
   */
  #coming: RunData | null = null;

  constructor(options: RunMakerOptions) {
    this.#options = options;
  }

  get #state(): TrainingState {
    return this.#options.wanted.state;
  }

  /** Whether the shown run has made a step, after which only a command replaces it. */
  get #hasBegun(): boolean {
    return (this.#state.current?.data.step ?? 0) > 0;
  }

  /** Adds a snapshot to its run. False if that run was replaced. */
  take(snapshot: Snapshot): boolean {
    const now = this.#state.current?.data;
    if (now !== undefined && snapshot.run < now.number) return false;
    if (snapshot.run === now?.number) now.take(snapshot);
    else {
      if (this.#coming?.number !== snapshot.run) this.#coming = new RunData(snapshot.run);
      this.#coming.take(snapshot);
    }
    return true;
  }

  /** Plans the chosen settings; then sends live changes to a begun run, or prepares a new one. */
  async replan(): Promise<void> {
    const { wanted, set } = this.#options;
    const { state, text } = wanted;
    const { recipe, model } = state;
    let plan: Plan;
    try {
      // If the changes end the opened run, the next run begins with random weights.
      const origin = leavesModel(wanted) ? undefined : originOf(model);
      plan = await this.#plan(recipe, origin);
      const tunable = await this.#isTunable();
      // Start can be pressed from here on; its command waits in the same queue.
      set({ plan, error: null, tunable });
    } catch (thrown) {
      set({ plan: null, error: text.explain(thrown) });
      return;
    }
    const isSmall = plan.totalBytes <= PREPARE_BYTES;
    // A begun run with pending changes keeps its own settings.
    if (this.#hasBegun) {
      if (pendingOptions(wanted).length === 0) await this.#tellRun();
    } else if (isSmall && this.#isStale()) {
      // Reuses the plan unless a model is open or the settings have changed meanwhile.
      const isPlanned = model === null && state.model === null && state.recipe === recipe;
      await this.prepare(state.recipe, state.model, undefined, isPlanned ? plan : null);
    }
  }

  /** Ensures a run that can train: the begun one, or else a new one with the chosen settings. */
  async ensure(): Promise<void> {
    if (this.#hasBegun) {
      await this.replan();
      // The chosen settings may be impossible, but a begun run can still go on.
      const { error } = this.#state;
      if (pendingOptions(this.#options.wanted).length === 0 && error !== null) throw error;
    } else if (this.#isStale() || this.#state.error !== null) await this.prepare();
  }

  /** Data of the shown run, or of a new one. */
  async any(): Promise<RunData | null> {
    if (this.#state.current === null) await this.ensure();
    return this.#state.current?.data ?? null;
  }

  /**
   * Makes a run with `recipe` and `model`. A failure leaves the state unchanged, except that
   * `current` is null if the old model was freed to make room. `planned`: the plan of the run; null
   * if unknown.
   */
  async prepare(
    recipe = this.#state.recipe,
    model = this.#state.model,
    origin: Origin | undefined = originOf(model),
    planned: Plan | null = null,
  ): Promise<CurrentRun> {
    const { wanted, earlier, set, onModel } = this.#options;
    const { state, text, table } = wanted;
    await text.holdRaw(model?.readsRaw === true && model.purpose === 'resume');
    const { held } = text;
    const { recipe: wantedBefore } = state;
    const plan = planned ?? (await this.#plan(recipe, origin));
    const info = await this.#leaving(() => this.#make(recipe, origin));
    const before = state.current;
    if (before !== null) earlier.layBeside(before);
    const current = newRun(info, { recipe, plan, text: held, model }, this.#coming);
    this.#coming = null;
    const resumedAt = origin?.purpose === 'resume' ? info.step : null;
    earlier.layAside(namedBy(current), before && namedBy(before), resumedAt, table);
    onModel();
    set({
      current,
      plan,
      model,
      left: null,
      error: null,
      // Settings changed meanwhile stay chosen.
      recipe: state.recipe === wantedBefore ? recipe : state.recipe,
      // Errors of the previous model no longer apply.
      saveError: null,
      twinError: null,
    });
    return current;
  }

  /** Makes a new run with `recipe`, from an opened model's weights if that model is to learn. */
  async renew(recipe: Recipe): Promise<void> {
    const opened = this.#state.model ?? this.#state.left;
    const { model: now } = this.#state;
    const model = now !== null && learnsAnew(now) ? now : null;
    await this.prepare(recipe, model);
    if (model === null) this.#options.set({ left: opened });
  }

  /** Restarts the run at step 0; applies changes that waited for a new run. */
  async rewind(): Promise<void> {
    const { trainer, earlier, set } = this.#options;
    const { current, recipe } = this.#state;
    // Weights from a file are read again.
    if (current?.model && learnsAnew(current.model)) await this.prepare(recipe, current.model);
    else if (current !== null) {
      const number = await this.#leaving(() => trainer.rewind());
      earlier.layBeside(current);
      // A resumed run becomes one that began here.
      set({ model: null, current: rewound(current, number, this.#coming) });
      this.#coming = null;
    }
    if (this.#isStale()) await this.replan();
  }

  /** Saves the shown run before `replace`. If `replace` fails, the run goes on. */
  async #leaving<Result>(replace: () => Promise<Result>): Promise<Result> {
    const { trainer, leave, train } = this.#options;
    const left = this.#state.current;
    if (left === null || !this.#hasBegun) return replace();
    const isRunning = left.data.state === 'running';
    if (isRunning) await trainer.pause();
    await leave();
    try {
      return await replace();
    } catch (thrown) {
      if (isRunning && this.#state.current === left) await train();
      throw thrown;
    }
  }

  /** Sets the number of steps of the current run. */
  async extend(steps: number): Promise<void> {
    await this.replan();
    // If changes wait for a new run, only the number of steps changes.
    if (fixedPending(this.#options.wanted).length === 0) await this.#tellRun();
    else await this.#tell('steps', steps);
  }

  /** Sends live changes to the current run. */
  async #tellRun(): Promise<void> {
    const { table } = this.#options.wanted;
    const { current, recipe } = this.#state;
    if (current === null) return;
    for (const name of differingOptions(table, current.recipe, recipe)) {
      if (findOption(table, name)?.live !== true) continue;
      await this.#tell(name, valueOf(table, this.#state.recipe, name));
    }
  }

  async #tell(name: string, value: number): Promise<void> {
    const { trainer, wanted, set } = this.#options;
    await trainer.set(name, value);
    const { current } = this.#state;
    if (current === null) return;
    const recipe = withChange(wanted.table, current.recipe, name, value);
    set({ current: changed(current, name, recipe) });
  }

  /** Whether the shown run differs from the chosen settings. */
  #isStale(): boolean {
    const { text } = this.#options.wanted;
    const { current, recipe, model } = this.#state;
    if (current === null || !sameRecipe(current.recipe, recipe)) return true;
    const sameText = current.text?.shownKey === text.held?.shownKey || writesOnly(this.#state);
    return !sameText || model !== current.model;
  }

  /**
   * Whether a new run would drop the opened model, although it could train with the chosen
   * settings.
   */
  async #isTunable(): Promise<boolean> {
    const { model, recipe } = this.#state;
    if (model === null || !leavesModel(this.#options.wanted)) return false;
    const plan = this.#plan(recipe, { files: model.files, purpose: 'train' });
    return plan.then(
      () => true,
      () => false,
    );
  }

  #plan(recipe: Recipe, origin: Origin | undefined): Promise<Plan> {
    return this.#options.trainer.plan(this.#recipeFor(recipe, origin), origin);
  }

  async #make(recipe: Recipe, origin: Origin | undefined): Promise<RunInfo> {
    const { trainer, set } = this.#options;
    try {
      return await trainer.prepare(this.#recipeFor(recipe, origin), origin);
    } catch (thrown) {
      // The old model was freed to make room, so no model is left.
      if (asError(thrown).dropped) set({ current: null });
      throw thrown;
    }
  }

  /**
   * The recipe for the engine. With a file all values are listed, because omitted ones would be
   * taken from the file.
   */
  #recipeFor(recipe: Recipe, origin: Origin | undefined): Recipe {
    return origin === undefined ? recipe : fullRecipe(this.#options.wanted.table, recipe);
  }
}

function originOf(model: OpenedModel | null): Origin | undefined {
  return model === null ? undefined : { files: model.files, purpose: model.purpose };
}
