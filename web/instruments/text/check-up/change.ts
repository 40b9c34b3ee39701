/** A place that a remedy changes, as it is shown before the remedy is carried out. */
export interface Change {
  readonly before: string;
  /** Empty if it is removed. */
  readonly after: string;
}

/** Characters of a line that are shown. */
const SHOWN = 60;

/** A text, cut off where it gets long. */
export function ending(text: string): string {
  const characters = Array.from(text.slice(0, 2 * SHOWN));
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN).join('')}…`;
}
