/** What the views of single tokens draw: plain data, with the little arithmetic that they share. */
import { readable } from '../i18n/numbers.ts';
import type { AllWords } from '../i18n/index.ts';
import { axisLabel, bytesLabel, spokenLabel } from './attention-data.ts';
import type { AttentionToken } from './attention-data.ts';
import { charactersIn, groupBytes } from './byte-groups.ts';
import { LEAST_PROBABILITY } from './loss-data.ts';

/** A token of a vocabulary. */
export interface VocabularyToken extends AttentionToken {
  readonly id: number;
}

/** A place among all tokens, from 1, and how many share it, being equally likely. */
export interface Ranked {
  readonly rank: number;
  readonly tied: number;
}

interface TokenScore extends Ranked {
  readonly loss: number;
  readonly probability: number;
  readonly entropy: number;
  readonly candidates: readonly {
    readonly token: VocabularyToken;
    readonly probability: number;
  }[];
}

/** A token of a text, with what the model expected there; null where nothing comes before it. */
export interface ScoredToken {
  readonly token: VocabularyToken;
  readonly score: TokenScore | null;
}

/**
 * Bits per character of the scored tokens: their losses over the characters that they stand for.
 * The BOS that ends a document stands for one, the line break; and a character of which only some
 * bytes have a loss, since nothing comes before its first one, counts by their share. NaN without
 * any.
 */
export function bitsPerCharacterOf(tokens: readonly ScoredToken[]): number {
  let [loss, characters] = [0, 0];
  for (const { token, score } of tokens) {
    if (score === null) continue;
    loss += score.loss;
    if (token.kind === 'bos') characters += 1;
  }
  for (const { scored, bytes } of charactersOf(tokens)) characters += scored / bytes;
  return characters === 0 ? NaN : loss / Math.LN2 / characters;
}

/** How many bytes each character has, and of how many of them there is a loss. */
function charactersOf(tokens: readonly ScoredToken[]): { scored: number; bytes: number }[] {
  const all: { scored: number; bytes: number }[] = [];
  for (const { token, score } of tokens) {
    if (token.kind === 'bos') continue;
    for (const hex of token.hex.match(/../g) ?? []) {
      if (charactersIn(hex) > 0) all.push({ scored: 0, bytes: 0 });
      const last = all.at(-1);
      // What goes on a character that never began is none.
      if (last === undefined) continue;
      last.bytes += 1;
      if (score !== null) last.scored += 1;
    }
  }
  return all;
}

/** Characters that `textBefore` gives at most. */
const BEFORE = 12;

/**
 * The last few characters before a token, as they can be read: bytes by what they are together.
 * Those of a character that only began stand apart from the text: their digits are none of its
 * letters. Goes back to the last BOS, and is that right after it.
 */
export function textBefore(tokens: readonly ScoredToken[], index: number, words: AllWords): string {
  const all = tokens.slice(0, index).map(({ token }) => token);
  const line = all.slice(all.map(({ kind }) => kind).lastIndexOf('bos') + 1);
  let begun = '';
  let shown = '';
  for (const { start, end, text } of groupBytes(line).slice(-BEFORE)) {
    const group = line.slice(start, end);
    const whole = group[0]?.kind === 'text' ? group[0].text : text;
    // Bytes that something else follows never become a character.
    if (begun !== '') shown += '�';
    begun = whole === '' ? group.map(({ hex }) => hex).join('') : '';
    shown += axisLabel({ kind: 'text', text: whole, hex: '' });
  }
  if (shown === '') return begun === '' ? '▸' : bytesLabel(begun, words);
  const quoted = words.t('token.text', { text: shown });
  if (begun === '') return quoted;
  const bytes = begun.match(/../g) ?? [];
  return words.t('tokens.begun', { text: quoted, count: bytes.length, hex: bytes.join(' ') });
}

/**
 * A probability as it is written: a dash for none at all, and never 0 for a very small one. Two
 * digits tell small ones apart, and below a millionth a power of ten does.
 */
export function shareText(probability: number, words: AllWords): string {
  if (probability === 0) return '–';
  if (!(probability < 0.0005)) return words.percent(probability);
  if (probability < 1e-6) return `${readable((100 * probability).toExponential(0))}%`;
  const digits = 1 - Math.floor(Math.log10(100 * probability));
  return `${words.number(100 * probability, digits)}%`;
}

/** Probabilities that full bars may stand for. */
const FULL_BARS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/**
 * The probability of a full bar beside what the model says: by that alone, so that no bar of it
 * changes its length for the sake of what is made of it; with room for half as much again as its
 * likeliest.
 */
export function fullBar(likeliest: number): number {
  return FULL_BARS.find((full) => full >= 1.5 * likeliest) ?? 1;
}

/**
 * A probability that the model gave, in sentences as in tables: so small that the loss of its token
 * does not tell, it says so.
 */
export function chanceText(probability: number, words: AllWords): string {
  return probability < LEAST_PROBABILITY ? '<10⁻²⁸%' : shareText(probability, words);
}

/** Choices so few are none. */
const SURE = 1.05;

/** How unsure the model is with this entropy, as a part of a sentence. */
export function doubtText(entropy: number, words: AllWords): string {
  const choices = Math.exp(entropy);
  if (choices < SURE) return words.t('tokens.doubt.none');
  return words.t('tokens.doubt', { choices: words.short(choices) });
}

/** A short label of a token that may come: BOS, where it comes, is the end of a document. */
export function comingLabel(token: AttentionToken): string {
  return token.kind === 'bos' ? '■' : axisLabel(token);
}

/** The name of a token that may come, or came, in a sentence. */
export function comingName(token: AttentionToken, words: AllWords): string {
  return token.kind === 'bos' ? words.t('tokens.end') : spokenLabel(token, words);
}

/** A place among all tokens, from 1; equally likely ones share theirs. */
export function rankText({ rank, tied }: Ranked, words: AllWords): string {
  const [first, last] = [words.number(rank), words.number(rank + tied - 1)];
  return tied > 1 ? words.t('tokens.rank.tied', { first, last }) : first;
}
