/**
 * State and commands of training: settings, the current run, models. Calls that change the engine's
 * text or run pass through one queue, so that no command overtakes another; RunMaker (run-maker.ts)
 * carries them out. Pause, pace and watch bypass the queue. Uses no DOM.
 */
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { checkRecipe, valueOf, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Model, VisitOptions } from '../../engine/past-run.ts';
import type { Pace, Fit, Plan, Trainer, Watch } from '../../engine/trainer.ts';
import { UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { TokensPerCharacter } from '../../data/loss-data.ts';
import { TRACES } from '../../base/form.ts';
import { Questions } from '../questions.ts';
import type { StartSecond } from '../questions.ts';
import { EngineText } from '../text/engine-text.ts';
import type { LoadedText } from '../text/text-source.ts';
import { Asker } from '../ask.ts';
import { Answers } from './answers.ts';
import { madeRecipe, namedBy } from './current-run.ts';
import type { CurrentRun } from './current-run.ts';
import { EarlierRuns } from './earlier-runs.ts';
import type { BesideRun } from './earlier-runs.ts';
import { LookedAtStep } from './looked-at-step.ts';
import type { OpenedModel } from './model-files.ts';
import { OpenedModels } from './opened-models.ts';
import type { RunData } from './run-data.ts';
import { RunMaker } from './run-maker.ts';
import type { OneRun } from './run-name.ts';
import type { TrainingState } from './training-state.ts';
import { leavesModel, lessonRecipeOf, notOfRun, pendingOptions, writesOnly } from './wanted.ts';
import type { Wanted } from './wanted.ts';

/** Milliseconds after the last key press before settings are planned. */
const TYPING_PAUSE = 200;
/** Milliseconds after the last key press before settings, which readers see, are fitted. */
const TYPING_REST = 500;
/** Milliseconds for which training pauses while a part of the page is built and drawn. */
const REST = 300;

/** Receives the settings that suit a text; returns the recipe to apply, or null for no change. */
export type ChooseFit = (fit: Fit) => Recipe | null;

/** Kind of a change: a snapshot of the run from the engine, or the state of the session. */
export type Change = 'snapshot' | 'state';

export class Session implements TrainingState {
  readonly table: OptionTable;
  /** Trainer for questions; calls that change the engine pass through the queue. */
  readonly trainer: Trainer;
  readonly models: OpenedModels;
  readonly answers: Answers;
  /** Chooses the engine that answers about the newest step. */
  readonly questions: Questions;
  /** Questions to the model of any step of the shown run. */
  readonly asker: Asker;
  /** The viewed step, and models of past steps. */
  readonly lookedAt: LookedAtStep;
  /** The training text. */
  readonly text: EngineText;
  /** Earlier runs of the session. */
  readonly earlier: EarlierRuns;

  readonly recipe: Recipe;
  readonly lessonRecipe: Recipe | null = null;
  readonly plan: Plan | null = null;
  readonly error: GlasshouseError | null = null;
  readonly current: CurrentRun | null = null;
  readonly model: OpenedModel | null = null;
  readonly left: OpenedModel | null = null;
  readonly tunable: boolean = false;
  readonly opening: boolean = false;
  readonly modelError: GlasshouseError | null = null;
  readonly saveError: GlasshouseError | null = null;
  readonly twinError: GlasshouseError | null = null;
  /** Step of a lesson at which training stops; null for none. */
  stop: number | null = null;
  /** Version of the rules that fit settings to a text; undefined for the newest. */
  fitVersion: number | undefined = undefined;
  /** Value of `stop` after a rewind or restart; null for none. */
  stopAgain: number | null = null;
  /** Saves the shown run before another replaces it; null if runs are not saved. */
  leave: (() => Promise<void>) | null = null;

  readonly #changed: (what: Change) => void;
  readonly #wanted: Wanted;
  readonly #runs: RunMaker;
  #queue: Promise<void> = Promise.resolve();
  #typing: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** Pending choice of settings for the newest text; null before a text and after the choice. */
  #toFit: ChooseFit | null = null;

  constructor(
    trainer: Trainer,
    table: OptionTable,
    recipe: Recipe,
    listener: (what: Change) => void,
    startSecond: StartSecond | null = null,
    startPast: StartSecond | null = null,
  ) {
    const changed = (): void => listener('state');
    this.trainer = trainer;
    this.table = table;
    this.recipe = recipe;
    this.#changed = listener;
    const start = TRACES ? startPast : null;
    this.lookedAt = new LookedAtStep({
      trainer,
      start,
      changed,
      current: () => this.current,
      setCurrent: (current) => this.#set({ current }),
      onModel: () => this.answers.askAgain(),
    });
    this.text = new EngineText(trainer, changed);
    this.earlier = new EarlierRuns(changed);
    this.questions = new Questions(trainer, startSecond, {
      current: () => this.current,
      isAnswering: () => this.answers.last?.busy === true || this.asker.isAsking,
      past: () => this.lookedAt.past,
    });
    this.answers = new Answers({
      questions: this.questions,
      changed: () => {
        this.questions.settle();
        changed();
      },
      whenReady: () => this.whenReady(),
    });
    this.asker = new Asker({
      trainer,
      run: () => this.run,
      modelAt: (step, options) => this.modelAt(step, options),
      onAnswer: () => this.questions.settle(),
    });
    const wanted = { table, state: this, text: this.text };
    const set = (change: Partial<TrainingState>): void => this.#set(change);
    const runs = new RunMaker({
      trainer,
      wanted,
      earlier: this.earlier,
      set,
      onModel: () => this.answers.forget(),
      leave: async () => this.leave?.(),
      train: () => this.#train(),
    });
    const command = (action: () => Promise<void>): void => this.#command(action);
    const shown = (): LookedAtStep => this.lookedAt;
    this.models = new OpenedModels({ trainer, wanted, runs, start, set, command, shown });
    this.#wanted = wanted;
    this.#runs = runs;
    trainer.subscribe((snapshot) => {
      if (this.#runs.take(snapshot)) {
        this.asker.look();
        this.#changed('snapshot');
      }
      this.questions.settle();
    });
  }

  /** Data of the shown run; null without a run. */
  get run(): RunData | null {
    return this.current?.data ?? null;
  }

  /** Whether the shown run can train; false for a model that only generates. */
  get trains(): boolean {
    return this.current?.info.trains ?? true;
  }

  get tokensPerCharacter(): TokensPerCharacter {
    return this.current?.tokensPerCharacter ?? UNKNOWN_TOKENS;
  }

  /** Recipe of the steps made so far; without a run, the chosen recipe. */
  get madeRecipe(): Recipe {
    return this.current === null ? this.recipe : madeRecipe(this.current);
  }

  /** Writes state and notifies listeners; nothing else writes it. */
  #set(change: Partial<TrainingState>): void {
    Object.assign(this, change);
    if (change.current !== undefined) this.lookedAt.follow(change.current);
    this.asker.look();
    this.#changed('state');
  }

  // ---- Text -------------------------------------------------------------------------------------

  /**
   * Sets the training text of the next run; the current run keeps its text. `choose` receives
   * settings that suit the text, and returns the recipe to apply or null; with `quiet`, only after
   * a pause in typing.
   */
  setText(text: LoadedText, choose: ChooseFit | null = null, quiet = false): void {
    clearTimeout(this.#resting);
    // Left-out ranges are positions in the previous text.
    if (choose !== null && this.recipe.leftOut !== undefined) {
      const { preset, changes } = this.recipe;
      this.#set({ recipe: { preset, changes } });
    }
    this.#toFit = choose;
    if (quiet && choose !== null) {
      this.#resting = setTimeout(() => {
        this.#enqueue(() => this.#refit());
      }, TYPING_REST);
    }
    const send = this.text.want(text);
    this.#enqueue(async () => {
      // A newer text is waiting, so this one is not sent.
      if (!(await send())) return;
      if (this.model?.why) await this.models.retry(this.model);
      if (!quiet) await this.#fit();
      await this.#runs.replan();
    });
  }

  /** Reports that the text failed to load. The engine keeps its text. */
  failText(error: unknown): void {
    this.#set({ error: asError(error), plan: null });
  }

  /** Finds settings that suit the text, and applies the recipe that `choose` returns. */
  fit(choose: ChooseFit): void {
    this.#command(async () => {
      this.#toFit = choose;
      await this.#refit();
    });
  }

  async #refit(): Promise<void> {
    if (await this.#fit()) await this.#runs.replan();
  }

  /** Fits settings if a choice is pending. Returns whether the settings changed. */
  async #fit(): Promise<boolean> {
    // Settings for an older text would be wrong, so the choice waits until the engine has the
    // newest.
    if (!this.text.hasArrived) return false;
    const choose = this.#toFit;
    const { turn } = this.text;
    // No settings are fitted to an opened model or to a text with nothing to learn.
    const isAble = choose !== null && this.model === null && !this.text.isUseless;
    const fit = isAble ? await this.#suited().catch(() => null) : null;
    if (this.#toFit === choose) {
      this.#toFit = null;
      clearTimeout(this.#resting);
    }
    // Another text has come meanwhile and is fitted separately.
    if (turn !== this.text.turn) return false;
    if (choose === null || fit === null) return false;
    const recipe = choose(fit);
    this.#set(recipe === null ? {} : { recipe });
    return recipe !== null;
  }

  /** Fits settings to the text; by the newest rules if the engine lacks version `fitVersion`. */
  #suited(): Promise<Fit> {
    return this.trainer.fit(this.fitVersion).catch((thrown: unknown) => {
      if (asError(thrown).subject !== 'fit') throw thrown;
      return this.trainer.fit();
    });
  }

  // ---- Settings ---------------------------------------------------------------------------------

  /** Whether the opened model only generates. */
  get writesOnly(): boolean {
    return writesOnly(this);
  }

  /** Sets the recipe of the lesson, which reset restores. */
  giveLesson(recipe: Recipe): void {
    this.#set({ lessonRecipe: recipe });
  }

  /** Sets the recipe of a lesson; its differences from the preset are not changes by the reader. */
  giveRecipe(recipe: Recipe, typing: boolean): void {
    const lessonRecipe = lessonRecipeOf(this.table, this, recipe);
    this.#set({ lessonRecipe });
    this.setRecipe(recipe, typing);
  }

  /** Sets the chosen recipe; `typing` delays planning until a pause. */
  setRecipe(recipe: Recipe, typing: boolean): void {
    // Errors found without the engine are shown at once.
    const wrong = checkRecipe(this.table, recipe);
    this.#set(wrong === null ? { recipe } : { recipe, error: wrong, plan: null });
    clearTimeout(this.#typing);
    const replan = (): void => {
      this.#enqueue(() => this.#runs.replan());
    };
    if (typing) this.#typing = setTimeout(replan, TYPING_PAUSE);
    else replan();
  }

  /** Options (and "text") whose changes need another run than the current one. */
  pending(): string[] {
    return pendingOptions(this.#wanted);
  }

  /** Options (and "text") that the shown model cannot adopt, even before it has trained. */
  notOfRun(): string[] {
    return notOfRun(this.#wanted);
  }

  /** Whether a new run would begin with random weights although a model was opened. */
  get leavesModel(): boolean {
    return leavesModel(this.#wanted);
  }

  // ---- Earlier runs -----------------------------------------------------------------------------

  /** Facts that identify the shown run among others; null without a run. */
  get named(): OneRun | null {
    return this.current === null ? null : namedBy(this.current);
  }

  /** The shown run and the visible earlier runs. */
  get compared(): readonly OneRun[] {
    const { named } = this;
    return [...(named === null ? [] : [named]), ...this.earlier.all.filter(({ shown }) => shown)];
  }

  /** Restores earlier runs from before a reload. */
  restoreEarlier(runs: readonly BesideRun[]): void {
    this.earlier.restore(runs, this.text.wanted);
  }

  // ---- Commands ---------------------------------------------------------------------------------

  /** Trains to step `until`; see #train. */
  start(until?: number): void {
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#runs.ensure();
      await this.#train(until);
    });
  }

  /** Trains to `until`, else to the stop step of a lesson if that is ahead, else to the end. */
  #train(until?: number): Promise<void> {
    const stop = this.stop !== null && this.stop > (this.run?.step ?? 0) ? this.stop : undefined;
    return this.trainer.start(until ?? stop);
  }

  pause(): void {
    if (this.run === null) return;
    // Bypasses the queue, which may take long; pausing is always safe.
    this.#tellEngine(this.trainer.pause());
  }

  step(): void {
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#runs.ensure();
      await this.trainer.step();
    });
  }

  rewind(): void {
    this.stop = this.stopAgain;
    this.#command(() => this.#runs.rewind());
  }

  /** Makes a new run with the chosen settings; `train` also starts it. */
  restart(train: boolean): void {
    this.stop = this.stopAgain;
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#runs.renew(this.recipe);
      if (train) await this.#train();
    });
  }

  /** Trains another run of the text with `recipe`; the present run becomes an earlier one. */
  tryTwin(recipe: Recipe): void {
    this.#set({ twinError: null });
    // Only a finished twin changes the settings: a live option would change the present run, and
    // after a failure the settings must still be those of the shown run.
    this.#command(async () => {
      try {
        const before = this.named;
        await this.#runs.renew(recipe);
        // Shows the line of the present run for comparison, even if it is of another kind.
        if (before !== null) this.earlier.reveal(before);
      } catch (thrown) {
        this.#set({ twinError: asError(thrown) });
        return;
      }
      // Trains to the end, for comparison.
      await this.trainer.start();
    });
  }

  newSeed(): void {
    const running = this.run?.state === 'running';
    const seed = 1 + Math.floor(Math.random() * 999_999);
    this.#set({ recipe: withChange(this.table, this.recipe, 'seed', seed) });
    this.restart(running);
  }

  /** Adds steps to a finished run. */
  extend(): void {
    // The number of steps may have been set below the current step.
    const done = Math.max(this.run?.steps ?? 0, this.run?.step ?? 0);
    const steps = done + Math.max(1, this.current?.info.steps ?? 0);
    this.#set({ recipe: withChange(this.table, this.recipe, 'steps', steps) });
    this.#command(async () => {
      await this.#runs.extend(steps);
      await this.#train();
    });
  }

  /** Restarts a diverged run at step 0 with a tenth of its learning rate. */
  gentler(): void {
    const rate = Number((valueOf(this.table, this.recipe, 'lr') / 10).toPrecision(6));
    this.#set({ recipe: withChange(this.table, this.recipe, 'lr', rate) });
    this.rewind();
  }

  watch(watch: Watch): void {
    this.lookedAt.watch(watch);
    this.#tellEngine(this.trainer.watch(watch));
  }

  pace(pace: Pace): void {
    this.#tellEngine(this.trainer.pace(pace));
  }

  /** Pauses training briefly, while the page draws something large. */
  rest(): void {
    if (this.run?.state !== 'running') return;
    // A failed pause does no harm.
    this.trainer.rest(REST).catch(() => undefined);
  }

  /** Resolves once a run exists, in the order of commands; rejects if none can be made. */
  whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enqueue(async () => {
        try {
          await this.#runs.any();
          resolve();
        } catch (thrown) {
          reject(asError(thrown));
          throw thrown;
        }
      });
    });
  }

  /** The model of `step`, or of the newest for null, in the engine that disturbs training least. */
  async modelAt(step: number | null, options: VisitOptions): Promise<Model> {
    const { step: newest = 0, state } = this.run ?? {};
    const trains = state === 'running';
    // A model writes one text at a time.
    const isFree = !trains && this.answers.last?.busy !== true;
    if ((step ?? newest) === newest && isFree) return this.trainer;
    if (step === null && (trains || !TRACES)) return this.questions.newest();
    return this.lookedAt.modelAt(step ?? newest, options);
  }

  // ---- The queue --------------------------------------------------------------------------------

  /** Resolves once all commands so far are carried out, or have failed. */
  get settled(): Promise<void> {
    return this.#queue;
  }

  #enqueue(action: () => Promise<void>): void {
    this.#queue = this.#queue.then(action).catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  /** Queues a command, after settings that are still being typed. */
  #command(action: () => Promise<void>): void {
    clearTimeout(this.#typing);
    this.#changed('state');
    this.#enqueue(async () => {
      await this.#refit();
      await action();
      this.#changed('state');
    });
  }

  /** Calls the engine outside the queue; reports a failure. */
  #tellEngine(call: Promise<void>): void {
    call.catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  #fail(thrown: unknown): void {
    this.#set({ error: this.text.explain(thrown) });
  }
}
