/**
 * How to use something, in words for what the reader has at hand: a finger, or a pointer and keys.
 */
import type { Words } from '../i18n/index.ts';

/** Texts that have a twin for fingers. */
type Hint<Known extends string> = { [K in Known]: `${K}.touch` extends Known ? K : never }[Known];

/** Whether the device has only fingers to point with. */
export function hasOnlyFingers(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}

/** The text of `key`, or its twin where the device has only fingers to point with. */
export function hint<Known extends string>(
  { t }: Pick<Words<Known>, 't'>,
  key: Hint<Known>,
): string {
  return t(hasOnlyFingers() ? (`${key}.touch` as Known) : key);
}
