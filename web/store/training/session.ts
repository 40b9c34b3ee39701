/**
 * One sitting with the engine: the text and recipe that are wanted, the plan for them, the run that
 * is under way. All that changes the engine goes through one queue, so that no press of a button
 * can overtake another. Knows no DOM.
 */
import { asError, failure, ignore } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import {
  checkRecipe,
  choiceOf,
  differingOptions,
  findOption,
  sameRecipe,
  valueOf,
  withChange,
  fullRecipe,
} from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type {
  Fit,
  ModelFacts,
  Origin,
  Plan,
  Purpose,
  RunHistory,
  SampleRequest,
  SampleResult,
  SaveForm,
  Trainer,
  Watch,
} from '../../engine/trainer.ts';
import { recipeFrom, recipeOf } from './model-files.ts';
import type { ChosenModel } from './model-files.ts';
import { EarlierRuns, sameKind } from './earlier-runs.ts';
import type { EarlierRun } from './earlier-runs.ts';
import { RunData } from './run-data.ts';
import type { OneRun, TextOrigin } from './run-name.ts';
import { isBlank, keptText, likenessOf } from '../text/text-source.ts';
import type { KeptText, LoadedText } from '../text/text-source.ts';

/** Plans above this are carried out only when Start is pressed, not while settings are changed. */
const PREPARE_BYTES = 64 * 2 ** 20;
/** Milliseconds of quiet before what is being typed is taken seriously. */
const TYPING_PAUSE = 200;
/** The same before settings are fitted to it, which readers see change. */
const TYPING_REST = 500;

/** Texts are counted from 1. */
const NO_NUMBER = -1;

/** What a model that only writes has learned is not known. */
const NO_TEXT: TextOrigin = { source: 'own', fileName: '' };

/** An answer that is being written, or was. */
export interface Answer {
  readonly prompt: string;
  readonly text: string;
  readonly busy: boolean;
  readonly error: GlasshouseError | null;
  readonly result: Omit<SampleResult, 'text'> | null;
  /** Whether it was written before, for the same request at the same step. */
  readonly again: boolean;
}

/** A model that was opened from files. */
export interface OpenedModel extends ChosenModel {
  readonly facts: ModelFacts;
  /** As the file has it. */
  readonly recipe: Recipe;
  readonly purpose: Purpose;
  /** Whether its run learned the bytes of the text's file, as all did before files were decoded. */
  readonly readsRaw?: boolean;
  /** Why its run cannot go on, or it cannot learn the text; null when it does, or as chosen. */
  readonly why: GlasshouseError | null;
}

/** A run that was saved, with its text. */
export interface SavedRun {
  readonly file: Blob;
  readonly history: RunHistory;
  readonly preset: string;
  /** Another learning rate to go on with. */
  readonly rate?: number | undefined;
  readonly text: LoadedText;
}

/** Hears what settings suit a text; answers those to apply, or null. */
export type ChooseFit = (fit: Fit) => Recipe | null;

/** Milliseconds in which a part of the page is made and drawn. */
const REST = 300;

export class Session {
  readonly table: OptionTable;
  /** For questions; what changes the engine goes through the queue here. */
  readonly trainer: Trainer;
  readonly #changed: () => void;
  #queue: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fitTimer: ReturnType<typeof setTimeout> | undefined;
  /** Waits for the text to rest, or for a command. */
  #toFit: ChooseFit | null = null;
  /** The numbers of the texts that were wanted so far, by their likeness: equal texts have one. */
  readonly #texts = new Map<string, number>();
  #lastText = 0;
  #wantedText = 0;
  /** The opened model that the shown run was begun without; null where there was none. */
  left: OpenedModel | null = null;
  /** Counts every text that was sent, equal or not. */
  #sent = 0;
  #heldText = 0;
  #held: KeptText | null = null;
  /** Whether the engine has the bytes of the file in place of its decoded text. */
  #holdsRaw = false;
  /** Whether the text that was sent last is nothing but blanks. */
  #isBlank = false;
  #runText = 0;
  #answers = 0;
  /** The request that was made last. */
  #asked = '';
  /** The answer that was stopped, perhaps before its writing began. */
  #cancelled = 0;

