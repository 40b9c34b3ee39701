/** A place that a cure changes, as it is shown before the cure is applied. */
export interface Change {
  readonly before: string;
  /** Empty if it is removed. */
  readonly after: string;
}

/** What is wrong in a text: how often, and what its cure changes first. */
export interface Found {
  readonly count: number;
  readonly change: Change;
}

/** Characters of a line that are shown. */
const SHOWN = 60;

/** A text, cut off where it gets long. */
export function ending(text: string): string {
  const characters = Array.from(text.slice(0, 2 * SHOWN));
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN).join('')}…`;
}
