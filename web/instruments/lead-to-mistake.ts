/** Leads the reader from a blocked command to the setting or text that must be corrected. */
import { wrongValues } from '../engine/options.ts';
import { placeOf } from '../store/messages.ts';
import type { Session } from '../store/training/session.ts';
import type { PanelContext } from './panel.ts';

/** Goes to the mistake that prevents a new run; returns whether there is a mistake. */
export function leadToMistake(now: Session | null, goTo: PanelContext['goTo']): boolean {
  if (now === null) return false;
  // `wrongValues` finds an invalid value before the engine has checked the recipe.
  const mistake = now.error ?? wrongValues(now.table, now.recipe)[0];
  if (mistake === undefined) return false;
  const { options, text } = placeOf(mistake);
  const [option] = options;
  if (option !== undefined) goTo({ option });
  else if (text) goTo('text');
  return true;
}
