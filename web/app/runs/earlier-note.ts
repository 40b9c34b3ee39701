/**
 * Which runs lay beside the shown one, noted for this tab: after a reload they lie there again. Their
 * curves are kept with the runs themselves; the note has only what is known nowhere else.
 */
import type { Recipe } from '../../engine/options.ts';
import type { EarlierRun } from '../earlier-runs.ts';

/** One of them, as it is noted. */
export interface EarlierNote {
  /** The id under which the run is kept. */
  readonly saved: string;
  /** Its number among the lines, which its name, dash and colour come from. */
  readonly id: number;
  readonly shown: boolean;
  /** What its steps were made with. */
  readonly recipe: Recipe;
  /** What the run kept before it was made with; null for the first. */
  readonly before: Recipe | null;
  /** Equal for runs of equal texts. */
  readonly textNumber: number;
  /** By which an equal text is known later; null for long ones. */
  readonly likeness: string | null;
  readonly tokensPerCharacter: EarlierRun['tokensPerCharacter'];
  /** Options that were changed on the way. */
  readonly changed: readonly string[];
}

/** Lines that come from runs which are not kept are left out; null for none. */
export function writeEarlier(
  runs: readonly EarlierRun[],
  savedAs: (run: number) => string | undefined,
  likeness: (textNumber: number) => string | null,
): string | null {
  const notes = runs.flatMap(
    ({ id, run, shown, recipe, before, textNumber, tokensPerCharacter }) => {
      const saved = savedAs(run.number);
      if (saved === undefined) return [];
      const { changed } = run;
      const note: EarlierNote = {
        ...{ saved, id, shown, recipe, before, textNumber, tokensPerCharacter, changed },
        likeness: likeness(textNumber),
      };
      return [note];
    },
  );
  return notes.length === 0 ? null : JSON.stringify(notes);
}

/** What was noted; what is not understood is left out. */
export function readEarlier(text: string | null): EarlierNote[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(read)) return [];
    return read.filter(isNote).map((note) => ({
      ...note,
      before: note.before ?? null,
      // JSON knows no NaN.
      tokensPerCharacter: {
        train: note.tokensPerCharacter.train ?? NaN,
        validation: note.tokensPerCharacter.validation ?? NaN,
      },
    }));
  } catch {
    return [];
  }
}

type WrittenNote = Omit<EarlierNote, 'tokensPerCharacter' | 'before'> & {
  /** Notes of older pages have none. */
  readonly before?: Recipe | null;
  readonly tokensPerCharacter: {
    readonly train: number | null;
    readonly validation: number | null;
  };
};

function isNote(read: unknown): read is WrittenNote {
  const note = read as Partial<WrittenNote> | null;
  return (
    typeof note?.saved === 'string' &&
    Number.isSafeInteger(note.id) &&
    Number.isSafeInteger(note.textNumber) &&
    typeof note.shown === 'boolean' &&
    (note.likeness === null || typeof note.likeness === 'string') &&
    typeof note.recipe?.preset === 'string' &&
    typeof note.recipe.changes === 'object' &&
    typeof note.tokensPerCharacter === 'object' &&
    Array.isArray(note.changed)
  );
}
