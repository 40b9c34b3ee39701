/**
 * The list of the check-up as it stands on the page. What was mended keeps its row and its place, and so
 * does what is no longer found because of it, until the text becomes another by other hands: nothing
 * that does something else comes to lie where somebody has just pressed.
 */
import type { Advice, Mend } from './advice.ts';

/** Something that was pressed, and that can be taken back. */
export interface Done {
  /** The finding it belongs to, and the name of the button. */
  readonly id: string;
  readonly label: string;
  /** The change of the text; null for one of the settings. */
  readonly mend: Mend | null;
  /** Whether all settings were changed at once. */
  readonly preset: boolean;
}

/** A row: what was said last of a finding, and whether it is still found. */
export interface Row extends Advice {
  readonly found: boolean;
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
    // What is only to be known has no place to keep.
    if (fresh === undefined && !old.look) continue;
    const isDone = (label: string): boolean =>
      done.some((one) => one.id === old.id && one.label === label);
    const offered = fresh?.remedies ?? [];
    const kept = old.remedies.filter(
      ({ label }) => isDone(label) || offered.some((one) => one.label === label),
    );
    const added = offered.filter(({ label }) => kept.every((one) => one.label !== label));
    rows.push({ ...(fresh ?? old), remedies: [...kept, ...added], found: fresh !== undefined });
  }
  const added = [...now.values()].map((one) => ({ ...one, found: true }));
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

/** What has to be undone before `one`: the name of its button, or an empty string. */
export function undoneFirst(one: Done, done: readonly Done[]): string {
  const later = done.slice(done.indexOf(one) + 1);
  const depends = (other: Done): boolean =>
    one.mend === null
      ? one.preset && other.mend === null
      : // Blanks and signs are parts of garbled characters.
        one.mend === 'garbled' && (other.mend === 'space' || other.mend === 'rare');
  return later.find(depends)?.label ?? '';
}
