/** Scored tokens of a text, with the names that sentences and screen readers use for them. */
import type { AllWords } from '../../i18n/index.ts';
import { spokenLabel } from '../../data/attention-data.ts';
import { comingName } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { spokenLabels } from '../../kit/row-labels.ts';

export interface NamedToken extends ScoredToken {
  readonly name: string;
  /** The n-gram table's loss on the token, in nats; null if not compared. */
  readonly byTable: number | null;
}

/** Names all tokens: BOS without a predecessor begins a document, and otherwise ends one. */
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

/** Index of the token with the largest loss, the first of equals; null if none has a loss. */
export function mostSurprising(tokens: readonly ScoredToken[]): number | null {
  let most: number | null = null;
  for (const [index, { score }] of tokens.entries()) {
    if (score !== null && score.loss > (tokens[most ?? -1]?.score?.loss ?? -1)) most = index;
  }
  return most;
}

/** Probability above which a token is no surprise. */
const EXPECTED = 0.5;

/** Which token of the text surprised the model most; empty if none has a loss. */
export function findingOf(most: ScoredToken | undefined, words: AllWords): string {
  const { token, score = null } = most ?? {};
  if (token === undefined || score === null) return '';
  const probability = words.percent(score.probability);
  const key = score.probability > EXPECTED ? 'tokens.finding.none' : 'tokens.finding';
  return words.t(key, { name: comingName(token, words), probability });
}

/** Table loss minus model loss, in nats: positive if the model is better; null if unknown. */
export function gainOf({ score, byTable }: NamedToken): number | null {
  return score === null || byTable === null ? null : byTable - score.loss;
}
