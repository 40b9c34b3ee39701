/** Reports that a text is too short for the chosen validation share, as the engine splits it. */
import { valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { Words } from '../../i18n/index.ts';
import { shownPlan } from './shown-plan.ts';
import type { Session } from './session.ts';

/** A plan and the settings it was made for. */
export interface Planned {
  readonly plan: Plan;
  readonly table: OptionTable;
  readonly recipe: Recipe;
}

/** Whether nothing is held out despite a validation share, because the text is too short. */
export function isUnheld({ plan, table, recipe }: Planned): boolean {
  const share = valueOf(table, recipe, 'validation');
  // While a share is typed, the plan is still that of the previous share.
  const fits = Math.floor(plan.documents * share) > 0;
  return plan.tokens > 0 && !plan.hasValidation && share > 0 && !fits;
}

/** The smallest share, in hundredths, that holds out one of `lines` lines. */
function leastShare(lines: number): number {
  return Math.ceil(100 / lines) / 100;
}

/** Why nothing is held out despite a validation share, and a remedy; empty if the share is met. */
export function unheldText(planned: Planned, { t }: Words): string {
  if (!isUnheld(planned)) return '';
  const { plan, table, recipe } = planned;
  const share = valueOf(table, recipe, 'validation');
  const lines = plan.documents;
  if (lines === 1) return t('text.unheld.line');
  if (lines > 1) return t('text.unheld.lines', { share, lines, least: leastShare(lines) });
  const tokens = Math.floor(plan.tokens * share);
  return t('text.unheld', { tokens, context: valueOf(table, recipe, 'context') });
}

/** `unheldText` for the shown run, or else for the chosen settings. */
export function unheldShown(session: Session | null, words: Words): string {
  const plan = shownPlan(session);
  if (session === null || plan === null) return '';
  const { table, recipe: wanted, plan: next, current } = session;
  const recipe = plan === next ? wanted : (current?.recipe ?? wanted);
  return unheldText({ plan, table, recipe }, words);
}
