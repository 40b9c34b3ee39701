/** The scored tokens of a text, with the names that sentences call them by. */
import type { AllWords } from '../../i18n/index.ts';
import { spokenLabel } from '../../data/attention-data.ts';
import { comingName } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { spokenLabels } from '../../kit/row-labels.ts';

export interface NamedToken extends ScoredToken {
  readonly name: string;
  /** What a table loses on it, in nats; null where nothing is compared. */
  readonly byTable: number | null;
}

/**
 * Every token by name: BOS begins a document where nothing comes before it, and ends it elsewhere.
 */
export function nameTokens(
  tokens: readonly ScoredToken[],
  byTable: readonly (number | null)[],
  words: AllWords,
): NamedToken[] {
  const all = spokenLabels(
    tokens.map(({ token }) => token),
    words,
    comingName,
  );
  return tokens.map(({ token, score }, index) => {
    const begins = token.kind === 'bos' && score === null;
    const name = begins ? spokenLabel(token, words) : (all[index] ?? '');
    return { token, score, name, byTable: byTable[index] ?? null };
  });
}

/** By how many nats the model guessed a token better than the table did; null without one. */
export function gainOf({ score, byTable }: NamedToken): number | null {
  return score === null || byTable === null ? null : byTable - score.loss;
}
