/** The way from a press that cannot be answered to where that is mended. */
import { wrongValues } from '../engine/options.ts';
import { placeOf } from '../store/messages.ts';
import type { Session } from '../store/training/session.ts';
import type { PanelContext } from './panel.ts';

/** Goes to where what stands in the way of a new run is mended; tells whether anything does. */
export function leadToMistake(now: Session | null, goTo: PanelContext['goTo']): boolean {
  if (now === null) return false;
  // What was just typed is marked at its field before the engine has said a word about it.
  const mistake = now.error ?? wrongValues(now.table, now.recipe)[0];
  if (mistake === undefined) return false;
  const { options, text } = placeOf(mistake);
  const [option] = options;
  if (option !== undefined) goTo({ option });
  else if (text) goTo('text');
  return true;
}
