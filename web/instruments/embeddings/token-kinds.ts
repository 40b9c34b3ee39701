/** Kinds of tokens, which determine the colours of points. */
import type { AttentionToken } from '../../data/attention-data.ts';

export const KINDS = ['vowel', 'letter', 'piece', 'digit', 'sign'] as const;
export type Kind = (typeof KINDS)[number];

/** Custom properties of the colours. */
export const KIND_COLOURS: Readonly<Record<Kind, string>> = {
  vowel: '--accent',
  letter: '--line-1',
  piece: '--line-2',
  digit: '--amber',
  sign: '--muted',
};

export function kindOf({ kind, text }: AttentionToken): Kind {
  // Removes the marks above and below letters.
  const bare = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  if (kind !== 'text' || !/[\p{L}\p{N}]/u.test(bare)) return 'sign';
  if (Array.from(bare).length > 1) return 'piece';
  if (/\p{N}/u.test(bare)) return 'digit';
  return /[aeiouαεηιουω]/iu.test(bare) ? 'vowel' : 'letter';
}
