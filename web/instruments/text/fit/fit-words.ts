/** What a fit says: what the text is and how it is read, and the reasons one by one. */
import type { Fit } from '../../../engine/trainer.ts';
import { sentences } from '../../../i18n/index.ts';
import type { AllWords } from '../../../i18n/index.ts';

/** Characters of a text below which its context is too short to tell its places apart. */
const TOLD_APART = 40;

/**
 * The line: what the text was taken for, and whether it is so short that it is learned by heart.
 */
export function fitSummary({ kind, reasons, lines, characters }: Fit, words: AllWords): string {
  const isByHeart = reasons.some(({ code }) => code === 'by-heart');
  const short = characters < TOLD_APART ? 'fit.little' : 'fit.byHeart';
  const what = words.find(`fit.kind.${kind}`, { lines, characters }) ?? '';
  return sentences([what, isByHeart ? words.t(short) : ''], words);
}

/** Why each setting is as it is. */
export function fitReasons({ reasons }: Fit, words: AllWords): string[] {
  return reasons.flatMap(({ code, values: [first = 0, second = 0] }) => {
    const values = { first, second };
    return words.find(`fit.reason.${code}`, values) ?? [];
  });
}
