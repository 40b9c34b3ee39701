/** Parts of views that show generated texts. */
import { withControlSigns } from '../data/attention-data.ts';
import { el } from './dom.ts';

/** Texts written at one step. */
export interface SampleEntry {
  readonly step: number;
  readonly texts: readonly string[];
  /** Indices of texts that were cut for lack of space instead of ended by the model. */
  readonly cut?: readonly number[];
}

/** A text as shown; dots in another colour mark a cut text. */
export function writtenParts(text: string, isCut: boolean): (string | HTMLElement)[] {
  const shown = withControlSigns(text);
  return isCut ? [shown, dotsOfCut()] : [shown];
}

/** Dots after a cut text. */
export function dotsOfCut(): HTMLElement {
  return el('span', { class: 'muted' }, '…');
}

/** Whether the text at index `at` was cut. */
export function isCut({ cut = [] }: SampleEntry, at: number): boolean {
  return cut.includes(at);
}

/** Whether any text was cut. */
export function hasCut(entries: readonly SampleEntry[]): boolean {
  return entries.some(({ cut = [] }) => cut.length > 0);
}

/** Whether any text has a replacement character, U+FFFD. */
export function hasBroken(entries: readonly SampleEntry[]): boolean {
  return entries.some(({ texts }) => texts.some((text) => text.includes('\uFFFD')));
}

/** Selects the first and last sample, and the first after each halving of the last step. */
export function landmarks(entries: readonly SampleEntry[]): SampleEntry[] {
  const last = entries.at(-1);
  const first = entries[0];
  if (last === undefined || first === undefined) return [];
  const chosen = new Set([first, last]);
  for (let mark = last.step / 2; mark >= 10 && chosen.size < 7; mark /= 2) {
    const found = entries.find((entry) => entry.step >= mark);
    if (found !== undefined) chosen.add(found);
  }
  return entries.filter((entry) => chosen.has(entry));
}
