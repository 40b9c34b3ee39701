/** A text that is written token by token: its tokens, and the state after the last call. */
import type { Choice, Distribution, GenerationState, Sampling } from '../../engine/trainer.ts';
import { cacheWork } from './cache-work.ts';
import type { CacheWork } from './cache-work.ts';

/** A written token, and the work of the call that added it. */
export interface WrittenToken extends CacheWork {
  readonly choice: Choice;
  readonly from: Distribution;
  /** The random number of the draw; NaN without a draw. */
  readonly uniform: number;
  /** Whether the reader chose the token; then there was no draw. */
  readonly taken: boolean;
  readonly dice: Sampling;
}

export interface WrittenText {
  /** The engine's answer to the last call. */
  readonly now: GenerationState;
  /** The parameters of the next draw. */
  readonly dice: Sampling;
  /** The work of reading the prompt. */
  readonly began: CacheWork;
  readonly tokens: readonly WrittenToken[];
  /** The token that the last call removed; null if it removed none. */
  readonly undone: WrittenToken | null;
}

/** A text without tokens: the engine has read only the prompt. */
export function begun(now: GenerationState, dice: Sampling): WrittenText {
  return { now, dice, began: cacheWork(now), tokens: [], undone: null };
}

/** The text after a call that added a token or removed the last one. */
export function following(text: WrittenText, now: GenerationState): WrittenText {
  const { dice } = text;
  const undone = now.count < text.tokens.length ? (text.tokens.at(-1) ?? null) : null;
  const tokens = text.tokens.slice(0, now.count);
  const { choice, from, uniform, taken } = now;
  if (choice !== null && from !== null) {
    tokens.push({ choice, from, uniform, taken, dice, ...cacheWork(now) });
  }
  return { ...text, now, tokens, undone };
}

/** Why the text has ended; empty while it goes on. */
export function endOf({ now, tokens }: WrittenText): '' | 'ended' | 'full' | 'limit' {
  if (now.coming !== null) return '';
  if (now.limitReached) return 'limit';
  return tokens.at(-1)?.choice.token.kind === 'bos' ? 'ended' : 'full';
}

export function sameDice(one: Sampling, other: Sampling): boolean {
  return (
    one.temperature === other.temperature && one.topK === other.topK && one.topP === other.topP
  );
}
