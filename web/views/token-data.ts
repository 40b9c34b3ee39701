/** What the views of single tokens draw: plain data, with the little arithmetic that they share. */
import type { AttentionToken } from './attention-data.ts';
import { charactersIn } from './byte-groups.ts';

/** A token of a vocabulary. */
export interface VocabularyToken extends AttentionToken {
  readonly id: number;
}

/** A token of a text, with what the model expected there; null where nothing comes before it. */
export interface ScoredToken {
  readonly token: VocabularyToken;
  readonly score: {
    readonly loss: number;
    readonly probability: number;
    readonly rank: number;
    readonly entropy: number;
    readonly candidates: readonly {
      readonly token: VocabularyToken;
      readonly probability: number;
    }[];
  } | null;
}

/**
 * Bits per character of the scored tokens: their losses over the characters that they stand for. The
 * BOS that ends a document stands for one, the line break. NaN without any.
 */
export function bitsPerCharacterOf(tokens: readonly ScoredToken[]): number {
  let [loss, characters] = [0, 0];
  for (const { token, score } of tokens) {
    if (score === null) continue;
    loss += score.loss;
    characters += token.kind === 'bos' ? 1 : charactersIn(token.hex);
  }
  return characters === 0 ? NaN : loss / Math.LN2 / characters;
}
