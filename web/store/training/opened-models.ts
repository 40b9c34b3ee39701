/** Opens models and runs from files, and saves the shown model to a file. */
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Model } from '../../engine/past-run.ts';
import type {
  FileSource,
  ModelFiles,
  Plan,
  Purpose,
  RunHistory,
  SaveForm,
  Trainer,
} from '../../engine/trainer.ts';
import type { StartSecond } from '../questions.ts';
import type { LoadedText } from '../text/text-source.ts';
import type { CurrentRun } from './current-run.ts';
import { recipeFrom, recipeOf } from './model-files.ts';
import type { ChosenModel, OpenedModel } from './model-files.ts';
import type { RunData } from './run-data.ts';
import type { RunMaker } from './run-maker.ts';
import type { TrainingState } from './training-state.ts';
import type { Wanted } from './wanted.ts';

/** A saved run and its text. */
export interface SavedRun {
  readonly file: Blob;
  readonly history: RunHistory;
  readonly preset: string;
  /** New values of options that may change during a run. */
  readonly changes?: Readonly<Record<string, number>> | undefined;
  readonly text: LoadedText;
}

/** A checkpoint from which a run on another text begins; `name` is shown as its origin. */
export interface Forked extends Pick<SavedRun, 'file' | 'preset' | 'changes'> {
  readonly name: string;
}

/** Parts of the session that opened models use. */
export interface ModelDependencies {
  readonly trainer: Trainer;
  readonly wanted: Wanted;
  readonly runs: RunMaker;
  /** Starts an engine that reads formats of other programs; null in forms without them. */
  readonly start: StartSecond | null;
  readonly set: (change: Partial<TrainingState>) => void;
  /** The shown model and its step. */
  readonly shown: () => { readonly model: Model; readonly step: number };
  /** Runs `action` after all earlier commands. */
  readonly command: (action: () => Promise<void>) => void;
}

export class OpenedModels {
  readonly #dependencies: ModelDependencies;

