/** The shown run and the run that it is compared with, if both can be trained again unchanged. */
import { rangesText } from '../../engine/left-out.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import type { AllWords } from '../../i18n/index.ts';
import { compared, comparedRuns } from '../../store/training/compared-runs.ts';
import type { Session } from '../../store/training/session.ts';
import type { GivenNames } from '../../store/training/shown-name.ts';
import { measuredOf, verdictOf } from '../../store/training/twin-verdict.ts';
import type { Pair } from './seeds.ts';

/**
 * The pair of runs; null if a run is unfinished or was changed on the way, if one began with an
 * opened model, or if the runs leave out different lines.
 */
export function settingPair(
  now: Session,
  given: GivenNames,
  { unit: wanted, smoothing }: LossChoice,
  words: AllWords,
): Pair | null {
  const { current, madeRecipe } = now;
  const other = now.earlier.all.filter((one) => one.shown).at(-1);
  if (current === null || current.text === null || current.model !== null) return null;
  if (other === undefined || other.isOpened || current.data.state !== 'finished') return null;
  const { rows, step } = comparedRuns(now, given, smoothing, words);
  const [ours, theirs] = [rows[0], rows.at(-1)];
  if (ours === undefined || theirs === undefined) return null;
  const runs = [current.data, other.run];
  const areWhole = runs.every((run) => run.history.length === step && run.changed.length === 0);
  if (!areWhole) return null;
  // LeftOutPart compares runs that leave out different lines, by their losses on these lines.
  if (rangesText(madeRecipe.leftOut ?? []) !== rangesText(other.recipe.leftOut ?? [])) return null;
  const found = verdictOf([ours, theirs], step, wanted);
  if (found === null) return null;
  const { measure, unit, step: validated } = found;
  return {
    text: current.text,
    recipes: [madeRecipe, other.recipe],
    unit,
    names: [ours.apart, theirs.apart],
    values: [measuredOf(ours, measure, unit), measuredOf(theirs, measure, unit)],
    measure: ({ data, info }) => {
      const tokens = {
        train: info.trainTokensPerCharacter,
        validation: info.validationTokensPerCharacter,
      };
      const at = { step, validated, smoothing };
      return Promise.resolve(measuredOf(compared(data, tokens, at), measure, unit));
    },
  };
}
