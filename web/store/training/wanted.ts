/** What is wanted for the next run, and how it differs from the run that is shown. */
import {
  LEFT_OUT,
  differingOptions,
  findOption,
  valueOf,
  withChange,
} from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Purpose } from '../../engine/trainer.ts';
import type { EngineText } from '../text/engine-text.ts';
import type { TrainingState } from './training-state.ts';

export interface Wanted {
  readonly table: OptionTable;
  readonly state: TrainingState;
  readonly text: EngineText;
}

/** Whether the recipe that changes by hand are taken back to is that of the opened model. */
export function isGivenByFile({ model, recipe }: TrainingState): boolean {
  return model?.recipe.preset === recipe.preset;
}

/**
 * What changes by hand are taken back to: what the opened model, the lesson or the preset gives.
 */
export function givenRecipe(state: TrainingState): Recipe {
  const { preset } = state.recipe;
  const file = isGivenByFile(state) ? state.model?.recipe : null;
  return file ?? state.lessonRecipe ?? { preset, changes: {} };
}

/** The recipe that choosing `preset` means. */
export function recipeOfPreset({ model, lessonRecipe }: TrainingState, preset: string): Recipe {
  const given = [model?.recipe, lessonRecipe].find((one) => one?.preset === preset);
  return given ?? { preset, changes: {} };
}

/** What a lesson gives once its recipe is `recipe`, which is no change by the reader. */
export function lessonRecipeOf(table: OptionTable, state: TrainingState, recipe: Recipe): Recipe {
  const before = state.lessonRecipe;
  if (before?.preset !== recipe.preset) return recipe;
  return differingOptions(table, state.recipe, recipe)
    .filter((name) => name !== LEFT_OUT)
    .reduce((given, name) => withChange(table, given, name, valueOf(table, recipe, name)), before);
}

/** Whether the opened model is only to write. */
export function writesOnly({ model }: TrainingState): boolean {
  return model?.purpose === 'generate';
}

/** Options (and "text") that the shown model cannot take up, also if it has not begun to train. */
export function notOfRun({ table, state, text }: Wanted): string[] {
  const { current, recipe } = state;
  if (current === null) return [];
  // Steps that are made already cannot be taken out of a run.
  const isBehind = (name: string): boolean =>
    name === 'steps' && valueOf(table, recipe, name) < current.data.step;
  const fixed = differingOptions(table, current.recipe, recipe).filter(
    (name) => findOption(table, name)?.live !== true || isBehind(name),
  );
  return text.isWanted(current.text) || current.model?.purpose === 'generate'
    ? fixed
    : ['text', ...fixed];
}

/** Of these, what even a run that goes on cannot take up: one that has not begun is made anew. */
export function fixedPending(wanted: Wanted): string[] {
  return wanted.state.current?.data.step === 0 ? [] : notOfRun(wanted);
}

/** Options (and "text") in which what is wanted differs from the run that is under way. */
export function pendingOptions(wanted: Wanted): string[] {
  const { current, recipe } = wanted.state;
  const fixed = fixedPending(wanted);
  if (current?.data.state !== 'finished') return fixed;
  // A run that is over takes up nothing more, unless it is given more steps.
  const live = differingOptions(wanted.table, current.recipe, recipe).filter(
    (name) => name !== 'steps' && !fixed.includes(name),
  );
  return [...fixed, ...live];
}

/** Whether a model learns from step 0 on: a new run that begins with the weights of its file. */
export function learnsAnew({ purpose }: { readonly purpose: Purpose }): boolean {
  return purpose === 'train' || purpose === 'fork';
}

/** Whether a new run with what is wanted would begin from chance, although a model was opened. */
export function leavesModel(wanted: Wanted): boolean {
  const { model } = wanted.state;
  return model !== null && !learnsAnew(model) && pendingOptions(wanted).length > 0;
}
