/** Identifies and counts the tokens of a plan. */
import { valueOf } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { Session } from '../../store/training/session.ts';

/** Options that determine the tokens of a text. */
const TOKEN_OPTIONS = ['tokenizer', 'sequences', 'vocabulary'];

/** Key of the tokens that the chosen recipe makes of this version of the text. */
export function tokensOf({ table, recipe }: Session, version: number): string {
  return [version, ...TOKEN_OPTIONS.map((name) => valueOf(table, recipe, name))].join(' ');
}

/**
 * Targets per character of the next run, computed from those of the shown run and the number of
 * targets in both plans. NaN without plans, or for another text, whose characters are not counted.
 */
export function nextTokensOf(shown: Session | null, plan: Plan | null, next: Plan | null): number {
  if (shown === null || plan === null || next === null) return NaN;
  if (shown.pending().includes('text')) return NaN;
  return (shown.tokensPerCharacter.train * targetsOf(next)) / targetsOf(plan);
}

/** Number of targets: all tokens of the text, and the end mark of each document. */
function targetsOf({ tokens, documents }: Plan): number {
  return tokens + documents;
}
