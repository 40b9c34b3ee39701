/** Texts that the model wrote, and checks of them that several views share. */

/** Texts written at one step. */
export interface SampleEntry {
  readonly step: number;
  readonly texts: readonly string[];
  /** Indices of texts that were cut at the length limit, before the model ended them. */
  readonly cut?: readonly number[];
}

/** Whether text `at` was cut at the length limit. */
export function isCut({ cut = [] }: SampleEntry, at: number): boolean {
  return cut.includes(at);
}

/** Whether any text was cut at the length limit. */
export function hasCut(entries: readonly SampleEntry[]): boolean {
  return entries.some(({ cut = [] }) => cut.length > 0);
}

/** The first and last sample, and the first at or after 1/2, 1/4, … of the last step; at most 7. */
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
