/** What can be done with one press about a finding of the check-up. */
import type { AllWords } from '../../../i18n/index.ts';
import { removeStamps } from './chat-log.ts';
import { RARE, removeDuplicates } from './examine.ts';
import { joinLetters, removeHidden } from './letters.ts';
import { replaceTwins } from './twins.ts';

/** A change of the text. */
export type Mend = 'duplicates' | 'rare' | 'stamps' | 'hidden' | 'pieces';

/** A change of the text, or of the tokenizer to bytes. */
export type Remedy = Mend | 'bytes';

/** The tokenizer that `bytes` chooses, in the table of options. */
export const BYTES = { option: 'tokenizer', value: 0 } as const;

/**
 * What each change makes of a text. Each is offered only for texts that it is right for, see
 * `adviceOn`.
 */
const MENDS: Readonly<Record<Mend, (text: string) => string>> = {
  duplicates: removeDuplicates,
  rare: (text) => replaceTwins(text, RARE),
  stamps: removeStamps,
  hidden: removeHidden,
  pieces: joinLetters,
};

/** Whether it changes the text, rather than the settings. */
export function isMend(remedy: Remedy): remedy is Mend {
  return remedy !== 'bytes';
}

/** The text after these changes, one after the other. */
export function mended(text: string, mends: readonly Mend[]): string {
  return mends.reduce((before, mend) => MENDS[mend](before), text);
}

/** The words on its button. */
export function remedyLabel(remedy: Remedy, { t }: AllWords): string {
  return t(`doctor.fix.${remedy}`);
}
