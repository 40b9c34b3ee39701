/**
 * Which runs lay beside the shown one, noted for this tab: after a reload they lie there again.
 * Their curves are kept with the runs themselves; the note has only what is known nowhere else.
 */
import type { Recipe } from '../../engine/options.ts';
import type { EarlierRun } from '../training/earlier-runs.ts';

/** One of them, as it is noted. */
export interface EarlierNote {
  /** The id under which the run is kept. */
  readonly saved: string;
  /** Its number among the lines, which its name, dash and colour come from. */
  readonly id: number;
  readonly shown: boolean;
  readonly aside: boolean;
  /** Key of the text of the run that they lay beside; null if it is not known. */
  readonly beside: string | null;
  /** What its steps were made with. */
  readonly recipe: Recipe;
  /** What the run kept before it was made with; null for the first. */
  readonly before: Recipe | null;
  readonly tokensPerCharacter: EarlierRun['tokensPerCharacter'];
  /** Options that were changed on the way. */
  readonly changed: readonly string[];
}

/**
 * Lines beside a run on the text with the key `beside`. Runs that are not kept are left out; null
 * if no line is left.
 */
export function writeEarlier(
  runs: readonly EarlierRun[],
  savedAs: (run: number) => string | undefined,
  beside: string | null,
): string | null {
  const notes = runs.flatMap(
    ({ id, run, shown, aside = false, recipe, before, tokensPerCharacter }): EarlierNote[] => {
      const saved = savedAs(run.number);
      if (saved === undefined) return [];
      const { changed } = run;
      const line = { saved, id, shown, aside, beside, recipe, before };
      return [{ ...line, tokensPerCharacter, changed }];
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
      aside: note.aside ?? false,
      beside: note.beside ?? null,
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

type WrittenNote = Omit<EarlierNote, 'tokensPerCharacter' | 'before' | 'aside' | 'beside'> & {
  /** Notes of older pages have none of these. */
  readonly before?: Recipe | null;
  readonly aside?: boolean;
  readonly beside?: string | null;
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
    typeof note.shown === 'boolean' &&
    typeof note.recipe?.preset === 'string' &&
    typeof note.recipe.changes === 'object' &&
    typeof note.tokensPerCharacter === 'object' &&
    (note.beside === undefined || note.beside === null || typeof note.beside === 'string') &&
    Array.isArray(note.changed)
  );
}