  constructor(dependencies: ModelDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens a model and calls `then` with its facts. A failure sets `modelError` and keeps the shown
   * run, unless its model was freed (RunMaker.prepare).
   */
  open(choose: () => Promise<ChosenModel>, then: (model: OpenedModel) => void): void {
    const { trainer, wanted, runs } = this.#dependencies;
    this.#file(async () => {
      const { name, foreign = false, files: chosen } = await choose();
      const files = foreign ? await this.#translated(chosen) : chosen;
      const facts = await trainer.inspect(files);
      const recipe = recipeOf(wanted.table, facts);
      const model = await this.#suit({ name, files, facts, recipe, purpose: 'train', why: null });
      await runs.prepare(recipe, model);
      then(model);
    });
  }

  /** Resumes a saved run. Returns the run, or rejects if it cannot be resumed. */
  resume({ file, history, preset, changes, text }: SavedRun): Promise<CurrentRun> {
    const { trainer, wanted, runs, command } = this.#dependencies;
    const { table, text: ours } = wanted;
    return new Promise((resolve, reject) => {
      command(async () => {
        const before = ours.state;
        try {
          const files = { weights: file };
          const { values, leftOut } = await trainer.inspect(files);
          const saved = { values: { ...values, ...changes }, leftOut };
          await ours.take(text);
          const recipe = table.presets.includes(preset)
            ? recipeFrom(table, preset, saved)
            : recipeOf(table, saved);
          const current = await runs.prepare(recipe, null, { files, purpose: 'resume', history });
          // Recorded as changes, because a run that begins with these values has another curve.
          for (const [name, value] of Object.entries(changes ?? {})) {
            if (!Object.is(value, values[name])) current.data.change(name);
          }
          resolve(current);
        } catch (thrown) {
          await ours.restore(before).finally(() => {
            reject(asError(thrown));
          });
        }
      });
    });
  }

  /**
   * Begins a new run with the weights of a checkpoint and the newest text. `name` is shown as the
   * origin. Resolves when the run is ready.
   */
  fork({ name, file, preset, changes }: Forked): Promise<void> {
    const { trainer, wanted, runs, command } = this.#dependencies;
    return new Promise((resolve, reject) => {
      command(async () => {
        try {
          const files = { weights: file };
          const facts = await trainer.inspect(files);
          const values = { ...facts.values, ...changes };
          const recipe = recipeFrom(wanted.table, preset, { values, leftOut: [] });
          await runs.prepare(recipe, { name, files, facts, recipe, purpose: 'fork', why: null });
          resolve();
        } catch (thrown) {
          reject(asError(thrown));
        }
      });
    });
  }

  /** Reports that the model opened before a reload is gone. */
  miss(why: GlasshouseError): void {
    this.#dependencies.set({ modelError: why });
  }

  /** Clears the error of a model when something else is opened. */
  forgetFailure(): void {
    this.#dependencies.set({ modelError: null });
  }

  /** Changes the purpose of the opened model. A failure has the effect described at `open`. */
  setPurpose(purpose: Purpose): void {
    const { wanted, runs } = this.#dependencies;
    this.#file(async () => {
      const { model, recipe } = wanted.state;
      if (model === null) return;
      const used = { ...model, purpose, why: null };
      await runs.prepare(purpose === 'resume' ? model.recipe : recipe, used);
    });
  }

  /** Trains the opened model, from its weights on, with the chosen settings and text. */
  tune(): void {
    const { trainer, wanted, runs } = this.#dependencies;
    this.#file(async () => {
      const { model, recipe } = wanted.state;
      if (model === null) return;
      await runs.prepare(recipe, { ...model, purpose: 'train', why: null });
      await trainer.start();
    });
  }

  /** Closes the opened model; a new run with random weights replaces it. */
  close(): void {
    const { wanted, runs } = this.#dependencies;
    this.#file(async () => {
      await runs.prepare(wanted.state.recipe, null);
    });
  }

  /** Saves the shown model; calls `take` with the file, its run and its step. */
  save(form: SaveForm, note: string, take: (file: Blob, run: RunData, step: number) => void): void {
    const { shown, runs, set, command } = this.#dependencies;
    set({ saveError: null });
    command(async () => {
      try {
        const run = await runs.any();
        const { model, step } = shown();
        const file = await model.save(form, note);
        if (run !== null) take(file, run, step);
      } catch (thrown) {
        set({ saveError: asError(thrown) });
      }
    });
  }

  /** After a change of text, tries again to resume or train the opened model. */
  async retry(model: OpenedModel): Promise<void> {
    const { set, runs } = this.#dependencies;
    try {
      const suited = await this.#suit(model);
      if (suited.purpose === 'generate') set({ model: suited });
      else await runs.prepare(model.recipe, suited);
    } catch (thrown) {
      // The missing text is here, but the model still cannot train: replaces the reason.
      set({ model: { ...model, purpose: 'generate', why: asError(thrown) } });
    }
  }

  /** Converts a file of another program. Separate files take precedence over data inside it. */
  async #translated(files: ModelFiles): Promise<ModelFiles> {
    const made = await translated(files.weights, this.#dependencies.start);
    const { config, vocab, merges, added } = files;
    return {
      ...made,
      config: config ?? made.config ?? null,
      vocab: vocab ?? made.vocab ?? null,
      merges: merges ?? made.merges ?? null,
      added: added ?? made.added ?? null,
    };
  }

  #file(action: () => Promise<void>): void {
    const { set, command } = this.#dependencies;
    set({ opening: true, modelError: null });
    command(async () => {
      try {
        await action();
      } catch (thrown) {
        set({ modelError: asError(thrown) });
      } finally {
        set({ opening: false });
      }
    });
  }

  /** Chooses the best purpose that text and memory permit; generating is always possible. */
  async #suit(model: OpenedModel): Promise<OpenedModel> {
    const { trainer, wanted } = this.#dependencies;
    const { text } = wanted;
    const purpose = model.facts.resumable ? 'resume' : 'train';
    const plan = (): Promise<Plan> => trainer.plan(model.recipe, { files: model.files, purpose });
    try {
      await plan();
      return { ...model, purpose, readsRaw: false, why: null };
    } catch (thrown) {
      const why = asError(thrown);
      if (why.code === 'text-differs' && (await text.holdRaw(true))) {
        if (await succeeds(plan())) return { ...model, purpose, readsRaw: true, why: null };
        await text.holdRaw(false);
      }
      return { ...model, purpose: 'generate', readsRaw: false, why };
    }
  }
}

function succeeds(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}

/** Converts a file of another program to the files of a model. */
async function translated(file: FileSource, start: StartSecond | null): Promise<ModelFiles> {
  const second = await start?.();
  if (second === undefined) throw failure('questions', 'this form opens no such files');
  try {
    return await second.trainer.translate(file);
  } finally {
    second.trainer.close();
  }
}
