/** Texts on receipts: results of replays, and differences between two receipts. */
import type { ErrorFacts } from '../../engine/errors.ts';
import { compareReceiptLines } from '../../engine/receipt.ts';
import type { Finding, LineDifference, ReceiptLine } from '../../engine/receipt.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { messageOf } from '../../store/messages.ts';

/** The verdict on a pasted receipt. */
export interface Verdict {
  readonly text: string;
  readonly bad: boolean;
}

/** The result of a replay in words. */
export function findingText(finding: Finding, { t }: AllWords): string {
  const { same, steps, difference, at, expected, found } = finding;
  if (same) return t('receipt.true', { steps });
  return t(`receipt.false.${difference === '' ? 'loss' : difference}`, { at, expected, found });
}

/** Names the invalid part of a receipt, which the engine identifies by its JSON key. */
export function wrongPart(part: string, { t }: AllWords): string {
  const isKnown = part === 'line' || part === 'JSON';
  return t(isKnown ? `receipt.wrong.${part}` : 'receipt.wrong.part', { part });
}

/** Why a replay failed. */
export function failureText(error: ErrorFacts, words: AllWords): string {
  if (error.code !== 'receipt') return messageOf(error, words);
  return messageOf({ ...error, subject: wrongPart(error.subject, words) }, words);
}

/** Differences of another receipt line from the line of the shown run. */
export function comparedLines(own: ReceiptLine, theirs: ReceiptLine, words: AllWords): Verdict {
  const { t } = words;
  const parts = compareReceiptLines(own, theirs);
  // Other options are only hashed in a line, so their differences cannot be named.
  const legible = parts.filter((part) => part !== 'recipe');
  const isStep = legible.length === 1 && legible[0] === 'step';
  const said = (part: LineDifference): string => {
    const key = part === 'step' && parts.length === 1 ? 'sameStep' : part;
    // Seeds are copied, so they have no digit groups.
    const as = (line: ReceiptLine): string | number =>
      key === 'preset' ? line.preset : key === 'seed' ? String(line.seed) : line.step;
    return t(`receipt.differs.${key}`, { other: as(theirs), own: as(own) });
  };
  const lines = (legible.length === 0 ? parts : legible).map(said);
  if (isStep && parts.length > 1) lines.push(t('receipt.differs.horizon'));
  const text = lines.length === 0 ? t('receipt.same') : sentences(lines, words);
  return { text, bad: lines.length > 0 };
}
