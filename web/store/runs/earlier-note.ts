/**
 * A note in the tab's storage of the earlier runs beside the shown one, to restore them after a
 * reload. Their curves are in the run store; the note has only facts that the store lacks.
 */
import * as v from 'valibot';
import { NUMBER, readStored, RECIPE } from '../stored.ts';
import type { EarlierRun } from '../training/earlier-runs.ts';

/** An earlier run in the note. Members with a default are absent in notes of older versions. */
const NOTE = v.object({
  /** Id of the saved run. */
  saved: v.string(),
  /** Number among the lines, which determines name, dash and colour. */
  id: v.custom<number>((id) => Number.isSafeInteger(id) && (id as number) >= 0),
  shown: v.boolean(),
  aside: v.fallback(v.boolean(), false),
  isOpened: v.fallback(v.boolean(), false),
  /** Text key of the run that was shown; null if unknown. */
  beside: v.fallback(v.nullable(v.string()), null),
  /** Recipe of the steps that the run has made. */
  recipe: RECIPE,
  /** Recipe of the run kept before this one; null for the first. */
  before: v.fallback(v.nullable(RECIPE), null),
  tokensPerCharacter: v.object({ train: NUMBER, validation: NUMBER }),
  /** Options that were changed during the run. */
  changed: v.array(v.string()),
});
const NOTES = v.array(v.fallback(v.nullable(NOTE), null));

export type EarlierNote = v.InferOutput<typeof NOTE>;

/**
 * The note of the lines beside a run on the text with key `beside`. Unsaved runs are left out; null
 * if no line remains.
 */
export function writeEarlier(
  runs: readonly EarlierRun[],
  savedAs: (run: number) => string | undefined,
  beside: string | null,
): string | null {
  const notes = runs.flatMap(
    ({ id, run, shown, aside = false, isOpened = false, recipe, before, tokensPerCharacter }) => {
      const saved = savedAs(run.number);
      if (saved === undefined) return [];
      const { changed } = run;
      const line = { saved, id, shown, aside, isOpened, beside, recipe, before };
      return [{ ...line, tokensPerCharacter, changed }];
    },
  );
  return notes.length === 0 ? null : JSON.stringify(notes);
}

/** Parses the note; leaves out invalid entries. */
export function readEarlier(text: string | null): EarlierNote[] {
  return (readStored(NOTES, text) ?? []).filter((note) => note !== null);
}
