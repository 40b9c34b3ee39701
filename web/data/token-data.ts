/** Losses and probabilities of tokens, and their formats on the page. */
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

/** A rank from 1, and the number of equally likely tokens that share it. */
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

/** A token and its prediction; `score` is null at the start of a text or document. */
export interface ScoredToken {
  readonly token: VocabularyToken;
  readonly score: TokenScore | null;
}

/**
 * Bits per character of the scored tokens; NaN if none is scored. A BOS that ends a document counts
 * as one character, its line break. A character counts by the share of its bytes that have a loss:
 * the first byte of a text has none.
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

/**
 * For each character, its number of bytes and how many of its bytes belong to a token with a loss.
 */
function charactersOf(tokens: readonly ScoredToken[]): { scored: number; bytes: number }[] {
  const all: { scored: number; bytes: number }[] = [];
  for (const { token, score } of tokens) {
    if (token.kind === 'bos') continue;
    for (const hex of token.hex.match(/../g) ?? []) {
      if (charactersIn(hex) > 0) all.push({ scored: 0, bytes: 0 });
      const last = all.at(-1);
      // Continuation bytes before any first byte belong to no character.
      if (last === undefined) continue;
      last.bytes += 1;
      if (score !== null) last.scored += 1;
    }
  }
  return all;
}

/**
 * Maximum number of groups (byte-groups.ts) that `textBefore` shows: tokens, or characters of byte
 * tokens.
 */
const BEFORE = 12;

/**
 * The last few tokens before a token as text, back to the last BOS. Byte tokens are decoded; bytes
 * of an incomplete character are named apart from the text, so that their digits do not look like
 * letters.
 */
export function textBefore(tokens: readonly ScoredToken[], index: number, words: AllWords): string {
  const all = tokens.slice(0, index).map(({ token }) => token);
  const line = all.slice(all.map(({ kind }) => kind).lastIndexOf('bos') + 1);
  let begun = '';
  let shown = '';
  for (const { start, end, text } of groupBytes(line).slice(-BEFORE)) {
    const group = line.slice(start, end);
    const whole = group[0]?.kind === 'text' ? group[0].text : text;
    // The bytes of the previous group never became a character.
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
 * Formats a probability: a dash for 0, two digits if small, a power of ten below a millionth; never
 * rounds to 0.
 */
export function shareText(probability: number, words: AllWords): string {
  if (probability === 0) return '–';
  if (!(probability < 0.0005)) return words.percent(probability);
  if (probability < 1e-6) return `${readable((100 * probability).toExponential(0))}%`;
  const digits = 1 - Math.floor(Math.log10(100 * probability));
  return `${words.number(100 * probability, digits)}%`;
}

/**
 * Formats a probability of the model. Below LEAST_PROBABILITY its loss is capped, so only the bound
 * is shown.
 */
export function chanceText(probability: number, words: AllWords): string {
  return probability < LEAST_PROBABILITY ? '<10⁻²⁸%' : shareText(probability, words);
}

/** Below this perplexity the model counts as sure. */
const SURE = 1.05;

/** Describes the uncertainty of the model by the perplexity, exp of `entropy` (nats). */
export function doubtText(entropy: number, words: AllWords): string {
  const choices = Math.exp(entropy);
  if (choices < SURE) return words.t('tokens.doubt.none');
  return words.t('tokens.doubt', { choices: words.short(choices) });
}

/** Short label of a possible next token; BOS is the end of a document. */
export function comingLabel(token: AttentionToken): string {
  return token.kind === 'bos' ? '■' : axisLabel(token);
}

/** Spoken name of a possible or written next token; BOS is the end of a document. */
export function comingName(token: AttentionToken, words: AllWords): string {
  return token.kind === 'bos' ? words.t('tokens.end') : spokenLabel(token, words);
}

/** A rank as text: a range if equally likely tokens share it. */
export function rankText({ rank, tied }: Ranked, words: AllWords): string {
  const [first, last] = [words.number(rank), words.number(rank + tied - 1)];
  return tied > 1 ? words.t('tokens.rank.tied', { first, last }) : first;
}
