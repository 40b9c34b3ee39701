/**
 * The list of the check-up as it stands on the page. What was mended keeps its row and its place, and so
 * does what is no longer found because of it, until the text becomes another by other hands: nothing
 * that does something else comes to lie where somebody has just pressed.
 */
import type { Advice } from './advice.ts';
import { mendOf, remedyKey, takesGarbled } from './remedy.ts';
import type { Remedy } from './remedy.ts';

/** Something that was pressed, and that can be taken back: of which finding, and what. */
export interface Done {
  readonly id: string;
  readonly remedy: Remedy;
}

/** A row: what was said last of a finding, and whether it is still found. */
export interface Row extends Advice {
  readonly found: boolean;
  /** What is offered now; the others of its remedies are those that are done. */
  readonly offered: readonly Remedy[];
}

/** Whether it is this remedy of this finding. */
export function isSame(one: Done, id: string, remedy: Remedy): boolean {
  return one.id === id && remedyKey(one.remedy) === remedyKey(remedy);
}

/** Whether the remedy is one of these. */
export function has(all: readonly Remedy[], remedy: Remedy): boolean {
  return all.some((one) => remedyKey(one) === remedyKey(remedy));
}

/**
 * The rows after another look at the text: those that were there first, in their order. Until something
 * is `pressed`, only what is done has a place to keep.
 */
export function rowsAfter(
  rowsBefore: readonly Row[],
  advice: readonly Advice[],
  done: readonly Done[],
  pressed: boolean,
): Row[] {
  const before = rowsBefore.filter(({ id }) => pressed || done.some((one) => one.id === id));
  const now = new Map(advice.map((one) => [one.id, one]));
  const rows: Row[] = [];
  for (const old of before) {
    const fresh = now.get(old.id);
    now.delete(old.id);
    // What is only to be known has no place to keep, nor has anything where all was taken back.
    if (fresh === undefined && (!old.look || done.length === 0)) continue;
    const offered = fresh?.remedies ?? [];
    const kept = old.remedies.filter(
      (remedy) => done.some((one) => isSame(one, old.id, remedy)) || has(offered, remedy),
    );
    const added = offered.filter((remedy) => !has(kept, remedy));
    const remedies = [...kept, ...added];
    rows.push({ ...(fresh ?? old), remedies, offered, found: fresh !== undefined });
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

/** What has to be undone before `one`; null for nothing. */
export function undoneFirst(one: Done, done: readonly Done[]): Remedy | null {
  const later = done.slice(done.indexOf(one) + 1);
  const mend = mendOf(one.remedy);
  const depends = ({ remedy }: Done): boolean =>
    mend === null
      ? one.remedy.kind === 'preset' && mendOf(remedy) === null
      : (mend === 'garbled' && takesGarbled(remedy.kind)) ||
        (mend === 'western' && mendOf(remedy) !== null);
  return later.find(depends)?.remedy ?? null;
}
