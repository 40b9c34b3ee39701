/**
 * The shown run: its recipe, text and model, and its data. Replaced as a whole when another run
 * begins or an option changes; only `data` changes in place.
 */
import { valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Plan, RunInfo } from '../../engine/trainer.ts';
import type { TokensPerCharacter } from '../../data/loss-data.ts';
import type { HeldText } from '../text/engine-text.ts';
import type { OpenedModel } from './model-files.ts';
import { RunData } from './run-data.ts';
import type { OneRun, TextOrigin } from './run-name.ts';

export interface CurrentRun {
  /** Losses, samples and state of the run. */
  readonly data: RunData;
  /** Recipe of the next step. */
  readonly recipe: Recipe;
  /** Recipe before an option was changed at `step`; null if none was changed. */
  readonly before: { readonly step: number; readonly recipe: Recipe } | null;
  readonly plan: Plan;
  /** The training text; null if the engine had no text. */
  readonly text: HeldText | null;
  /** The opened model whose weights the run began with; null for random weights. */
  readonly model: OpenedModel | null;
  /** The engine's report when the run was made. */
  readonly info: RunInfo;
  /** The first step that can be recomputed; null if none can. */
  readonly firstStep: number | null;
  /** Loss targets per character, in the training and the validation part of the text. */
  readonly tokensPerCharacter: TokensPerCharacter;
}

/**
 * Describes a run that the engine has just made. `known`: data that the engine has already reported
 * of it, or null.
 */
export function newRun(
  info: RunInfo,
  made: Pick<CurrentRun, 'recipe' | 'plan' | 'text' | 'model'>,
  known: RunData | null,
): CurrentRun {
  const data = known?.number === info.run ? known : new RunData(info.run);
  data.step = Math.max(data.step, info.step);
  data.steps = info.steps;
  data.hasValidation = info.hasValidation;
  const { trainTokensPerCharacter: train, validationTokensPerCharacter: validation } = info;
  const tokensPerCharacter = { train, validation };
  return { ...made, data, before: null, info, firstStep: info.step, tokensPerCharacter };
}

/**
 * The run after a rewind to step 0. `number`: its new number in the engine; `known`: as in
 * `newRun`.
 */
export function rewound(run: CurrentRun, number: number, known: RunData | null): CurrentRun {
  const data = known?.number === number ? known : new RunData(number);
  data.steps = run.data.steps;
  data.hasValidation = run.data.hasValidation;
  return { ...run, data, before: null, model: null, firstStep: 0 };
}

/** The run with `recipe` from its next step on; `before` keeps the recipe of the steps made. */
export function changed(run: CurrentRun, name: string, recipe: Recipe): CurrentRun {
  const { step } = run.data;
  run.data.change(name);
  const before = run.before?.step === step ? run.before : { step, recipe: run.recipe };
  return { ...run, before, recipe };
}

/** Recipe of the steps made so far; excludes changes for the next step. */
export function madeRecipe({ data, before, recipe }: CurrentRun): Recipe {
  return before?.step === data.step ? before.recipe : recipe;
}

/** Origin of the unknown training text of a model that only generates. */
const NO_TEXT: TextOrigin = { source: 'own', fileName: '' };

/**
 * Facts that identify a run among others. The text key is empty for a model that only generates,
 * whose training text is unknown.
 */
export function namedBy(run: CurrentRun): OneRun {
  const { text, model } = run;
  const textKey = model?.purpose === 'generate' ? '' : (text?.shownKey ?? '');
  return { recipe: madeRecipe(run), text: text ?? NO_TEXT, textKey };
}

/** The learning rate of a run, before the schedule. */
export function rateOf({ recipe }: CurrentRun, table: OptionTable): number {
  return valueOf(table, recipe, 'lr');
}
