/**
 * Plans what is wanted, makes the run of it, and changes the run under way. Owns the data of a run
 * between its first snapshot and the engine's answer. The session's queue calls it, so that no two
 * of its methods run at once, but for `take`.
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

/** Plans above this are carried out only when Start is pressed, not while settings are changed. */
const PREPARE_BYTES = 64 * 2 ** 20;

export interface RunMakerOptions {
  readonly trainer: Trainer;
  readonly wanted: Wanted;
  /** Runs that others have taken the place of. */
  readonly earlier: EarlierRuns;
  /** Writes the state, and says that it has changed. */
  readonly set: (change: Partial<TrainingState>) => void;
  /** Called when the engine has another model, before the state says so. */
  readonly onModel: () => void;
  /** Saves the run that is shown, which another is about to take the place of. */
  readonly leave: () => Promise<void>;
  /** Trains the run that is shown. */
  readonly train: () => Promise<void>;
}

export class RunMaker {
  readonly #options: RunMakerOptions;
  /** A run that the engine tells of before the call that makes it has answered. */
  #coming: RunData | null = null;

  constructor(options: RunMakerOptions) {
    this.#options = options;
  }

  get #state(): TrainingState {
    return this.#options.wanted.state;
  }

  /** The first step of the shown run is made: it is not replaced without being asked. */
  get #hasBegun(): boolean {
    return (this.#state.current?.data.step ?? 0) > 0;
  }

  /** A snapshot goes to its run. False if another run has taken the place of that one. */
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

  /**
   * Plans what is wanted, tells a run under way what may change in it, prepares a run not begun.
   */
  async replan(): Promise<void> {
    const { wanted, set } = this.#options;
    const { state, text } = wanted;
    const { recipe, model } = state;
    let plan: Plan;
    try {
      // Changes that end the run of a file begin a model from chance.
      const origin = leavesModel(wanted) ? undefined : originOf(model);
      plan = await this.#plan(recipe, origin);
      const tunable = await this.#isTunable();
      // From here on Start can be pressed: what it needs waits in the same queue.
      set({ plan, error: null, tunable });
    } catch (thrown) {
      set({ plan: null, error: text.explain(thrown) });
      return;
    }
    const isSmall = plan.totalBytes <= PREPARE_BYTES;
    // A run that goes on beside other wishes stays what it was started as.
    if (this.#hasBegun) {
      if (pendingOptions(wanted).length === 0) await this.#tellRun();
    } else if (isSmall && this.#isStale()) {
      // Planned already, unless something else is wanted by now.
      const isPlanned = model === null && state.model === null && state.recipe === recipe;
      await this.prepare(state.recipe, state.model, undefined, isPlanned ? plan : null);
    }
  }

  /** Makes sure of a run to go on with: the one under way, or else one of what is wanted. */
  async ensure(): Promise<void> {
    if (this.#hasBegun) {
      await this.replan();
      // What is wanted may be impossible, but the run under way can still go on.
      const { error } = this.#state;
      if (pendingOptions(this.#options.wanted).length === 0 && error !== null) throw error;
    } else if (this.#isStale() || this.#state.error !== null) await this.prepare();
  }

  /** The data of the run that is shown, or of a fresh one. */
  async any(): Promise<RunData | null> {
    if (this.#state.current === null) await this.ensure();
    return this.#state.current?.data ?? null;
  }

  /**
   * Makes a run with `recipe` and `model`; after a failure the state is as before. `planned`: plan
   * of that run; null if unknown.
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
      // What was typed meanwhile is wanted still.
      recipe: state.recipe === wantedBefore ? recipe : state.recipe,
      // They were about the model that there was.
      saveError: null,
      twinError: null,
    });
    return current;
  }

  /** A new run with `recipe`, which begins as the one before it did. */
  async renew(recipe: Recipe): Promise<void> {
    const opened = this.#state.model ?? this.#state.left;
    const { model: now } = this.#state;
    const model = now !== null && learnsAnew(now) ? now : null;
    await this.prepare(recipe, model);
    if (model === null) this.#options.set({ left: opened });
  }

  /** The same run from its first step on; changes that waited for a new run are taken up. */
  async rewind(): Promise<void> {
    const { trainer, earlier, set } = this.#options;
    const { current, recipe } = this.#state;
    // Weights from a file are read again.
    if (current?.model && learnsAnew(current.model)) await this.prepare(recipe, current.model);
    else if (current !== null) {
      const number = await this.#leaving(() => trainer.rewind());
      earlier.layBeside(current);
      // The run that a file went on with is now one that began here.
      set({ model: null, current: rewound(current, number, this.#coming) });
      this.#coming = null;
    }
    if (this.#isStale()) await this.replan();
  }

  /** Saves the run that is shown, as it is, before `replace`; if that fails, it goes on. */
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

  /** The run under way has `steps` steps from now on. */
  async extend(steps: number): Promise<void> {
    await this.replan();
    // With other wishes for a new run, the old one goes on as it was.
    if (fixedPending(this.#options.wanted).length === 0) await this.#tellRun();
    else await this.#tell('steps', steps);
  }

  /** Hands on the changes that a run under way can take. */
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

  /** Whether the shown run is not what is wanted. */
  #isStale(): boolean {
    const { text } = this.#options.wanted;
    const { current, recipe, model } = this.#state;
    if (current === null || !sameRecipe(current.recipe, recipe)) return true;
    const sameText = current.text?.shownKey === text.held?.shownKey || writesOnly(this.#state);
    return !sameText || model !== current.model;
  }

  /** Whether the opened model could learn what is wanted, if a new run would begin without it. */
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
      // The old model was freed to make room: say that no model is left.
      if (asError(thrown).dropped) set({ current: null });
      throw thrown;
    }
  }

  /** What the engine is told: with a file, what is not said would be as in the file. */
  #recipeFor(recipe: Recipe, origin: Origin | undefined): Recipe {
    return origin === undefined ? recipe : fullRecipe(this.#options.wanted.table, recipe);
  }
}

function originOf(model: OpenedModel | null): Origin | undefined {
  return model === null ? undefined : { files: model.files, purpose: model.purpose };
}
