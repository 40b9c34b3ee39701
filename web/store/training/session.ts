/**
 * One sitting with the engine: what is wanted, the run under way, and the commands for it. All that
 * changes the engine goes through one queue, so that no press of a button can overtake another; a
 * RunMaker (run-maker.ts) carries out what is in it. Knows no DOM.
 */
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { checkRecipe, choiceOf, valueOf, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Model, PastModel, VisitOptions } from '../../engine/past-run.ts';
import type {
  KeptMoment,
  Pace,
  Fit,
  Plan,
  Snapshot,
  Trainer,
  Watch,
} from '../../engine/trainer.ts';
import { UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { TokensPerCharacter } from '../../data/loss-data.ts';
import { TRACES } from '../../base/form.ts';
import type { LookingBack } from '../past/looking-back.ts';
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

/** Milliseconds of quiet before what is being typed is taken seriously. */
const TYPING_PAUSE = 200;
/** The same before settings are fitted to it, which readers see change. */
const TYPING_REST = 500;
/** Milliseconds in which a part of the page is made and drawn. */
const REST = 300;

/** Hears what settings suit a text; answers those to apply, or null. */
export type ChooseFit = (fit: Fit) => Recipe | null;

/** What may have changed: only what a run that trains has told, or anything. */
export type Change = 'progress' | 'all';

export class Session implements TrainingState {
  readonly table: OptionTable;
  /** For questions; what changes the engine goes through the queue here. */
  readonly trainer: Trainer;
  readonly models: OpenedModels;
  readonly answers: Answers;
  /** Questions to the model of any step of the shown run. */
  readonly asker: Asker;
  /** Runs that others have taken the place of. */
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
  /** The step that the reader is to see; null for none. */
  stop: number | null = null;
  /** The same for a run that begins at step 0 again. */
  stopAgain: number | null = null;
  /** Saves the run that another is about to take the place of; null where nothing is kept. */
  leave: (() => Promise<void>) | null = null;

  readonly #steps: LookedAtStep;
  readonly #changed: (what: Change) => void;
  readonly #text: EngineText;
  readonly #wanted: Wanted;
  readonly #runs: RunMaker;
  #queue: Promise<void> = Promise.resolve();
  #typing: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** Waits for the text to rest, or for a command. */
  #toFit: ChooseFit | null = null;

  constructor(
    trainer: Trainer,
    table: OptionTable,
    recipe: Recipe,
    listener: (what: Change) => void,
    startSecond: StartSecond | null = null,
    startPast: StartSecond | null = null,
  ) {
    const changed = (): void => {
      listener('all');
    };
    this.trainer = trainer;
    this.table = table;
    this.recipe = recipe;
    this.#changed = listener;
    const start = TRACES ? startPast : null;
    this.#steps = new LookedAtStep({
      trainer,
      start,
      changed,
      current: () => this.current,
      setCurrent: (current) => {
        this.#set({ current });
      },
      onModel: () => {
        this.answers.askAgain();
      },
    });
    this.#text = new EngineText(trainer, changed);
    this.earlier = new EarlierRuns(changed);
    const questions = new Questions(trainer, startSecond, {
      current: () => this.current,
      isAnswering: () => this.answers.last?.busy === true || this.asker.isAsking,
      past: () => this.past,
    });
    this.answers = new Answers({
      questions,
      changed: () => {
        questions.settle();
        changed();
      },
      whenReady: (then) => {
        this.#enqueue(async () => {
          await this.#runs.any().catch(failing(then));
          then(null);
        });
      },
    });
    this.asker = new Asker({
      trainer,
      run: () => this.run,
      modelAt: (step, options) => this.#modelAt(questions, step, options),
      onAnswer: () => {
        questions.settle();
      },
    });
    const wanted = { table, state: this, text: this.#text };
    const set = (change: Partial<TrainingState>): void => {
      this.#set(change);
    };
    const onModel = (): void => {
      this.answers.forget();
    };
    const runs = new RunMaker({
      trainer,
      wanted,
      earlier: this.earlier,
      set,
      onModel,
      leave: async () => this.leave?.(),
      train: () => this.#train(),
    });
    const command = (action: () => Promise<void>): void => {
      this.#command(action);
    };
    const shown = (): { model: Model; step: number } => ({
      model: this.shownModel,
      step: this.shownStep,
    });
    this.models = new OpenedModels({ trainer, wanted, runs, start, set, command, shown });
    this.#wanted = wanted;
    this.#runs = runs;
    trainer.subscribe((snapshot) => {
      this.#take(snapshot);
      questions.settle();
    });
  }

  /** What the shown run has told. */
  get run(): RunData | null {
    return this.current?.data ?? null;
  }

  /** Whether it can be trained; one that only writes cannot. */
  get trains(): boolean {
    return this.current?.info.trains ?? true;
  }

  get tokensPerCharacter(): TokensPerCharacter {
    return this.current?.tokensPerCharacter ?? UNKNOWN_TOKENS;
  }

  /** What its steps were made with; without a run, what is wanted. */
  get madeRecipe(): Recipe {
    return this.current === null ? this.recipe : madeRecipe(this.current);
  }

  /** The only way to write what is read of a session. */
  #set(change: Partial<TrainingState>): void {
    Object.assign(this, change);
    if (change.current !== undefined) this.#steps.follow(change.current);
    this.asker.look();
    this.#changed('all');
  }

  #take(snapshot: Snapshot): void {
    const before = this.#standing();
    if (!this.#runs.take(snapshot)) return;
    const after = this.#standing();
    this.asker.look();
    this.#changed(after !== null && after === before ? 'progress' : 'all');
  }

  /** All that is said of a run that trains but how far it is; null for one that stands still. */
  #standing(): string | null {
    const { run } = this;
    if (run?.state !== 'running') return null;
    return [run.number, run.step > 0, this.pending()].join();
  }

  // ---- Text -------------------------------------------------------------------------------------

  /**
   * Another text to learn. The run under way goes on with the text that it has. `choose` hears what
   * settings suit the text, and answers those to apply, if any; `quiet` waits for a pause in
   * typing.
   */
  setText(text: LoadedText, choose: ChooseFit | null = null, quiet = false): void {
    clearTimeout(this.#resting);
    // What was left out are places of the text before.
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
    const send = this.#text.want(text);
    this.#enqueue(async () => {
      // A newer text is waiting: this one need not be sent at all.
      if (!(await send())) return;
      if (this.model?.why) await this.models.retry(this.model);
      if (!quiet) await this.#fit();
      await this.#runs.replan();
    });
  }

  /** The text could not be had: says why. What was held stays. */
  failText(error: unknown): void {
    this.#set({ error: asError(error), plan: null });
  }

  /** Finds the settings that suit the text, and applies those that `choose` answers. */
  fit(choose: ChooseFit): void {
    this.#command(async () => {
      this.#toFit = choose;
      await this.#refit();
    });
  }

  async #refit(): Promise<void> {
    if (await this.#fit()) await this.#runs.replan();
  }

  /** The same where it is awaited; answers whether the settings are others now. */
  async #fit(): Promise<boolean> {
    // Settings that suit an older text would be wrong: those for the newest one wait until the
    // engine has it.
    if (!this.#text.hasArrived) return false;
    const choose = this.#toFit;
    const { turn } = this.#text;
    // No settings are fitted to an opened model or to a text with nothing to learn.
    const isAble = choose !== null && this.model === null && !this.#text.isUseless;
    const fit = isAble ? await this.trainer.fit().catch(() => null) : null;
    if (this.#toFit === choose) {
      this.#toFit = null;
      clearTimeout(this.#resting);
    }
    // Another text has come meanwhile, and has its own turn.
    if (turn !== this.#text.turn) return false;
    if (choose === null || fit === null) return false;
    const recipe = choose(fit);
    this.#set(recipe === null ? {} : { recipe });
    return recipe !== null;
  }

  // ---- What is wanted ---------------------------------------------------------------------------

  /** Whether the opened model is only to write. */
  get writesOnly(): boolean {
    return writesOnly(this);
  }

  /** The recipe that changes by hand are taken back to in a lesson. */
  giveLesson(recipe: Recipe): void {
    this.#set({ lessonRecipe: recipe });
  }

  /** The recipe of a lesson: what differs from its preset is no change by the reader. */
  giveRecipe(recipe: Recipe, typing: boolean): void {
    const lessonRecipe = lessonRecipeOf(this.table, this, recipe);
    this.#set({ lessonRecipe });
    this.setRecipe(recipe, typing);
  }

  /** Another recipe; `typing` waits for a pause before the engine hears of it. */
  setRecipe(recipe: Recipe, typing: boolean): void {
    // What can be said without the engine is said at once.
    const wrong = checkRecipe(this.table, recipe);
    this.#set(wrong === null ? { recipe } : { recipe, error: wrong, plan: null });
    clearTimeout(this.#typing);
    const replan = (): void => {
      this.#enqueue(() => this.#runs.replan());
    };
    if (typing) this.#typing = setTimeout(replan, TYPING_PAUSE);
    else replan();
  }

  /** Options (and "text") in which what is wanted differs from the run that is under way. */
  pending(): string[] {
    return pendingOptions(this.#wanted);
  }

  /** The same of the model that is shown, also where it has not begun to train. */
  notOfRun(): string[] {
    return notOfRun(this.#wanted);
  }

  /** False for the moment in which it is not known yet which text has come. */
  get knowsText(): boolean {
    return this.#text.isKnown;
  }

  /** Texts that were here, the newest first. */
  get recentTexts(): readonly Blob[] {
    return this.#text.recent;
  }

  /** Whether a new run with what is wanted would begin from chance, although a model was opened. */
  get leavesModel(): boolean {
    return leavesModel(this.#wanted);
  }

  // ---- Earlier runs -----------------------------------------------------------------------------

  /** What the shown run is told apart by. */
  get named(): OneRun | null {
    return this.current === null ? null : namedBy(this.current);
  }

  /** The shown run and those beside it. */
  get compared(): readonly OneRun[] {
    const { named } = this;
    return [...(named === null ? [] : [named]), ...this.earlier.all.filter(({ shown }) => shown)];
  }

  /** Runs of before a reload lie beside the shown one again. */
  restoreEarlier(runs: readonly BesideRun[]): void {
    this.earlier.restore(runs, this.#text.wanted);
  }

  // ---- Commands ---------------------------------------------------------------------------------

  start(): void {
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#runs.ensure();
      await this.#train();
    });
  }

  /** Trains on: up to the step that a lesson names, if that is still to come. */
  #train(): Promise<void> {
    const stop = this.stop !== null && this.stop > (this.run?.step ?? 0) ? this.stop : undefined;
    return this.trainer.start(stop);
  }

  pause(): void {
    // Not through the queue: what waits there may take long, and pausing is always safe.
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

  /** A new run with what is wanted now. */
  restart(train: boolean): void {
    this.stop = this.stopAgain;
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#runs.renew(this.recipe);
      if (train) await this.#train();
    });
  }

  /** Another run of the newest text with this recipe; that of now stays as a line beside it. */
  tryTwin(recipe: Recipe): void {
    this.#set({ twinError: null });
    // The settings have it once it is there: what can change during a run would change the run of
    // now as well, and a twin that cannot be leaves them those of the run that is shown.
    this.#command(async () => {
      try {
        const before = this.named;
        await this.#runs.renew(recipe);
        // In sight, whatever of its kind: the twin is to be held against it.
        if (before !== null) this.earlier.reveal(before);
      } catch (thrown) {
        this.#set({ twinError: asError(thrown) });
        return;
      }
      // To its end, to be held against the other.
      await this.trainer.start();
    });
  }

  newSeed(): void {
    const running = this.run?.state === 'running';
    const seed = 1 + Math.floor(Math.random() * 999_999);
    this.#set({ recipe: withChange(this.table, this.recipe, 'seed', seed) });
    this.restart(running);
  }

  /** More steps for a run that has done all it had. */
  extend(): void {
    // The horizon may have been set to before where the run is.
    const done = Math.max(this.run?.steps ?? 0, this.run?.step ?? 0);
    const steps = done + Math.max(1, this.current?.info.steps ?? 0);
    this.#set({ recipe: withChange(this.table, this.recipe, 'steps', steps) });
    this.#command(async () => {
      await this.#runs.extend(steps);
      await this.#train();
    });
  }

  /** After a diverged run: back to step 0 with a tenth of the learning rate. */
  gentler(): void {
    const rate = Number((valueOf(this.table, this.recipe, 'lr') / 10).toPrecision(6));
    this.#set({ recipe: withChange(this.table, this.recipe, 'lr', rate) });
    this.rewind();
  }

  watch(watch: Watch): void {
    this.#steps.watch(watch);
    this.#tellEngine(this.trainer.watch(watch));
  }

  pace(pace: Pace): void {
    this.#tellEngine(this.trainer.pace(pace));
  }

  /** Leaves the machine to the page for a moment, which has something large to draw. */
  rest(): void {
    if (this.run?.state !== 'running') return;
    // A rest that it does not get makes nothing wrong.
    this.trainer.rest(REST).catch(() => undefined);
  }

  // ---- The past --------------------------------------------------------------------------------

  /** The engine that looks back, with its answers; null before the first request. */
  get past(): LookingBack | null {
    return this.#steps.past;
  }

  /** True if the code that looks back could not be fetched at the last request. */
  get pastIsMissing(): boolean {
    return this.#steps.isMissing;
  }

  /** The first step from which on every one can be looked at; null where none can. */
  get firstStep(): number | null {
    return this.#steps.firstStep;
  }

  /** Restores saved snapshots of the shown run: one can look back to them. */
  restoreSnapshots(snapshots: readonly KeptMoment[]): Promise<void> {
    return this.#steps.restoreSnapshots(snapshots);
  }

  /** Shows this step of the run, or the newest for null. */
  lookAt(step: number | null): void {
    this.#steps.lookAt(step);
  }

  /** The model of any step of the shown run, whichever is looked at. */
  pastModel(step: number, options?: VisitOptions): Promise<PastModel> {
    return this.#steps.modelAt(step, options);
  }

  /** The model of `step`, or of the newest step for null, from whom it disturbs least. */
  async #modelAt(questions: Questions, step: number | null, options: VisitOptions): Promise<Model> {
    const { step: newest = 0, state } = this.run ?? {};
    const trains = state === 'running';
    // A model writes one text at a time.
    const isFree = !trains && this.answers.last?.busy !== true;
    if ((step ?? newest) === newest && isFree) return this.trainer;
    if (step === null && (trains || !TRACES)) return questions.newest();
    return this.pastModel(step ?? newest, options);
  }

  /** The step of `shownModel`. */
  get shownStep(): number {
    return this.#steps.step;
  }

  /** The model of the step that is looked at, or of the newest. */
  get shownModel(): Model {
    return this.#steps.model;
  }

  // ---- The queue --------------------------------------------------------------------------------

  #enqueue(action: () => Promise<void>): void {
    this.#queue = this.#queue.then(action).catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  /** A press of a button: whatever was being typed is taken seriously first. */
  #command(action: () => Promise<void>): void {
    clearTimeout(this.#typing);
    this.#changed('all');
    this.#enqueue(async () => {
      await this.#refit();
      await action();
      this.#changed('all');
    });
  }

  /** What need not wait for its turn. */
  #tellEngine(call: Promise<void>): void {
    call.catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  #fail(thrown: unknown): void {
    this.#set({ error: this.#text.explain(thrown) });
  }
}

/** Tells of a failure, and fails. */
function failing(tell: (thrown: unknown) => void): (thrown: unknown) => never {
  return (thrown) => {
    tell(thrown);
    throw thrown;
  };
}

/** Whether it is known what Start would do, or why it cannot be pressed. */
export function isSettled(session: Session | null): boolean {
  return session !== null && (session.plan !== null || session.error !== null);
}

/** The plan to show: of the run under way, or of what is wanted. */
export function shownPlan(session: Session | null): Plan | null {
  const begun = (session?.run?.step ?? 0) > 0;
  // The figures belong to the curve below them while there is one.
  return (begun ? session?.current?.plan : session?.plan) ?? null;
}

/** What the run that is shown reads as its tokens: 'byte', 'char' or 'bpe'; empty without a run. */
export function shownTokenizer(session: Session | null): string {
  const current = session?.current ?? null;
  return session === null || current === null
    ? ''
    : choiceOf(session.table, current.recipe, 'tokenizer');
}