  recipe: Recipe;
  /** The recipe that a lesson gives; null where there is no lesson. */
  lessonRecipe: Recipe | null = null;
  /** For the text and recipe that are wanted; null while unknown or impossible. */
  plan: Plan | null = null;
  /** Why there is no plan, or why the last command failed. */
  error: GlasshouseError | null = null;
  run: RunData | null = null;
  /** What the shown run was made with. */
  runRecipe: Recipe | null = null;
  /**
   * What it was made with before something was changed in it, as long as it has stood still since.
   */
  #made: { readonly run: RunData; readonly step: number; readonly recipe: Recipe } | null = null;
  runPlan: Plan | null = null;
  /** The text that the shown run learns. */
  runText: KeptText | null = null;
  /** Steps that the run began with: what "train further" adds. */
  extension = 0;
  context = 0;
  /**
   * Targets of the loss over the characters that they stand for, of either part of the run's text.
   */
  tokensPerCharacter = { train: NaN, validation: NaN };
  /** The beginning of what the run that is shown does not train on; see RunInfo. */
  heldOutText = '';
  answer: Answer | null = null;
  /** What the wanted model begins with; null for chance. */
  model: OpenedModel | null = null;
  /** What the shown run began with. */
  #runModel: OpenedModel | null = null;
  #isPreparing = false;
  /**
   * Whether the opened model could learn what is wanted, where a new run would begin without it.
   */
  tunable = false;
  /** Files are being read. */
  opening = false;
  modelError: GlasshouseError | null = null;
  saveError: GlasshouseError | null = null;
  /** Why a twin could not be. */
  twinError: GlasshouseError | null = null;
  /** Merges of the shown run's BPE; 0 for other tokenizers. */
  merges = 0;
  /** Whether the shown run can be trained. */
  trains = true;
  /** Runs that others have taken the place of. */
  readonly earlier = new EarlierRuns();

  constructor(trainer: Trainer, table: OptionTable, recipe: Recipe, changed: () => void) {
    this.trainer = trainer;
    this.table = table;
    this.recipe = recipe;
    this.#changed = changed;
    trainer.subscribe((snapshot) => {
      if (snapshot.run !== this.run?.number) this.run = new RunData(snapshot.run);
      this.run.take(snapshot);
      this.#changed();
    });
  }

