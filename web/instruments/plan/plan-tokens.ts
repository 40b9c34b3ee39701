/** The tokens that a plan speaks of. */
import { valueOf } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { Session } from '../../store/training/session.ts';

/** Options that say which tokens a text becomes. */
const TOKEN_OPTIONS = ['tokenizer', 'sequences', 'vocabulary'];

/** Identifies the tokens of the text of this version with the wanted recipe. */
export function tokensOf({ table, recipe }: Session, version: number): string {
  return [version, ...TOKEN_OPTIONS.map((name) => valueOf(table, recipe, name))].join(' ');
}

/**
 * Targets per character of a run that could be begun, computed from those of the shown run and the
 * number of targets in both plans of the same text. NaN for another text, whose characters nobody
 * has counted yet.
 */
export function nextTokensOf(shown: Session | null, plan: Plan | null, next: Plan | null): number {
  if (shown === null || plan === null || next === null) return NaN;
  if (shown.pending().includes('text')) return NaN;
  return (shown.tokensPerCharacter.train * targetsOf(next)) / targetsOf(plan);
}

/** Every token of a text is a target; of documents, so is the mark that ends each. */
function targetsOf({ tokens, documents }: Plan): number {
  return tokens + documents;
}
