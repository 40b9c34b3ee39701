/** What is wanted, planned and under way. Only the session writes it; everything reads it. */
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Recipe } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { CurrentRun } from './current-run.ts';
import type { OpenedModel } from './model-files.ts';

export interface TrainingState {
  /** Wanted for the next run; a run under way takes up what may change in it. */
  readonly recipe: Recipe;
  /** The recipe that a lesson gives; null without a lesson. */
  readonly lessonRecipe: Recipe | null;
  /** For the text and recipe that are wanted; null while unknown or impossible. */
  readonly plan: Plan | null;
  /** Why there is no plan, or why the last command failed. */
  readonly error: GlasshouseError | null;
  /** The run that is shown; null before the first, and if its model had to make room. */
  readonly current: CurrentRun | null;
  /** What the wanted model begins with; null for chance. */
  readonly model: OpenedModel | null;
  /** The opened model that the shown run was begun without; null if there was none. */
  readonly left: OpenedModel | null;
  /** Whether the opened model could learn what is wanted, if a new run would begin without it. */
  readonly tunable: boolean;
  /** Files are being read. */
  readonly opening: boolean;
  readonly modelError: GlasshouseError | null;
  readonly saveError: GlasshouseError | null;
  /** Why a twin could not be. */
  readonly twinError: GlasshouseError | null;
}
