/** What the views of single tokens draw: plain data, with the little arithmetic that they share. */
import type { Words } from '../i18n/index.ts';
import { axisLabel, spokenLabel } from './attention-data.ts';
import type { AttentionToken } from './attention-data.ts';
import { charactersIn, groupBytes } from './byte-groups.ts';

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

/** Characters that `textBefore` gives at most. */
const BEFORE = 12;

/**
 * The last few characters before a token, as they can be read: bytes by what they are together, and by
 * themselves only where they make no character. Goes back to the last BOS, and is empty right after it.
 */
export function textBefore(tokens: readonly ScoredToken[], index: number): string {
  const all = tokens.slice(0, index).map(({ token }) => token);
  const line = all.slice(all.map(({ kind }) => kind).lastIndexOf('bos') + 1);
  const shown = groupBytes(line)
    .slice(-BEFORE)
    .map(({ start, end, text }) =>
      text === ''
        ? line.slice(start, end).map(axisLabel).join('')
        : axisLabel({ kind: 'text', text, hex: '' }),
    );
  return shown.join('');
}

/** A probability as it is written: a dash for none at all, and never 0 for a very small one. */
export function shareText(probability: number, words: Words): string {
  if (probability === 0) return '–';
  return probability < 0.0005 ? words.t('tokens.tiny') : words.percent(probability);
}

/** A short label of a token that may come: BOS, where it comes, is the end of a document. */
export function comingLabel(token: AttentionToken): string {
  return token.kind === 'bos' ? '■' : axisLabel(token);
}

/** The name of a token that may come, or came, in a sentence. */
export function comingName(token: AttentionToken, words: Words): string {
  return token.kind === 'bos' ? words.t('tokens.end') : spokenLabel(token, words);
}
