/** Settings chosen for the next run, and their differences from the shown run. */
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

/** Whether reset restores the recipe of the opened model. */
export function isGivenByFile({ model, recipe }: TrainingState): boolean {
  return model?.recipe.preset === recipe.preset;
}

/** The recipe that reset restores: of the opened model, the lesson or the preset. */
export function givenRecipe(state: TrainingState): Recipe {
  const { preset } = state.recipe;
  const file = isGivenByFile(state) ? state.model?.recipe : null;
  return file ?? state.lessonRecipe ?? { preset, changes: {} };
}

/** The recipe set by choosing `preset`. */
export function recipeOfPreset({ model, lessonRecipe }: TrainingState, preset: string): Recipe {
  const given = [model?.recipe, lessonRecipe].find((one) => one?.preset === preset);
  return given ?? { preset, changes: {} };
}

/** The lesson's recipe after the lesson has set `recipe`, which is no change by the reader. */
export function lessonRecipeOf(table: OptionTable, state: TrainingState, recipe: Recipe): Recipe {
  const before = state.lessonRecipe;
  if (before?.preset !== recipe.preset) return recipe;
  return differingOptions(table, state.recipe, recipe)
    .filter((name) => name !== LEFT_OUT)
    .reduce((given, name) => withChange(table, given, name, valueOf(table, recipe, name)), before);
}

/** Whether the opened model only generates. */
export function writesOnly({ model }: TrainingState): boolean {
  return model?.purpose === 'generate';
}

/** Options (and "text") that the shown model cannot adopt, even before it has trained. */
export function notOfRun({ table, state, text }: Wanted): string[] {
  const { current, recipe } = state;
  if (current === null) return [];
  // Steps already made cannot be removed from a run.
  const isBehind = (name: string): boolean =>
    name === 'steps' && valueOf(table, recipe, name) < current.data.step;
  const fixed = differingOptions(table, current.recipe, recipe).filter(
    (name) => findOption(table, name)?.live !== true || isBehind(name),
  );
  return text.isWanted(current.text) || current.model?.purpose === 'generate'
    ? fixed
    : ['text', ...fixed];
}

/**
 * Pending changes that need a new run. Empty before step 1, because such a run is simply rebuilt.
 */
export function fixedPending(wanted: Wanted): string[] {
  return wanted.state.current?.data.step === 0 ? [] : notOfRun(wanted);
}

/** Options (and "text") whose changes need another run than the current one. */
export function pendingOptions(wanted: Wanted): string[] {
  const { current, recipe } = wanted.state;
  const fixed = fixedPending(wanted);
  if (current?.data.state !== 'finished') return fixed;
  // A finished run adopts no change except further steps.
  const live = differingOptions(wanted.table, current.recipe, recipe).filter(
    (name) => name !== 'steps' && !fixed.includes(name),
  );
  return [...fixed, ...live];
}

/** Whether the model begins a new run at step 0, with the weights of its file. */
export function learnsAnew({ purpose }: { readonly purpose: Purpose }): boolean {
  return purpose === 'train' || purpose === 'fork';
}

/** Whether a new run would begin with random weights although a model was opened. */
export function leavesModel(wanted: Wanted): boolean {
  const { model } = wanted.state;
  return model !== null && !learnsAnew(model) && pendingOptions(wanted).length > 0;
}
