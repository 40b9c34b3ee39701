/** Makes models from recipes and files, and owns the training text. */
import type { Engine } from './binding/engine.ts';
import type { EngineModel } from './binding/model.ts';
import type { EngineRecipe } from './binding/recipe.ts';
import type { EngineText } from './binding/text.ts';
import { failure } from './errors.ts';
import { openModel } from './model-file.ts';
import type { OpenedFile } from './model-file.ts';
import { pointsOfNote } from './note-points.ts';
import { checkRecipe, findOption, parseOptionTable, wholeRecipe } from './options.ts';
import type { OptionTable, WantedRecipe } from './options.ts';
import { NO_HISTORY, readFit, readPlan } from './run.ts';
import { bytesOf } from './text-bytes.ts';
import type {
  Fit,
  ModelArchitecture,
  ModelFacts,
  ModelFiles,
  Origin,
  Plan,
  RunHistory,
  ValidationPoint,
} from './trainer.ts';
import { Untrained } from './untrained.ts';

/**
 * Limit for resumed runs: the loss curve has an entry per step, so a file that claims a billion
 * steps would need 24 GB.
 */
const MOST_STEPS = 2 ** 24;

/** A new model, owned by the caller, and the history of its run. */
export interface MadeModel {
  readonly model: EngineModel;
  readonly plan: Plan;
  /** Rebuilds the model as it was before step 1; null if the initial weights are unknown. */
  readonly untrained: Untrained | null;
  readonly history?: RunHistory | undefined;
  readonly points?: readonly ValidationPoint[];
}

/** A plan for `text`. `recipe` was made from `wanted`, a WantedRecipe as JSON. */
interface Planned {
  readonly text: EngineText;
  readonly wanted: string;
  readonly recipe: EngineRecipe;
  readonly plan: Plan;
}

export class ModelMaker {
  readonly #engine: () => Promise<Engine>;
  #table: OptionTable | null = null;
  #text: EngineText | null = null;
  /** The last plan of a new model, with the recipe for `make`; null before it and after its use. */
  #planned: Planned | null = null;

  constructor(engine: () => Promise<Engine>) {
    this.#engine = engine;
  }

  /** The training text; null before `setText`. */
  get text(): EngineText | null {
    return this.#text;
  }

  async options(): Promise<OptionTable> {
    const engine = await this.#engine();
    this.#table ??= parseOptionTable(engine.optionsJson());
    return this.#table;
  }

  async setText(text: Uint8Array<ArrayBuffer> | string): Promise<void> {
    const engine = await this.#engine();
    const bytes = bytesOf(text);
    this.forgetText();
    this.#text = engine.text(bytes);
  }

  forgetText(): void {
    this.#forgetPlan();
    this.#text?.free();
    this.#text = null;
  }

