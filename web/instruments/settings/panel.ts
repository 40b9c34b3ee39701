/** The preset and every option of model and training. */
import { differingOptions, fitsRecipe, valueOf, wrongValues } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import { Folds } from '../../kit/folds.ts';
import { SettingsForm } from './view.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import type { Session } from '../../store/training/session.ts';
import { givenRecipe, isGivenByFile } from '../../store/training/wanted.ts';
import type { CreatePanel } from '../panel.ts';

/** What differs from what was given; of another preset, that it is another. */
function changesOf({ table, recipe }: Session, given: Recipe): string[] {
  if (recipe.preset !== given.preset) return ['preset'];
  return differingOptions(table, given, recipe);
}

export const createSettings: CreatePanel = (container, { words, actions, session, kept, home }) => {
  /** Null until the engine has said what options there are. */
  let view: SettingsForm | null = null;
  return {
    update: () => {
      const now = session();
      if (now === null) return;
      const { table, recipe, error } = now;
      view ??= new SettingsForm(container, {
        words,
        folds: kept(Folds),
        // Beside a course's own text there is little else.
        unfolded: home === null,
        presets: table.presets,
        fields: table.options,
        fits: (name, value) => fitsRecipe(now.table, now.recipe, name, value),
        onPreset: actions.onPreset,
        onReset: actions.onReset,
        onChange: actions.onOption,
      });
      const given = givenRecipe(now);
      const apart = differingOptions(table, { ...given, changes: {} }, given);
      const errors: Record<string, string> = {};
      // Of an address, several values may be wrong at once.
      for (const wrong of [...wrongValues(table, recipe), ...(error === null ? [] : [error])]) {
        for (const name of placeOf(wrong).options) errors[name] = messageOf(wrong, words);
      }
      view.update({
        preset: recipe.preset,
        values: Object.fromEntries(
          table.options.map(({ name }) => [name, valueOf(table, recipe, name)]),
        ),
        changes: changesOf(now, given),
        apart,
        given: isGivenByFile(now) ? 'model' : apart.length > 0 ? 'lesson' : 'preset',
        errors,
        pending: now.pending(),
      });
    },
    resize: () => view?.resize(),
    destroy: () => view?.destroy(),
    focus: (option) => view?.focus(option),
  };
};
