/** Chooses instructions for touch, or for pointer and keys, by the reader's device. */
import type { Words } from '../i18n/index.ts';

/** Keys of texts that have a variant for touch. */
type Hint<Known extends string> = { [K in Known]: `${K}.touch` extends Known ? K : never }[Known];

/** Whether the device has touch as its only pointer. */
export function hasOnlyFingers(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}

/** The text of `key`, or its touch variant on a touch device. */
export function hint<Known extends string>(
  { t }: Pick<Words<Known>, 't'>,
  key: Hint<Known>,
): string {
  return t(hasOnlyFingers() ? (`${key}.touch` as Known) : key);
}
