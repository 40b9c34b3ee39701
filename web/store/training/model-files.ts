/** Opened model files with their recipes; recognises run files and names saved models. */
import { fileName } from '../../base/file-name.ts';
import { KEPT } from '../../base/form.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { presetValue, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { ModelFacts, ModelFiles, Purpose, SaveForm } from '../../engine/trainer.ts';

/** The files of one model, and the name to show for them. */
export interface ChosenModel {
  readonly name: string;
  readonly files: ModelFiles;
  /** Whether the weights are a file of another program. */
  readonly foreign?: boolean;
}

/** A model that was opened from files. */
export interface OpenedModel extends ChosenModel {
  readonly facts: ModelFacts;
  /** Recipe of the file. */
  readonly recipe: Recipe;
  readonly purpose: Purpose;
  /**
   * Whether the model's run learned the raw bytes of the text file, as all runs did in older
   * versions.
   */
  readonly readsRaw?: boolean;
  /**
   * Why the model cannot resume its run or learn the text; null if it can, or if the reader chose
   * this purpose.
   */
  readonly why: GlasshouseError | null;
}

const RUN = /\.glasshouse$/i;

/** The file if it is a single run file (see run-file.ts); else null. */
export function runAmong([file, more]: readonly File[]): File | null {
  return KEPT && more === undefined && file !== undefined && RUN.test(file.name) ? file : null;
}

/** Facts of a file that determine its recipe. */
type RecipeFacts = Pick<ModelFacts, 'values' | 'leftOut'>;

/** The recipe with these values, as changes to `preset`. */
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

/** The recipe with these values, as changes to the preset with the fewest changes. */
export function recipeOf(table: OptionTable, facts: RecipeFacts): Recipe {
  const recipes = table.presets.map((preset) => recipeFrom(table, preset, facts));
  const size = ({ changes }: Recipe): number => Object.keys(changes).length;
  const nearest = recipes.sort((a, b) => size(a) - size(b))[0];
  return nearest ?? { preset: '', changes: {} };
}

/** File name of a saved model. */
export function saveName(form: SaveForm, run: string, step: number): string {
  return form === 'checkpoint' || form === 'weights'
    ? `${fileName(form, run, step)}.safetensors`
    : form;
}
