/** Whether a text is long enough for what is to be held out of it, as the engine splits it. */
import { choiceOf, valueOf } from '../engine/options.ts';
import type { OptionTable, Recipe } from '../engine/options.ts';
import type { Plan } from '../engine/trainer.ts';
import type { Words } from '../i18n/index.ts';
import { shownPlan } from './session.ts';
import type { Session } from './session.ts';

/** What is planned, and with which settings. */
export interface Planned {
  readonly plan: Plan;
  readonly table: OptionTable;
  readonly recipe: Recipe;
}

/** The largest share that is offered: more than a quarter is better learned from. */
const LARGEST_SHARE = 0.25;
/** Contexts shorter than this are not offered. */
const SHORTEST_CONTEXT = 8;
/** Of word pieces, the engine takes a share of the bytes: its tokens are a few more or less. */
const SPARE = 1.25;

/** Tokens of a share, and how many of them a window needs; of word pieces with something to spare. */
function windowOf({ plan, table, recipe }: Planned, share: number): [has: number, needs: number] {
  const spare = choiceOf(table, recipe, 'tokenizer') === 'bpe' ? SPARE : 1;
  const needs = (valueOf(table, recipe, 'context') + 1) * spare;
  return [Math.floor(plan.tokens * share), needs];
}

/** Whether there would be something to measure on if this share of the text were held out. */
export function canHoldOut(planned: Planned, share: number): boolean {
  const { documents, tokens } = planned.plan;
  if (documents > 0) return Math.floor(documents * share) > 0;
  const [has, needs] = windowOf(planned, share);
  return has >= needs && tokens - has >= needs;
}

/** Whether a share was to be held out, and is not: too little of the text would be in it. */
export function isUnheld({ plan, table, recipe }: Planned): boolean {
  const share = valueOf(table, recipe, 'validation');
  // Until a share that is being typed has its plan, this one is still of the share before.
  const fits = Math.floor(plan.documents * share) > 0;
  return plan.tokens > 0 && !plan.hasValidation && share > 0 && !fits;
}

/** The least share of so many lines, in hundredths, that is one of them. */
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
  const { table, recipe: wanted, plan: next, runRecipe } = session;
  const recipe = plan === next ? wanted : (runRecipe ?? wanted);
  return unheldText({ plan, table, recipe }, words);
}

/** Settings with which something is held out, one each; those of them that there are. */
export function unheldRemedies(planned: Planned): { share: number | null; context: number | null } {
  const { plan, table, recipe } = planned;
  const present = valueOf(table, recipe, 'validation');
  const [has, needs] = windowOf(planned, present);
  const least =
    plan.documents > 0 ? leastShare(plan.documents) : Math.ceil((needs / plan.tokens) * 100) / 100;
  const share = Math.max(0.1, least);
  const spare = needs / (valueOf(table, recipe, 'context') + 1);
  const context = plan.documents > 0 ? 0 : Math.floor(has / spare) - 1;
  return {
    share: share <= LARGEST_SHARE && canHoldOut(planned, share) ? share : null,
    context: context >= SHORTEST_CONTEXT ? context : null,
  };
}
