/** Texts that the model wrote, as they are shown in more than one place. */

/** Texts written at one step. */
export interface SampleEntry {
  readonly step: number;
  readonly texts: readonly string[];
  /** Which of them, from 0, the model did not end itself, having no room for more. */
  readonly cut?: readonly number[];
}

/** Whether the model did not end the text at `at`. */
export function isCut({ cut = [] }: SampleEntry, at: number): boolean {
  return cut.includes(at);
}

/** Whether any text does so. */
export function hasCut(entries: readonly SampleEntry[]): boolean {
  return entries.some(({ cut = [] }) => cut.length > 0);
}

/** Whether a sign stands in the place of a character that could not be read. */
export function hasBroken(entries: readonly SampleEntry[]): boolean {
  return entries.some(({ texts }) => texts.some((text) => text.includes('\uFFFD')));
}

/** The first, the last, and for each halving of the last step the first sample after it. */
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
