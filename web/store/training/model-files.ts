/** Files on their way between the disk and the page, and what they are called. */
import { fileName } from '../../base/file-name.ts';
import { SITE } from '../../base/form.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { presetValue, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { ModelFacts, ModelFiles, Purpose, SaveForm } from '../../engine/trainer.ts';

/** The files of one model, and the name to show for them. */
export interface ChosenModel {
  readonly name: string;
  readonly files: ModelFiles;
  /** The weights are another program's file. */
  readonly foreign?: boolean;
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

const RUN = /\.glasshouse$/i;

/** The one file, if it is a run as the list of runs saves it (see run-file.ts); else null. */
export function runAmong([file, more]: readonly File[]): File | null {
  return SITE && more === undefined && file !== undefined && RUN.test(file.name) ? file : null;
}

/** What a file says of its recipe. */
type RecipeFacts = Pick<ModelFacts, 'values' | 'leftOut'>;

/** The recipe with these values, as changes of a preset. */
export function recipeFrom(
  table: OptionTable,
  preset: string,
  { values, leftOut }: RecipeFacts,
): Recipe {
  let recipe: Recipe = { preset, changes: {}, ...(leftOut.length > 0 ? { leftOut } : {}) };
  for (const option of table.options) {
    const value = values[option.name] ?? presetValue(table, preset, option);
    recipe = withChange(table, recipe, option.name, value);
  }
  return recipe;
}

/** The recipe with these values: the preset that comes nearest, and what differs from it. */
export function recipeOf(table: OptionTable, facts: RecipeFacts): Recipe {
  const recipes = table.presets.map((preset) => recipeFrom(table, preset, facts));
  const size = ({ changes }: Recipe): number => Object.keys(changes).length;
  const nearest = recipes.sort((a, b) => size(a) - size(b))[0];
  return nearest ?? { preset: '', changes: {} };
}

/** The name under which a model is saved. */
export function saveName(form: SaveForm, run: string, step: number): string {
  return form === 'checkpoint' || form === 'weights'
    ? `${fileName(form, run, step)}.safetensors`
    : form;
}