  #forgetPlan(): void {
    this.#planned?.recipe.free();
    this.#planned = null;
  }

  async inspect(files: ModelFiles): Promise<ModelFacts> {
    const opened = await this.#open(files);
    try {
      return opened.facts((await this.options()).options.map(({ name }) => name));
    } finally {
      opened.free();
    }
  }

  async plan(recipe: WantedRecipe | null, origin?: Origin): Promise<Plan> {
    if (origin !== undefined) {
      const opened = await this.#open(origin.files, recipe);
      try {
        return readPlan(opened.loader.planJson(origin.purpose, this.#textFor(origin)));
      } finally {
        opened.free();
      }
    }
    const planned = await this.#plan(recipe);
    // Forgotten only now, because another call may have planned during the wait.
    this.#forgetPlan();
    this.#planned = planned;
    return planned.plan;
  }

  async architecture(recipe: WantedRecipe, vocab: number): Promise<ModelArchitecture> {
    const engineRecipe = await this.#recipe(recipe);
    try {
      return JSON.parse(engineRecipe.architectureJson(vocab)) as ModelArchitecture;
    } finally {
      engineRecipe.free();
    }
  }

  async fit(version = 0): Promise<Fit> {
    const { presets } = await this.options();
    const recipe = await this.#recipe({ preset: presets[0]!, changes: {} });
    try {
      return readFit(recipe.fitJson(this.#heldText(), version));
    } finally {
      recipe.free();
    }
  }

  /** Calls `makeRoom` with the plan before the model is allocated. */
  make(
    recipe: WantedRecipe | null,
    origin: Origin | undefined,
    makeRoom: (plan: Plan) => void,
  ): Promise<MadeModel> {
    return origin === undefined
      ? this.#begin(recipe, makeRoom)
      : this.#load(recipe, origin, makeRoom);
  }

  async #begin(wanted: WantedRecipe | null, makeRoom: (plan: Plan) => void): Promise<MadeModel> {
    const last = this.#planned;
    const known = last?.text === this.#text && last.wanted === JSON.stringify(wanted) ? last : null;
    if (known !== null) this.#planned = null;
    // Errors in text or recipe appear here, while the old model still exists.
    const { recipe, plan } = known ?? (await this.#plan(wanted));
    let untrained: Untrained | null = null;
    try {
      const text = this.#heldText();
      makeRoom(plan);
      const model = recipe.train(text);
      untrained = new Untrained(recipe, text);
      return { model, plan, untrained };
    } finally {
      if (untrained === null) recipe.free();
    }
  }

  async #load(
    recipe: WantedRecipe | null,
    origin: Origin,
    makeRoom: (plan: Plan) => void,
  ): Promise<MadeModel> {
    const opened = await this.#open(origin.files, recipe);
    let untrained: Untrained | null = null;
    try {
      // Read once, because `setText` may be called while files are read.
      const text = this.#textFor(origin);
      const plan = readPlan(opened.loader.planJson(origin.purpose, text));
      if (origin.purpose === 'resume' && text !== null) {
        untrained = await this.#untrainedOf(opened, text);
        // `setText` has freed the text meanwhile.
        if (text !== this.#text) throw failure('cancelled', 'the text is another one now');
      }
      const { note, step } = opened.facts([]);
      if (origin.purpose === 'resume' && step > MOST_STEPS) {
        throw failure('range', 'it has taken too many steps', [step, 0, MOST_STEPS], 'step');
      }
      makeRoom(plan);
      opened.loader.begin(origin.purpose, text);
      const model = await opened.finish();
      if (origin.purpose !== 'resume') return { model, plan, untrained };
      const history = origin.silent === true ? NO_HISTORY : origin.history;
      const points = history?.validations ?? pointsOfNote(note, model.get('step'));
      return { model, plan, untrained, history, points };
    } catch (thrown) {
      untrained?.free();
      throw thrown;
    } finally {
      opened.free();
    }
  }

  /**
   * Uses the options at the step of the file: those that may change during a run do not affect the
   * initial weights.
   */
  async #untrainedOf(opened: OpenedFile, text: EngineText): Promise<Untrained> {
    const { presets, options } = await this.options();
    const { values } = opened.facts(options.map(({ name }) => name));
    return new Untrained(await this.#recipe({ preset: presets[0]!, changes: values }), text);
  }

  async #recipe(wanted: WantedRecipe | null): Promise<EngineRecipe> {
    const recipe = wholeRecipe(wanted);
    const engine = await this.#engine();
    const error = checkRecipe(await this.options(), recipe);
    if (error !== null) throw error;
    const made = engine.recipe(recipe.preset);
    try {
      for (const [option, value] of Object.entries(recipe.changes)) made.set(option, value);
      made.leaveOut(recipe.leftOut ?? []);
      made.check();
      return made;
    } catch (thrown) {
      made.free();
      throw thrown;
    }
  }

  /** Plans a new model. The caller frees the recipe. */
  async #plan(wanted: WantedRecipe | null): Promise<Planned> {
    const recipe = await this.#recipe(wanted);
    try {
      const text = this.#heldText();
      const plan = readPlan(recipe.planJson(text));
      return { text, wanted: JSON.stringify(wanted), recipe, plan };
    } catch (thrown) {
      recipe.free();
      throw thrown;
    }
  }

  #heldText(): EngineText {
    if (this.#text === null || this.#text.length === 0) {
      throw failure('empty', 'the text is empty: paste or choose some text to learn from');
    }
    return this.#text;
  }

  #textFor(origin: Origin): EngineText | null {
    return origin.purpose === 'generate' ? null : this.#heldText();
  }

  /** Reads the headers of `files` and applies the changes of `wanted`. */
  async #open(files: ModelFiles, wanted?: WantedRecipe | null): Promise<OpenedFile> {
    const engine = await this.#engine();
    const table = await this.options();
    const changes = wanted?.changes ?? {};
    const error = checkRecipe(table, { preset: wanted?.preset ?? table.presets[0]!, changes });
    if (error !== null) throw error;
    const opened = await openModel(engine, files);
    try {
      for (const [name, value] of Object.entries(changes)) {
        opened.want(findOption(table, name)!, value);
      }
      if (wanted?.leftOut) opened.leaveOut(wanted.leftOut);
      if (wanted) opened.check();
      return opened;
    } catch (thrown) {
      opened.free();
      throw thrown;
    }
  }
}
