/**
 * The run that is shown: what it was made with, and what it has told since. Replaced as a whole
 * when another run takes its place or something is changed in it; only `data` grows by itself.
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
  /** Its losses, samples and state. */
  readonly data: RunData;
  /** What its next step is made with. */
  readonly recipe: Recipe;
  /** What it was made with before something was changed at `step`; null if nothing was. */
  readonly before: { readonly step: number; readonly recipe: Recipe } | null;
  readonly plan: Plan;
  /** The text that it learns; null if the engine had none. */
  readonly text: HeldText | null;
  /** What it began with, if that was opened from files; null for chance. */
  readonly model: OpenedModel | null;
  /** What the engine said of it when it was made. */
  readonly info: RunInfo;
  /** The first step that can be come back to; null for none. */
  readonly firstStep: number | null;
  /** Targets of the loss over the characters that they stand for, of either part of its text. */
  readonly tokensPerCharacter: TokensPerCharacter;
}

/** What goes into a run that the engine has just made; `known` if it has told of it already. */
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

/** The same run from its first step on, which the engine counts as `number`. */
export function rewound(run: CurrentRun, number: number, known: RunData | null): CurrentRun {
  const data = known?.number === number ? known : new RunData(number);
  data.steps = run.data.steps;
  data.hasValidation = run.data.hasValidation;
  return { ...run, data, before: null, model: null, firstStep: 0 };
}

/** The run with `recipe` from its next step on; what its steps were made with stays known. */
export function changed(run: CurrentRun, name: string, recipe: Recipe): CurrentRun {
  const { step } = run.data;
  run.data.change(name);
  const before = run.before?.step === step ? run.before : { step, recipe: run.recipe };
  return { ...run, before, recipe };
}

/** What the steps of the run were made with: a change since the last one is not in it. */
export function madeRecipe({ data, before, recipe }: CurrentRun): Recipe {
  return before?.step === data.step ? before.recipe : recipe;
}

/** What a model that only writes has learned is not known. */
const NO_TEXT: TextOrigin = { source: 'own', fileName: '' };

/** What a run is told apart by. No curve is of the text of a model that only writes. */
export function namedBy(run: CurrentRun): OneRun {
  const { text, model } = run;
  const textKey = model?.purpose === 'generate' ? '' : (text?.shownKey ?? '');
  return { recipe: madeRecipe(run), text: text ?? NO_TEXT, textKey };
}

/** The learning rate of a run, before the schedule. */
export function rateOf({ recipe }: CurrentRun, table: OptionTable): number {
  return valueOf(table, recipe, 'lr');
}
