/** What can be done with one press about a finding of the check-up. */
import type { AllWords } from '../../i18n/index.ts';
import { removeStamps } from './chat-log.ts';
import {
  TELLING_LINE,
  removeDuplicates,
  replaceRare,
  shuffleLines,
  stripMarkup,
  tidySpace,
  widenMarks,
} from './corpus-doctor.ts';
import { joinLetters, removeHidden } from './letters.ts';
import { mendGarbled, removeRuined } from './mojibake.ts';
import { readWestern } from './western.ts';

/** A change of the text. */
export type Mend =
  | 'duplicates'
  | 'repeats'
  | 'rare'
  | 'space'
  | 'width'
  | 'markup'
  | 'stamps'
  | 'garbled'
  | 'western'
  | 'ruined'
  | 'hidden'
  | 'pieces'
  | 'sorted';

/** A change of one setting, and the words on its button. */
export interface OptionRemedy {
  readonly kind: 'option';
  readonly name: string;
  readonly value: number;
  readonly label: 'bytes' | 'context' | 'share' | 'hold';
}

/** A change of the text, or of the settings. */
export type Remedy =
  { readonly kind: Mend } | OptionRemedy | { readonly kind: 'preset'; readonly preset: string };

/** What each change makes of a text. */
const MENDS: Readonly<Record<Mend, (text: string) => string>> = {
  duplicates: (text) => removeDuplicates(text),
  repeats: (text) => removeDuplicates(text, TELLING_LINE),
  rare: replaceRare,
  space: tidySpace,
  width: widenMarks,
  markup: stripMarkup,
  stamps: removeStamps,
  garbled: mendGarbled,
  // It is how the bytes are read, see `mended`.
  western: (text) => text,
  ruined: removeRuined,
  hidden: removeHidden,
  pieces: joinLetters,
  sorted: shuffleLines,
};

/** The change of the text that it is; null for one of the settings. */
export function mendOf(remedy: Remedy): Mend | null {
  return remedy.kind === 'option' || remedy.kind === 'preset' ? null : remedy.kind;
}

/** Whether it takes blanks and signs away that garbled characters are made of: nothing is left to mend. */
export function takesGarbled(kind: Remedy['kind']): boolean {
  return kind === 'space' || kind === 'rare' || kind === 'hidden';
}

/** The text after these changes, one after the other. */
export function mended(text: string | Uint8Array, mends: readonly Mend[]): string {
  const read = typeof text === 'string' ? text : readBytes(text, mends);
  return mends.reduce((before, mend) => MENDS[mend](before), read);
}

function readBytes(bytes: Uint8Array, mends: readonly Mend[]): string {
  return mends.includes('western') ? readWestern(bytes) : new TextDecoder().decode(bytes);
}

/** Tells it from others of the same finding, in any language. */
export function remedyKey(remedy: Remedy): string {
  if (remedy.kind === 'option') return `${remedy.name} ${String(remedy.value)}`;
  return remedy.kind === 'preset' ? `preset ${remedy.preset}` : remedy.kind;
}

/** What stands on its button. */
export function remedyLabel(remedy: Remedy, { t }: AllWords): string {
  if (remedy.kind === 'preset') return t('text.suggest.use', { preset: remedy.preset });
  if (remedy.kind !== 'option') return t(`doctor.fix.${remedy.kind}`);
  return t(`doctor.fix.${remedy.label}`, { [remedy.label]: remedy.value });
}
