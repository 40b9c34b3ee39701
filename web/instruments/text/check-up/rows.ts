/**
 * The list of the check-up as it stands on the page. What was mended keeps its row and its place,
 * and so does what is no longer found because of it, until the text changes in another way: a
 * button that does something else must not move to where somebody has just pressed.
 */
import type { Advice } from './advice.ts';
import type { Remedy } from './remedy.ts';

/** A row: what was said last of a finding, and whether it is still found. */
export interface Row extends Advice {
  readonly found: boolean;
  /** What is offered now; the others of its remedies are those that are done. */
  readonly offered: readonly Remedy[];
}

/**
 * The rows after another look at the text: those that were there first, in their order. Until
 * something is `pressed`, only what is done keeps its place.
 */
export function rowsAfter(
  rowsBefore: readonly Row[],
  advice: readonly Advice[],
  done: readonly Remedy[],
  pressed: boolean,
): Row[] {
  const isDone = (remedy: Remedy): boolean => done.includes(remedy);
  const before = rowsBefore.filter(({ remedies }) => pressed || remedies.some(isDone));
  const now = new Map(advice.map((one) => [one.id, one]));
  const rows: Row[] = [];
  for (const old of before) {
    const fresh = now.get(old.id);
    now.delete(old.id);
    // A fact keeps no place, nor does anything once all was undone.
    if (fresh === undefined && (!old.look || done.length === 0)) continue;
    const offered = fresh?.remedies ?? [];
    const kept = old.remedies.filter((remedy) => isDone(remedy) || offered.includes(remedy));
    const remedies = [...kept, ...offered.filter((remedy) => !kept.includes(remedy))];
    // The example of what was done stays beside its button.
    const example = fresh?.example ?? old.example ?? '';
    rows.push({ ...(fresh ?? old), example, remedies, offered, found: fresh !== undefined });
  }
  const added = [...now.values()].map((one) => ({ ...one, offered: one.remedies, found: true }));
  let last = rows.length;
  while (rows[last - 1]?.look === false) last--;
  const isLook = ({ look }: Advice): boolean => look;
  return [
    ...rows.slice(0, last),
    ...added.filter(isLook),
    ...rows.slice(last),
    ...added.filter((one) => !isLook(one)),
  ];
}
