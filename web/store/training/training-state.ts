/** State of training: chosen settings, plan, current run. Only the session writes it. */
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Recipe } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { CurrentRun } from './current-run.ts';
import type { OpenedModel } from './model-files.ts';

export interface TrainingState {
  /** Recipe chosen for the next run; the current run adopts live changes. */
  readonly recipe: Recipe;
  /** Recipe of the lesson; null without a lesson. */
  readonly lessonRecipe: Recipe | null;
  /** Plan of the chosen text and recipe; null while unknown or impossible. */
  readonly plan: Plan | null;
  /** Why there is no plan, or why the last command failed. */
  readonly error: GlasshouseError | null;
  /** The shown run; null before the first, and if its model was freed for lack of memory. */
  readonly current: CurrentRun | null;
  /** The opened model that the next run begins with; null for random weights. */
  readonly model: OpenedModel | null;
  /** The opened model that the shown run began without; null if no model was open. */
  readonly left: OpenedModel | null;
  /**
   * Whether a new run would drop the opened model, although it could train with the chosen
   * settings.
   */
  readonly tunable: boolean;
  /** Whether files are being read. */
  readonly opening: boolean;
  readonly modelError: GlasshouseError | null;
  readonly saveError: GlasshouseError | null;
  /** Why the last twin could not be made; null if it could. */
  readonly twinError: GlasshouseError | null;
}
