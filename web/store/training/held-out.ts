/** Whether a text is long enough for what is to be held out of it, as the engine splits it. */
import { valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { Words } from '../../i18n/index.ts';
import { shownPlan } from './session.ts';
import type { Session } from './session.ts';

/** What is planned, and with which settings. */
export interface Planned {
  readonly plan: Plan;
  readonly table: OptionTable;
  readonly recipe: Recipe;
}

/** Whether a share was to be held out, and is not: too little of the text would be in it. */
export function isUnheld({ plan, table, recipe }: Planned): boolean {
  const share = valueOf(table, recipe, 'validation');
  // Until a share that is being typed has its plan, this one is still of the share before.
  const fits = Math.floor(plan.documents * share) > 0;
  return plan.tokens > 0 && !plan.hasValidation && share > 0 && !fits;
}

/** The least share of this many lines, in hundredths, that is one of them. */
function leastShare(lines: number): number {
  return Math.ceil(100 / lines) / 100;
}

/** Why nothing is held out although a share was to be, and what to do; empty where that is so. */
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

/** The same of the run that is shown, or else of what is wanted. */
export function unheldShown(session: Session | null, words: Words): string {
  const plan = shownPlan(session);
  if (session === null || plan === null) return '';
  const { table, recipe: wanted, plan: next, current } = session;
  const recipe = plan === next ? wanted : (current?.recipe ?? wanted);
  return unheldText({ plan, table, recipe }, words);
}
