/** The shown run and the run that it is judged against, if both can be trained again unchanged. */
import { rangesText } from '../../engine/left-out.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import { compared } from '../../store/training/compared-runs.ts';
import type { ComparedRuns } from '../../store/training/compared-runs.ts';
import type { Session } from '../../store/training/session.ts';
import { measuredOf, verdictOf } from '../../store/training/twin-verdict.ts';
import type { Pair } from './seeds.ts';

/** Null where one is not at its end, was changed on the way, or began with an opened model. */
export function settingPair(
  now: Session,
  { rows, step }: ComparedRuns,
  { unit: wanted, smoothing }: LossChoice,
): Pair | null {
  const { current, madeRecipe } = now;
  const other = now.earlier.all.filter((one) => one.shown).at(-1);
  const [ours, theirs] = [rows[0], rows.at(-1)];
  if (current === null || current.text === null || current.model !== null) return null;
  if (other === undefined || ours === undefined || theirs === undefined) return null;
  const runs = [current.data, other.run];
  const areWhole = runs.every((run) => run.history.length === step && run.changed.length === 0);
  if (current.data.state !== 'finished' || !areWhole) return null;
  // One that has not read some lines is held against the other by these lines.
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
