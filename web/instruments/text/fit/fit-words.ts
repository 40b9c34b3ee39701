/** Texts of a fit: a summary of the text, and a reason for each setting. */
import type { Fit } from '../../../engine/trainer.ts';
import { sentences } from '../../../i18n/index.ts';
import type { AllWords } from '../../../i18n/index.ts';

/**
 * Minimum characters of a text that a model can memorise: in a shorter text, contexts are too short
 * to distinguish positions.
 */
const TOLD_APART = 40;

/** Summary: the kind of the text, and whether it is so short that it will be memorised. */
export function fitSummary({ kind, reasons, lines, characters }: Fit, words: AllWords): string {
  const isByHeart = reasons.some(({ code }) => code === 'by-heart');
  const short = characters < TOLD_APART ? 'fit.little' : 'fit.byHeart';
  const what = words.find(`fit.kind.${kind}`, { lines, characters }) ?? '';
  return sentences([what, isByHeart ? words.t(short) : ''], words);
}

/** A reason for each setting. */
export function fitReasons({ reasons }: Fit, words: AllWords): string[] {
  return reasons.flatMap(({ code, values: [first = 0, second = 0] }) => {
    const values = { first, second };
    return words.find(`fit.reason.${code}`, values) ?? [];
  });
}
