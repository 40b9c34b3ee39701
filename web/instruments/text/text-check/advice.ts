/** What the text check finds in a text under the settings that are wanted, and what cures it. */
import { choiceOf, valueOf } from '../../../engine/options.ts';
import { sentences } from '../../../i18n/index.ts';
import type { AllWords } from '../../../i18n/index.ts';
import { characterLabel } from '../../../data/attention-data.ts';
import type { Session } from '../../../store/training/session.ts';
import { joinWords } from './broken-words.ts';
import type { Change } from './change.ts';
import { removeStamps } from './chat-log.ts';
import { leakedLines, removeDuplicates } from './examine.ts';
import type { Findings } from './examine.ts';
import { FAULT_IDS } from './faults.ts';
import type { FaultId } from './faults.ts';
import { joinLetters, partLigatures, removeHidden } from './letters.ts';
import { removePageNumbers } from './page-numbers.ts';

/** What each cure makes of a text. */
export const CURES = {
  hidden: removeHidden,
  pieces: joinLetters,
  ligatures: partLigatures,
  stamps: removeStamps,
  pages: removePageNumbers,
  hyphens: joinWords,
  duplicates: removeDuplicates,
} as const;

export type Cure = keyof typeof CURES;

export interface Advice {
  readonly id: FaultId | 'lost' | 'duplicates' | 'repeats';
  readonly count: number;
  /** Null if nothing can be done with one press. */
  readonly cure: Cure | null;
  /** What the cure changes first in the text. */
  readonly change?: Change;
  /** Of repeated lines, those that are held out and learned, too. */
  readonly leaked?: number;
}

/** The settings, as far as advice depends on them. */
export type Wanted = Pick<Session, 'table' | 'recipe' | 'plan'>;

/** The advice on a text; a text that is not `whole` cannot be cured. */
export function adviceOn(findings: Findings, whole: boolean, wanted: Wanted): Advice[] {
  const { lost } = findings;
  const advice: Advice[] = lost === 0 ? [] : [{ id: 'lost', count: lost, cure: null }];
  for (const id of FAULT_IDS) {
    const found = findings[id];
    if (found !== null)
      advice.push({ id, ...found, cure: whole && id in CURES ? (id as Cure) : null });
  }
  advice.push(...aboutRepeats(findings, whole, wanted));
  return advice;
}

function aboutRepeats(findings: Findings, whole: boolean, wanted: Wanted): Advice[] {
  const { table, recipe, plan } = wanted;
  const { duplicates, repeats, isList } = findings;
  const byLine = choiceOf(table, recipe, 'sequences') === 'documents';
  if (duplicates === null || (!byLine && repeats.length === 0)) return [];
  const heldOut = valueOf(table, recipe, 'validation');
  const isHeldOut = whole && plan?.hasValidation === true;
  const leaked = isHeldOut ? leakedLines(findings, heldOut, byLine) : 0;
  if (!byLine) return [{ id: 'repeats', count: repeats.length, cure: null, leaked }];
  // A refrain, or a line of a program, belongs where it is repeated.
  const cure = whole && isList ? 'duplicates' : null;
  return [{ id: 'duplicates', ...duplicates, cure, leaked }];
}

/** What is found, and what to do about it. */
export function adviceText({ id, count, leaked = 0 }: Advice, words: AllWords) {
  const { t, number } = words;
  const text = t(`text-check.${id}`, { count: number(count) });
  return sentences([text, leaked > 0 ? t('text-check.leak', { count: leaked }) : ''], words);
}

/** The first place that a cure of the text changes, before and after. */
export function exampleOf({ cure, change }: Advice, { t }: AllWords): string {
  if (cure === null || change === undefined) return '';
  const { before, after } = change;
  if (after === '') return t('text-check.example.gone', { before: withSigns(before, after) });
  // Letters in pieces look the same as whole ones: the pieces are shown one by one.
  const shown =
    cure === 'pieces' ? Array.from(before, characterLabel).join(' ') : withSigns(before, after);
  return t('text-check.example', { before: shown, after: withSigns(after, after) });
}

/**
 * A text with signs for line ends, and for characters that nobody sees and that are not in `kept`.
 */
function withSigns(text: string, kept: string): string {
  return text.replaceAll(/(?! )[\p{Z}\p{C}]/gu, (one) => {
    if (one === '\n') return characterLabel(one);
    return kept.includes(one) ? one : `⟨${characterLabel(one)}⟩`;
  });
}
