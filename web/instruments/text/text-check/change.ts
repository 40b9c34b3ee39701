/** The first change of a cure, shown before the cure is applied. */
export interface Change {
  readonly before: string;
  /** Text after the change; empty if `before` is removed. */
  readonly after: string;
}

/** A fault of a text: its number of occurrences, and the first change of its cure. */
export interface Found {
  readonly count: number;
  readonly change: Change;
}

/** Maximum characters shown of a line. */
const SHOWN = 60;

/** Shortens a long text, with an ellipsis. */
export function ending(text: string): string {
  const characters = Array.from(text.slice(0, 2 * SHOWN));
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN).join('')}…`;
}
