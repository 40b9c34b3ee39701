/** The shown run and the run that it is judged against, if both can be trained again unchanged. */
import { rangesText } from '../../engine/left-out.ts';
import { valueOf } from '../../engine/options.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import { compared } from '../../store/training/compared-runs.ts';
import type { ComparedRuns } from '../../store/training/compared-runs.ts';
import type { Session } from '../../store/training/session.ts';
import { measuredOf, verdictOf } from '../../store/training/twin-verdict.ts';
import type { Pair, Two } from './again.ts';

/** Null where one is not at its end, was changed on the way, or began with an opened model. */
export function settingPair(
  now: Session,
  { rows, step }: ComparedRuns,
  { unit: wanted, smoothing }: LossChoice,
): Pair | null {
  const { current, named, table, madeRecipe } = now;
  const other = now.earlier.all.filter((one) => one.shown).at(-1);
  const judged = [rows[0], rows.at(-1)];
  if (current === null || current.text === null || named === null || other === undefined)
    return null;
  // One that has not read some lines is held against the other by these lines.
  if (rangesText(madeRecipe.leftOut ?? []) !== rangesText(other.recipe.leftOut ?? [])) return null;
  const runs = [current.data, other.run];
  const areWhole = runs.every((run) => run.history.length === step && run.changed.length === 0);
  if (current.data.state !== 'finished' || !areWhole || current.model !== null) return null;
  const [ours, theirs] = judged;
  const found = ours && theirs ? verdictOf([ours, theirs], step, wanted) : null;
  if (ours === undefined || theirs === undefined || found === null) return null;
  const { measure, unit, step: validated } = found;
  const recipes: Two<typeof madeRecipe> = [madeRecipe, other.recipe];
  return {
    key: JSON.stringify([named.textKey, recipes]),
    text: current.text,
    ...{ recipes, unit },
    names: [ours.apart, theirs.apart],
    seed: valueOf(table, madeRecipe, 'seed'),
    steps: current.data.steps,
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
