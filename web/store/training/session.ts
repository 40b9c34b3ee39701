/**
 * One sitting with the engine: the text and recipe that are wanted, the plan for them, the run that
 * is under way. All that changes the engine goes through one queue, so that no press of a button
 * can overtake another. Knows no DOM.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import {
  checkRecipe,
  choiceOf,
  differingOptions,
  findOption,
  fullRecipe,
  sameRecipe,
  valueOf,
  withChange,
} from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Fit, Origin, Plan, Snapshot, Trainer, Watch } from '../../engine/trainer.ts';
import { UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { TokensPerCharacter } from '../../data/loss-data.ts';
import { Questions } from '../questions.ts';
import type { StartSecond } from '../questions.ts';
import { EngineText } from '../text/engine-text.ts';
import type { LoadedText } from '../text/text-source.ts';
import { Answers } from './answers.ts';
import { changed, madeRecipe, namedBy, newRun, rewound } from './current-run.ts';
import type { CurrentRun } from './current-run.ts';
import { EarlierRuns } from './earlier-runs.ts';
import type { BesideRun } from './earlier-runs.ts';
import type { OpenedModel } from './model-files.ts';
import { OpenedModels } from './opened-models.ts';
import { RunData } from './run-data.ts';
import type { OneRun } from './run-name.ts';
import type { TrainingState } from './training-state.ts';
import { fixedPending, lessonRecipeOf, notOfRun, pendingOptions } from './wanted.ts';
import type { Wanted } from './wanted.ts';

/** Plans above this are carried out only when Start is pressed, not while settings are changed. */
const PREPARE_BYTES = 64 * 2 ** 20;
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

  readonly #changed: (what: Change) => void;
  readonly #text: EngineText;
  #queue: Promise<void> = Promise.resolve();
  #typing: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** Waits for the text to rest, or for a command. */
  #toFit: ChooseFit | null = null;
  /** A run that the engine tells of before the call that makes it has answered. */
  #coming: RunData | null = null;

  constructor(
    trainer: Trainer,
    table: OptionTable,
    recipe: Recipe,
    listener: (what: Change) => void,
    startSecond: StartSecond | null = null,
  ) {
    const changed = (): void => {
      listener('all');
    };
    this.trainer = trainer;
    this.table = table;
    this.recipe = recipe;
    this.#changed = listener;
    this.#text = new EngineText(trainer, changed);
    this.earlier = new EarlierRuns(changed);
    this.models = new OpenedModels({
      ...{ trainer, table, text: this.#text, state: () => this },
      set: (change) => {
        this.#set(change);
      },
      command: (action) => {
        this.#command(action);
      },
      prepare: (wanted, model, origin) => this.#prepare(wanted, model, origin),
      anyRun: async () => {
        if (this.run === null) await this.#ensureRun();
        return this.run;
      },
    });
    this.answers = new Answers({
      questions: new Questions(trainer, startSecond, () => this.current),
      changed,
      whenReady: (then) => {
        this.#enqueue(async () => {
          if (this.run === null) await this.#ensureRun().catch(failing(then));
          then(null);
        });
      },
    });
    trainer.subscribe((snapshot) => {
      this.#take(snapshot);
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
    this.#changed('all');
  }

  #take(snapshot: Snapshot): void {
    const now = this.run;
    const before = this.#standing();
    // A run that another has taken the place of.
    if (now !== null && snapshot.run < now.number) return;
    if (snapshot.run === now?.number) now.take(snapshot);
    else {
      if (this.#coming?.number !== snapshot.run) this.#coming = new RunData(snapshot.run);
      this.#coming.take(snapshot);
    }
    const after = this.#standing();
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
      await this.#replan();
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
    if (await this.#fit()) await this.#replan();
  }

  /** The same where it is awaited; answers whether the settings are others now. */
  async #fit(): Promise<boolean> {
    const choose = this.#toFit;
    this.#toFit = null;
    clearTimeout(this.#resting);
    // No settings are fitted to an opened model or to blanks.
    if (choose === null || this.model !== null || this.#text.isBlank) return false;
    const { turn } = this.#text;
    const fit = await this.trainer.fit().catch(() => null);
    // Another text has come meanwhile.
    if (fit === null || turn !== this.#text.turn) return false;
    const recipe = choose(fit);
    this.#set(recipe === null ? {} : { recipe });
    return recipe !== null;
  }

  // ---- What is wanted ---------------------------------------------------------------------------

  /** Whether the opened model is only to write. */
  get writesOnly(): boolean {
    return this.model?.purpose === 'generate';
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
      this.#enqueue(() => this.#replan());
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

  get #wanted(): Wanted {
    return { table: this.table, state: this, text: this.#text };
  }

  /** False for the moment in which it is not known yet which text has come. */
  get knowsText(): boolean {
    return this.#text.isKnown;
  }

  /** Whether a new run with what is wanted would begin from chance, although a model was opened. */
  get leavesModel(): boolean {
    return this.model !== null && this.model.purpose !== 'train' && this.pending().length > 0;
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

  #layBeside(run: CurrentRun): void {
    const { data, tokensPerCharacter } = run;
    this.earlier.keep(data, { ...namedBy(run), tokensPerCharacter });
    if (data.step > 0) data.attentions.clear();
  }

  // ---- Commands ---------------------------------------------------------------------------------

  start(): void {
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#ensureRun();
      await this.trainer.start();
    });
  }

  pause(): void {
    // Not through the queue: what waits there may take long, and pausing is always safe.
    this.#tellEngine(this.trainer.pause());
  }

  step(): void {
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#ensureRun();
      await this.trainer.step();
    });
  }

  rewind(): void {
    this.#command(async () => {
      await this.#rewind();
      // Changes that waited for a new run can be taken up now.
      if (this.#isStale()) await this.#replan();
    });
  }

  async #rewind(): Promise<void> {
    const { current } = this;
    if (current === null) return;
    // Weights from a file are read again.
    if (current.model?.purpose === 'train') {
      await this.#prepare(this.recipe, current.model);
      return;
    }
    this.#layBeside(current);
    const number = await this.trainer.rewind();
    // The run that a file went on with is now one that began here.
    this.#set({ model: null, current: rewound(current, number, this.#coming) });
    this.#coming = null;
  }

  /** A new run with what is wanted now. */
  restart(train: boolean): void {
    this.models.forgetFailure();
    this.#command(async () => {
      await this.#renew(this.recipe);
      if (train) await this.trainer.start();
    });
  }

  async #renew(recipe: Recipe): Promise<void> {
    const opened = this.model ?? this.left;
    const model = this.model?.purpose === 'train' ? this.model : null;
    await this.#prepare(recipe, model);
    if (model === null) this.#set({ left: opened });
  }

  /** The run of now once more with one setting changed; what it was stays as a line beside it. */
  tryTwin(option: string, value: number): void {
    const recipe = withChange(this.table, this.madeRecipe, option, value);
    this.#set({ twinError: null });
    // The settings have it once it is there: what can change during a run would change the run of
    // now as well, and a twin that cannot be leaves them those of the run that is shown.
    this.#command(async () => {
      try {
        const before = this.named;
        await this.#renew(recipe);
        // In sight, whatever of its kind: the twin is to be held against it.
        if (before !== null) this.earlier.reveal(before);
      } catch (thrown) {
        this.#set({ twinError: asError(thrown) });
        return;
      }
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
      await this.#replan();
      // With other wishes for a new run, the old one goes on as it was.
      if (fixedPending(this.#wanted).length === 0) await this.#tellRun();
      else await this.#tell('steps', steps);
      await this.trainer.start();
    });
  }

  /** After a diverged run: back to step 0 with a tenth of the learning rate. */
  gentler(): void {
    const rate = Number((valueOf(this.table, this.recipe, 'lr') / 10).toPrecision(6));
    this.#set({ recipe: withChange(this.table, this.recipe, 'lr', rate) });
    this.#command(async () => {
      await this.#rewind();
      await this.#replan();
    });
  }

  watch(watch: Watch): void {
    this.#tellEngine(this.trainer.watch(watch));
  }

  pace(stepsPerSecond: number): void {
    this.#tellEngine(this.trainer.pace(stepsPerSecond));
  }

  /** Leaves the machine to the page for a moment, which has something large to draw. */
  rest(): void {
    if (this.run?.state !== 'running') return;
    // A rest that it does not get makes nothing wrong.
    this.trainer.rest(REST).catch(() => undefined);
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
    const error = asError(thrown);
    const isBlankText = error.code === 'empty' && this.#text.isBlank;
    const blank = (): GlasshouseError => failure('blank', 'the text is nothing but blanks');
    this.#set({ error: isBlankText ? blank() : error });
  }

  // ---- Plans and runs ---------------------------------------------------------------------------

  /**
   * Plans what is wanted, tells a run under way what may change in it, prepares a run not begun.
   */
  async #replan(): Promise<void> {
    try {
      // Changes that end the run of a file begin a model from chance.
      const origin = this.leavesModel ? undefined : originOf(this.model);
      const plan = await this.trainer.plan(this.#told(this.recipe, origin), origin);
      const tunable = await this.#isTunable();
      // From here on Start can be pressed: what it needs waits in the same queue.
      this.#set({ plan, error: null, tunable });
    } catch (thrown) {
      this.#set({ plan: null });
      this.#fail(thrown);
      return;
    }
    const isSmall = this.plan !== null && this.plan.totalBytes <= PREPARE_BYTES;
    // A run that goes on beside other wishes stays what it was started as.
    if ((this.run?.step ?? 0) > 0) {
      if (this.pending().length === 0) await this.#tellRun();
    } else if (isSmall && this.#isStale()) {
      await this.#prepare();
    }
    this.#changed('all');
  }

  async #isTunable(): Promise<boolean> {
    const { model } = this;
    return this.leavesModel && model !== null && this.models.canLearn(model, this.recipe);
  }

  /** Hands on the changes that a run under way can take. */
  async #tellRun(): Promise<void> {
    const { current } = this;
    if (current === null) return;
    for (const name of differingOptions(this.table, current.recipe, this.recipe)) {
      if (findOption(this.table, name)?.live !== true) continue;
      await this.#tell(name, valueOf(this.table, this.recipe, name));
    }
  }

  async #tell(name: string, value: number): Promise<void> {
    await this.trainer.set(name, value);
    const { current, table } = this;
    if (current === null) return;
    this.#set({ current: changed(current, name, withChange(table, current.recipe, name, value)) });
  }

  #isStale(): boolean {
    const { current } = this;
    if (current === null || !sameRecipe(current.recipe, this.recipe)) return true;
    const sameText = current.text?.shownKey === this.#text.held?.shownKey || this.writesOnly;
    return !sameText || this.model !== current.model;
  }

  /** The run to go on with: the one under way, or else a fresh one of what is wanted. */
  async #ensureRun(): Promise<void> {
    if ((this.run?.step ?? 0) > 0) {
      await this.#replan();
      // What is wanted may be impossible, but the run under way can still go on.
      if (this.pending().length === 0 && this.error !== null) throw this.error;
    } else if (this.#isStale() || this.error !== null) await this.#prepare();
  }

  /** What the engine is told: with a file, what is not said would be as in the file. */
  #told(recipe: Recipe, origin: Origin | undefined): Recipe {
    return origin === undefined ? recipe : fullRecipe(this.table, recipe);
  }

  /** A run with `recipe` and what `model` has; all stays as it was when that fails. */
  async #prepare(
    recipe = this.recipe,
    model = this.model,
    origin: Origin | undefined = originOf(model),
  ): Promise<CurrentRun> {
    await this.#text.holdRaw(model?.readsRaw === true && model.purpose === 'resume');
    const text = this.#text.held;
    const { recipe: wanted, named: before } = this;
    const told = this.#told(recipe, origin);
    const plan = await this.trainer.plan(told, origin);
    const info = await this.trainer.prepare(told, origin).catch((thrown: unknown) => {
      // The old model was freed to make room: say that no model is left.
      if (asError(thrown).dropped) this.#set({ current: null });
      throw thrown;
    });
    if (this.current !== null) this.#layBeside(this.current);
    const current = newRun(info, { recipe, plan, text, model }, this.#coming);
    this.#coming = null;
    const resumedAt = origin?.purpose === 'resume' ? info.step : null;
    this.earlier.layAside(namedBy(current), before, resumedAt, this.table);
    this.answers.forget();
    this.#set({
      ...{ current, plan, model, left: null, error: null },
      // What was typed meanwhile is wanted still.
      recipe: this.recipe === wanted ? recipe : this.recipe,
      // They were about the model that there was.
      ...{ saveError: null, twinError: null },
    });
    return current;
  }
}

function originOf(model: OpenedModel | null): Origin | undefined {
  return model === null ? undefined : { files: model.files, purpose: model.purpose };
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