  /**
   * Another text to learn. The run under way goes on with the text that it has. `choose` hears what
   * settings suit the text, and answers those to apply, if any; `quiet` waits for a pause in
   * typing.
   */
  setText(text: LoadedText, choose: ChooseFit | null = null, quiet = false): void {
    clearTimeout(this.#fitTimer);
    this.#toFit = choose;
    if (quiet && choose !== null) {
      this.#fitTimer = setTimeout(() => {
        this.#enqueue(() => this.#refit());
      }, TYPING_REST);
    }
    const sent = ++this.#sent;
    const number = this.#numberOf(text);
    this.#wantedText = number;
    this.#enqueue(async () => {
      // A newer text is waiting: this one need not be sent at all.
      if (sent !== this.#sent) return;
      // Of blanks there is nothing to learn: for the engine there is no text then.
      this.#isBlank = isBlank(text);
      await this.#hold(this.#isBlank ? { ...text, bytes: new Uint8Array() } : text, number);
      if (this.model?.why) await this.#retry(this.model);
      if (!quiet) await this.#fit();
      await this.#replan();
    });
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
    clearTimeout(this.#fitTimer);
    // No settings are fitted to an opened model or to blanks.
    if (choose === null || this.model !== null || this.#isBlank) return false;
    const sent = this.#sent;
    const fit = await this.trainer.fit().catch(() => null);
    // Another text has come meanwhile.
    if (fit === null || sent !== this.#sent) return false;
    const recipe = choose(fit);
    if (recipe !== null) this.recipe = recipe;
    this.#changed();
    return recipe !== null;
  }

  /** The number of a text: that of an equal one, if there was one. */
  #numberOf(text: LoadedText): number {
    return this.#numberOfLike(likenessOf(text));
  }

  /** Null is like nothing else. */
  #numberOfLike(likeness: string | null): number {
    if (likeness === null) return ++this.#lastText;
    const number = this.#texts.get(likeness) ?? ++this.#lastText;
    this.#texts.set(likeness, number);
    return number;
  }

  async #hold({ bytes, ...text }: LoadedText, number: number): Promise<void> {
    await this.trainer.setText(bytes);
    const { source, fileName, content, raw } = text;
    this.#heldText = number;
    this.#held = { source, fileName, content, ...(raw === undefined ? {} : { raw }) };
    this.#holdsRaw = false;
  }

  /** Gives the engine the bytes of the file or its decoded text. False if these are the same. */
  async #holdRaw(raw: boolean): Promise<boolean> {
    const held = this.#held;
    if (held?.raw === undefined) return false;
    if (raw === this.#holdsRaw) return true;
    await this.trainer.setText(new Uint8Array(await held.raw.arrayBuffer()));
    this.#held = { ...held, content: held.raw, raw: held.content };
    this.#holdsRaw = raw;
    return true;
  }

  /** The text could not be had: says why. What was held stays. */
  failText(error: unknown): void {
    this.error = asError(error);
    this.plan = null;
    this.#changed();
  }

  /**
   * What changes by hand are taken back to: what the opened model, the lesson or the preset gives.
   */
  get givenRecipe(): Recipe {
    const { preset } = this.recipe;
    const file = this.isGivenByFile ? this.model?.recipe : null;
    return file ?? this.lessonRecipe ?? { preset, changes: {} };
  }

  /** Whether that is the opened model. */
  get isGivenByFile(): boolean {
    return this.model?.recipe.preset === this.recipe.preset;
  }

  /** Whether the opened model is only to write. */
  get writesOnly(): boolean {
    return this.model?.purpose === 'generate';
  }

  /** The recipe that choosing `preset` means. */
  recipeOfPreset(preset: string): Recipe {
    const given = [this.model?.recipe, this.lessonRecipe].find((one) => one?.preset === preset);
    return given ?? { preset, changes: {} };
  }

  /** The recipe of a lesson: what differs from its preset is no change by the reader. */
  giveRecipe(recipe: Recipe, typing: boolean): void {
    const { table } = this;
    const before = this.lessonRecipe;
    this.lessonRecipe =
      before?.preset !== recipe.preset
        ? recipe
        : differingOptions(table, this.recipe, recipe).reduce(
            (given, name) => withChange(table, given, name, valueOf(table, recipe, name)),
            before,
          );
    this.setRecipe(recipe, typing);
  }

  /** Another recipe; `typing` waits for a pause before the engine hears of it. */
  setRecipe(recipe: Recipe, typing: boolean): void {
    this.recipe = recipe;
    // What can be said without the engine is said at once.
    const wrong = checkRecipe(this.table, recipe);
    if (wrong !== null) {
      this.error = wrong;
      this.plan = null;
    }
    this.#changed();
    clearTimeout(this.#timer);
    const replan = (): void => {
      this.#enqueue(() => this.#replan());
    };
    if (typing) this.#timer = setTimeout(replan, TYPING_PAUSE);
    else replan();
  }

  /** Options (and "text") in which what is wanted differs from the run that is under way. */
  pending(): string[] {
    const { run, runRecipe } = this;
    const fixed = this.#fixedPending();
    if (run?.state !== 'finished' || runRecipe === null) return fixed;
    // A run that is over takes up nothing more, unless it is given more steps.
    const live = differingOptions(this.table, runRecipe, this.recipe).filter(
      (name) => name !== 'steps' && !fixed.includes(name),
    );
    return [...fixed, ...live];
  }

  /** Of these, what even a run that goes on cannot take up. */
  #fixedPending(): string[] {
    return this.run?.step === 0 ? [] : this.notOfRun();
  }

  /** The same of the model that is shown, also where it has not begun to train. */
  notOfRun(): string[] {
    const { run, runRecipe } = this;
    if (run === null || runRecipe === null) return [];
    const names = differingOptions(this.table, runRecipe, this.recipe);
    // Steps that are made already cannot be taken out of a run.
    const isBehind = (name: string): boolean =>
      name === 'steps' && valueOf(this.table, this.recipe, name) < run.step;
    const fixed = names.filter(
      (name) => findOption(this.table, name)?.live !== true || isBehind(name),
    );
    const sameText = this.#runText === this.#wantedText || this.#runModel?.purpose === 'generate';
    return sameText ? fixed : ['text', ...fixed];
  }

  // ---- Models from files ------------------------------------------------------------------------

  /** Opens a model. If that fails, nothing changes. `then` hears what the files say. */
  openModel(choose: () => Promise<ChosenModel>, then: (model: OpenedModel) => void): void {
    this.#file(async () => {
      const { name, files } = await choose();
      const facts = await this.trainer.inspect(files);
      const recipe = recipeOf(this.table, facts.values);
      const model = await this.#suit({ name, files, facts, recipe, purpose: 'train', why: null });
      await this.#prepare(recipe, model);
      then(model);
    });
  }

  /** Goes on with a saved run, as if it had never stopped. Answers its number, or why it cannot. */
  resume({ file, history, preset, rate, text }: SavedRun): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#command(async () => {
        const before = { text: this.#held, held: this.#heldText, wanted: this.#wantedText };
        try {
          const files = { weights: file };
          const { values } = await this.trainer.inspect(files);
          const wanted = rate === undefined ? values : { ...values, lr: rate };
          this.#sent += 1;
          this.#wantedText = this.#numberOf(text);
          this.#isBlank = false;
          await this.#hold(text, this.#wantedText);
          const recipe = this.table.presets.includes(preset)
            ? recipeFrom(this.table, preset, wanted)
            : recipeOf(this.table, wanted);
          await this.#prepare(recipe, null, { files, purpose: 'resume', history });
          resolve(this.run?.number ?? -1);
        } catch (thrown) {
          // The page shows the text of before, and the next run learns it.
          const isHeld = this.#heldText !== before.held;
          if (isHeld && before.text !== null)
            await this.#hold(await keptText(before.text), before.held);
          this.#wantedText = before.wanted;
          reject(asError(thrown));
        }
      });
    });
  }

  /** Forgets the error of a model once something else is opened. */
  forgetFailure(): void {
    this.modelError = null;
  }

  /** Another use of the opened model; if that fails, nothing changes. */
  setPurpose(purpose: Purpose): void {
    this.#file(async () => {
      if (this.model === null) return;
      const recipe = purpose === 'resume' ? this.model.recipe : this.recipe;
      await this.#prepare(recipe, { ...this.model, purpose, why: null });
    });
  }

  /** A new model instead of the opened one. */
  closeModel(): void {
    this.#file(() => this.#prepare(this.recipe, null));
  }

  /** The model as a file, for `take`, with the run at the step that it is of. */
  save(form: SaveForm, note: string, take: (file: Blob, run: RunData) => void): void {
    this.saveError = null;
    this.#command(async () => {
      try {
        if (this.run === null) await this.#ensureRun();
        const file = await this.trainer.save(form, note);
        if (this.run !== null) take(file, this.run);
      } catch (thrown) {
        this.saveError = asError(thrown);
      }
    });
  }

  #file(action: () => Promise<void>): void {
    this.opening = true;
    this.modelError = null;
    this.#command(async () => {
      try {
        await action();
      } catch (thrown) {
        this.modelError = asError(thrown);
      } finally {
        this.opening = false;
      }
    });
  }

  /** The model for the best use that text and memory allow: only writing is always possible. */
  async #suit(model: OpenedModel): Promise<OpenedModel> {
    const purpose = model.facts.resumable ? 'resume' : 'train';
    const plan = (): Promise<Plan> =>
      this.trainer.plan(model.recipe, { files: model.files, purpose });
    try {
      await plan();
      return { ...model, purpose, readsRaw: false, why: null };
    } catch (thrown) {
      const why = asError(thrown);
      if (why.code === 'text-differs' && (await this.#holdRaw(true))) {
        const readsRaw = await plan().then(
          () => true,
          () => false,
        );
        if (readsRaw) return { ...model, purpose, readsRaw, why: null };
        await this.#holdRaw(false);
      }
      return { ...model, purpose: 'generate', readsRaw: false, why };
    }
  }

  /** With another text, the opened model may do what it could not do before. */
  async #retry(model: OpenedModel): Promise<void> {
    try {
      const suited = await this.#suit(model);
      if (suited.purpose === 'generate') this.model = suited;
      else await this.#prepare(model.recipe, suited);
    } catch (thrown) {
      // What it lacked is here, and yet it cannot: what was said before is not the reason any more.
      this.model = { ...model, purpose: 'generate', why: asError(thrown) };
    }
  }

  /** Whether a new run with what is wanted would begin from chance, although a model was opened. */
  get leavesModel(): boolean {
    return this.model !== null && this.model.purpose !== 'train' && this.pending().length > 0;
  }

  /** The opened model learns what is wanted, from its own weights on. */
  tune(): void {
    this.#file(async () => {
      if (this.model === null) return;
      await this.#prepare(this.recipe, { ...this.model, purpose: 'train', why: null });
      await this.trainer.start();
    });
  }

  async #isTunable(): Promise<boolean> {
    const { model } = this;
    if (!this.leavesModel || model === null) return false;
    const origin = { files: model.files, purpose: 'train' } as const;
    return this.trainer.plan(this.#told(this.recipe, origin), origin).then(
      () => true,
      () => false,
    );
  }

  /** What a plan begins with: changes that end the run of a file begin a model from chance. */
  #origin(): Origin | undefined {
    const { model } = this;
    if (model === null || this.leavesModel) return undefined;
    return { files: model.files, purpose: model.purpose };
  }

  // ---- Earlier runs -----------------------------------------------------------------------------

  /** What the shown run is named by. */
  get named(): OneRun | null {
    const { madeRecipe: recipe } = this;
    if (recipe === null) return null;
    const text = this.runText ?? NO_TEXT;
    // What a model that only writes has learned from is not known: no curve here is of its text.
    const textNumber = this.#runModel?.purpose === 'generate' ? NO_NUMBER : this.#runText;
    return { recipe, text, textNumber };
  }

  /** The shown run and those beside it. */
  get compared(): readonly OneRun[] {
    const { named } = this;
    return [...(named === null ? [] : [named]), ...this.earlier.all.filter(({ shown }) => shown)];
  }

  /**
   * By which a text of this number is known in later sittings; null for those that are not
   * compared.
   */
  likeness(textNumber: number): string | null {
    return [...this.#texts].find(([, number]) => number === textNumber)?.[0] ?? null;
  }

  /**
   * Runs of an earlier sitting lie beside the shown one again. Their texts get numbers of this one.
   */
  restoreEarlier(
    runs: readonly (EarlierRun & {
      readonly likeness: string | null;
      /** Of the text of the run that they lay beside. */
      readonly beside: string | null;
    })[],
  ): void {
    const numbers = new Map<number, number>();
    this.earlier.restore(
      runs.map(({ likeness, beside, ...run }) => {
        const number = numbers.get(run.textNumber) ?? this.#numberOfLike(likeness);
        numbers.set(run.textNumber, number);
        // Beside another text than the page opens with, they would lie beside nothing of their
        // kind.
        const besides = [number, beside === null ? null : this.#numberOfLike(beside)];
        const shown = run.shown && besides.includes(this.#wantedText);
        return {
          ...run,
          textNumber: number,
          shown,
          aside: run.aside === true || shown !== run.shown,
        };
      }),
    );
    this.#changed();
  }

  showEarlier(id: number, shown: boolean): void {
    this.earlier.show(id, shown);
    this.#changed();
  }

  removeEarlier(id: number): void {
    this.earlier.remove(id);
    this.#changed();
  }

  /**
   * Puts the run of now among the earlier ones when it is called: it may have been replaced by
   * then.
   */
  #keeper(): () => void {
    const { run, tokensPerCharacter, named } = this;
    return () => {
      if (run === null || named === null) return;
      this.earlier.keep(run, { ...named, tokensPerCharacter });
      if (run.step > 0) run.attentions.clear();
    };
  }

  // ---- Commands ---------------------------------------------------------------------------------

  start(): void {
    this.forgetFailure();
    this.#command(async () => {
      await this.#ensureRun();
      await this.trainer.start();
    });
  }

  pause(): void {
    // Not through the queue: what waits there may take long, and pausing is always safe.
    this.trainer.pause().catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  step(): void {
    this.forgetFailure();
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

  /** A new run with what is wanted now. */
  restart(train: boolean): void {
    this.forgetFailure();
    this.#command(async () => {
      await this.#renew(this.recipe);
      if (train) await this.trainer.start();
    });
  }

  async #renew(recipe: Recipe): Promise<void> {
    const opened = this.model ?? this.left;
    const model = this.model?.purpose === 'train' ? this.model : null;
    await this.#prepare(recipe, model);
    if (model === null) this.left = opened;
  }

  /** The run of now once more with one setting changed; what it was stays as a line beside it. */
  tryTwin(option: string, value: number): void {
    const recipe = withChange(this.table, this.madeRecipe ?? this.recipe, option, value);
    this.twinError = null;
    // The settings have it once it is there: what can change during a run would change the run of
    // now as well, and a twin that cannot be leaves them those of the run that is shown.
    this.#command(async () => {
      try {
        const before = this.named;
        await this.#renew(recipe);
        // In sight, whatever of its kind: the twin is to be held against it.
        if (before !== null) this.earlier.reveal(before);
      } catch (thrown) {
        this.twinError = asError(thrown);
        return;
      }
      await this.trainer.start();
    });
  }

  newSeed(): void {
    const running = this.run?.state === 'running';
    const seed = 1 + Math.floor(Math.random() * 999_999);
    this.recipe = withChange(this.table, this.recipe, 'seed', seed);
    this.restart(running);
  }

  /** More steps for a run that has done all it had. */
  extend(): void {
    // The horizon may have been set to before where the run is.
    const done = Math.max(this.run?.steps ?? 0, this.run?.step ?? 0);
    const steps = done + Math.max(1, this.extension);
    this.recipe = withChange(this.table, this.recipe, 'steps', steps);
    this.#command(async () => {
      await this.#replan();
      // With other wishes for a new run, the old one goes on as it was.
      if (this.#fixedPending().length === 0) await this.#tellRun();
      else await this.#tell('steps', steps);
      await this.trainer.start();
    });
  }

  /** After a diverged run: back to step 0 with a tenth of the learning rate. */
  gentler(): void {
    const rate = Number((valueOf(this.table, this.recipe, 'lr') / 10).toPrecision(6));
    this.recipe = withChange(this.table, this.recipe, 'lr', rate);
    this.#command(async () => {
      await this.#rewind();
      await this.#replan();
    });
  }

  watch(watch: Watch): void {
    this.trainer.watch(watch).catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  /** Leaves the machine to the page for a moment, which has something large to draw. */
  rest(): void {
    if (this.run?.state !== 'running') return;
    // A rest that it does not get makes nothing wrong.
    this.trainer.rest(REST).catch(() => undefined);
  }

  pace(stepsPerSecond: number): void {
    this.trainer.pace(stepsPerSecond).catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  /** Writes one text; a newer request takes the place of an older one. */
  ask(request: SampleRequest): void {
    const ticket = ++this.#answers;
    const { prompt } = request;
    const asked = JSON.stringify(request);
    const before = asked === this.#asked ? this.answer : null;
    this.#asked = asked;
    const show = (answer: Partial<Answer>): void => {
      if (ticket !== this.#answers) return;
      const blank = { prompt, text: '', busy: true, error: null, result: null, again: false };
      this.answer = { ...blank, ...answer };
      this.#changed();
    };
    const write = async (): Promise<void> => {
      try {
        if (this.#cancelled === ticket) {
          const nothing = { step: 0, tokens: 0, ended: false, full: false, refills: 0 };
          show({ busy: false, result: { ...nothing, limitReached: false, cancelled: true } });
          return;
        }
        const result = await this.trainer.sample(request, (text) => {
          show({ text });
        });
        const again = before?.result?.step === result.step && before.text === result.text;
        show({ text: result.text, busy: false, result, again });
      } catch (thrown) {
        show({ busy: false, error: asError(thrown) });
      }
    };
    show({});
    this.#enqueue(async () => {
      try {
        if (this.run === null) await this.#ensureRun();
      } catch (thrown) {
        show({ busy: false, error: asError(thrown) });
        throw thrown;
      }
      // Outside the queue: buttons must not wait until a long text is written.
      void write();
    });
  }

  cancelAnswer(): void {
    this.#cancelled = this.#answers;
    this.trainer.cancelSample().catch(ignore);
  }

  // ---- The queue --------------------------------------------------------------------------------

  #enqueue(action: () => Promise<void>): void {
    this.#queue = this.#queue.then(action).catch((thrown: unknown) => {
      this.#fail(thrown);
    });
  }

  /** A press of a button: whatever was being typed is taken seriously first. */
  #command(action: () => Promise<void>): void {
    clearTimeout(this.#timer);
    this.#changed();
    this.#enqueue(async () => {
      await this.#refit();
      await action();
      this.#changed();
    });
  }

  #fail(thrown: unknown): void {
    const error = asError(thrown);
    const isBlankText = error.code === 'empty' && this.#isBlank;
    this.error = isBlankText ? failure('blank', 'the text is nothing but blanks') : error;
    this.#changed();
  }

  /**
   * Plans what is wanted, tells a run under way what may change in it, prepares a run not begun.
   */
  async #replan(): Promise<void> {
    try {
      const origin = this.#origin();
      this.plan = await this.trainer.plan(this.#told(this.recipe, origin), origin);
      this.error = null;
      this.tunable = await this.#isTunable();
      // From here on Start can be pressed: what it needs waits in the same queue.
      this.#changed();
    } catch (thrown) {
      this.plan = null;
      this.#fail(thrown);
      return;
    }
    const begun = this.run !== null && this.run.step > 0;
    // A run that goes on beside other wishes stays what it was started as.
    if (begun) {
      if (this.pending().length === 0) await this.#tellRun();
    } else if (this.plan.totalBytes <= PREPARE_BYTES && this.#isStale()) {
      await this.#prepare();
    }
    this.#changed();
  }

  /** Hands on the changes that a run under way can take. */
  async #tellRun(): Promise<void> {
    const { runRecipe } = this;
    if (runRecipe === null) return;
    for (const name of differingOptions(this.table, runRecipe, this.recipe)) {
      if (findOption(this.table, name)?.live !== true) continue;
      await this.#tell(name, valueOf(this.table, this.recipe, name));
    }
  }

  async #tell(name: string, value: number): Promise<void> {
    const { run, runRecipe } = this;
    await this.trainer.set(name, value);
    if (run === null || runRecipe === null) return;
    // Until a step is made with it, the run is what it was.
    if (this.#made?.step !== run.step || this.#made.run !== run) {
      this.#made = { run, step: run.step, recipe: runRecipe };
    }
    run.change(name);
    this.runRecipe = withChange(this.table, runRecipe, name, value);
  }

  /** What the shown run began with, where that was opened from files; null for chance. */
  get runModel(): OpenedModel | null {
    return this.#runModel;
  }

  /**
   * A run is being prepared: it may be heard of before its recipe, its text and its model are known
   * here.
   */
  get isPreparing(): boolean {
    return this.#isPreparing;
  }

  /**
   * What the steps of the shown run were made with: what was changed since the last one is not in
   * it.
   */
  get madeRecipe(): Recipe | null {
    const { run, runRecipe } = this;
    const made = this.#made;
    return made !== null && made.run === run && made.step === run.step ? made.recipe : runRecipe;
  }

  async #rewind(): Promise<void> {
    // Weights from a file are read again.
    if (this.#runModel?.purpose === 'train') {
      await this.#prepare(this.recipe, this.#runModel);
      return;
    }
    this.#keeper()();
    await this.trainer.rewind();
    // The run that a file went on with is now one that began here.
    this.model = null;
    this.#runModel = null;
    // Its snapshot may still be on the way; until then, nothing is known of the run begun anew.
    if (this.run !== null && this.run.step > 0) this.run = new RunData(-1);
  }

  /**
   * Curves that the new run is not to be compared with; `before` is the run whose place it took.
   */
  #layAside(before: OneRun | null, resumedAt: number | null): void {
    const { named } = this;
    if (named === null) return;
    this.earlier.follow(named.recipe);
    if (resumedAt !== null) this.earlier.resume(named, resumedAt, this.table);
    // What the reader chose to see stays as it is while runs of one kind follow each other.
    if (before !== null && sameKind(before, named, this.table)) return;
    this.earlier.begin(named, this.table);
  }

  #isStale(): boolean {
    const { run, runRecipe } = this;
    const same = runRecipe !== null && sameRecipe(runRecipe, this.recipe);
    const sameModel = this.model === this.#runModel;
    const sameText = this.#runText === this.#heldText || this.writesOnly;
    return run === null || !same || !sameText || !sameModel;
  }

  /** The run to go on with: the one under way, or else a fresh one of what is wanted. */
  async #ensureRun(): Promise<void> {
    const begun = this.run !== null && this.run.step > 0;
    if (begun) await this.#replanQuietly();
    else if (this.#isStale() || this.error !== null) await this.#prepare();
  }

  /** What is wanted may be impossible, but the run under way can still go on. */
  async #replanQuietly(): Promise<void> {
    await this.#replan();
    if (this.pending().length === 0 && this.error !== null) throw this.error;
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
  ): Promise<void> {
    await this.#holdRaw(model?.readsRaw === true && model.purpose === 'resume');
    const text = this.#heldText;
    const keep = this.#keeper();
    const kind = this.named;
    const wanted = this.recipe;
    const held = this.#held;
    const told = this.#told(recipe, origin);
    const plan = await this.trainer.plan(told, origin);
    this.#isPreparing = true;
    const info = await this.trainer
      .prepare(told, origin)
      .catch((thrown: unknown) => {
        // The old model was freed to make room: say that no model is left.
        if (asError(thrown).dropped) {
          this.run = null;
          this.runRecipe = null;
          this.runPlan = null;
        }
        throw thrown;
      })
      .finally(() => {
        this.#isPreparing = false;
      });
    keep();
    this.left = null;
    this.error = null;
    // It was about the model that there was.
    this.saveError = null;
    this.twinError = null;
    this.plan = plan;
    // What was typed meanwhile is wanted still.
    if (this.recipe === wanted) this.recipe = recipe;
    this.runRecipe = recipe;
    this.runPlan = plan;
    this.model = model;
    this.#runModel = model;
    this.#runText = text;
    this.runText = held;
    this.extension = info.steps;
    this.context = info.context;
    this.merges = info.merges;
    this.trains = info.trains;
    if (this.run?.number !== info.run) this.run = new RunData(info.run);
    this.run.step = Math.max(this.run.step, info.step);
    this.run.steps = info.steps;
    this.tokensPerCharacter = {
      train: info.trainTokensPerCharacter,
      validation: info.validationTokensPerCharacter,
    };
    this.run.hasValidation = info.hasValidation;
    this.heldOutText = info.heldOutText;
    this.#layAside(kind, origin?.purpose === 'resume' ? info.step : null);
    this.answer = null;
    this.#changed();
  }
}

function originOf(model: OpenedModel | null): Origin | undefined {
  return model === null ? undefined : { files: model.files, purpose: model.purpose };
}

/** Whether it is known what Start would do, or why it cannot be pressed. */
export function isSettled(session: Session | null): boolean {
  return session !== null && (session.plan !== null || session.error !== null);
}

/** The plan to show: of the run under way, or of what is wanted. */
export function shownPlan(session: Session | null): Plan | null {
  const begun = (session?.run?.step ?? 0) > 0;
  // The figures belong to the curve below them while there is one.
  return (begun ? session?.runPlan : session?.plan) ?? null;
}

/** What the run that is shown reads as its tokens: 'byte', 'char' or 'bpe'; empty without a run. */
export function shownTokenizer(session: Session | null): string {
  if (session === null || session.runRecipe === null) return '';
  return choiceOf(session.table, session.runRecipe, 'tokenizer');
}
