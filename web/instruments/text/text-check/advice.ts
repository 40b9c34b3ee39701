/** Advice of the text check: faults of a text under the chosen settings, and their cures. */
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

/** Functions that correct a text. */
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
  /** The automatic cure; null if there is no such cure. */
  readonly cure: Cure | null;
  /** The first change that the cure makes. */
  readonly change?: Change;
  /** Number of repeated lines that are both held out and learned. */
  readonly leaked?: number;
}

/** The settings that advice depends on. */
export type Wanted = Pick<Session, 'table' | 'recipe' | 'plan'>;

/** Advice on a text. `whole`: the text was examined to its end; otherwise no cure is offered. */
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
  // A refrain, or a repeated line of a program, is intended.
  const cure = whole && isList ? 'duplicates' : null;
  return [{ id: 'duplicates', ...duplicates, cure, leaked }];
}

/** Describes a fault, and how many of its lines are both held out and learned. */
export function adviceText({ id, count, leaked = 0 }: Advice, words: AllWords) {
  const { t, number } = words;
  const text = t(`text-check.${id}`, { count: number(count) });
  return sentences([text, leaked > 0 ? t('text-check.leak', { count: leaked }) : ''], words);
}

/** The first change of a cure, before and after; empty without a cure. */
export function exampleOf({ cure, change }: Advice, { t }: AllWords): string {
  if (cure === null || change === undefined) return '';
  const { before, after } = change;
  if (after === '') return t('text-check.example.gone', { before: withSigns(before, after) });
  // Letters in pieces look like whole ones, so their parts are listed.
  const shown =
    cure === 'pieces' ? Array.from(before, characterLabel).join(' ') : withSigns(before, after);
  return t('text-check.example', { before: shown, after: withSigns(after, after) });
}

/** Replaces line ends and invisible characters by visible signs, except characters in `kept`. */
function withSigns(text: string, kept: string): string {
  return text.replaceAll(/(?! )[\p{Z}\p{C}]/gu, (one) => {
    if (one === '\n') return characterLabel(one);
    return kept.includes(one) ? one : `⟨${characterLabel(one)}⟩`;
  });
}
