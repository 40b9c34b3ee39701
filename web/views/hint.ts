/** How to use something, in words for what the reader has at hand: a finger, or a pointer and keys. */
import type { Key, Words } from '../i18n/index.ts';

/** Texts that have a twin for fingers. */
type Hint = { [K in Key]: `${K}.touch` extends Key ? K : never }[Key];

/** The text of `key`, or its twin where the device has only fingers to point with. */
export function hint({ t }: Pick<Words, 't'>, key: Hint): string {
  const fingers = matchMedia('(hover: none) and (pointer: coarse)').matches;
  return t(fingers ? `${key}.touch` : key);
}
