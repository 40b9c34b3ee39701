/**
 * A note in the tab's storage of the earlier runs beside the shown one, to restore them after a
 * reload. Their curves are in the run store; the note has only facts that the store lacks.
 */
import type { Recipe } from '../../engine/options.ts';
import type { EarlierRun } from '../training/earlier-runs.ts';

/** An earlier run in the note. */
export interface EarlierNote {
  /** Id of the saved run. */
  readonly saved: string;
  /** Number among the lines, which determines name, dash and colour. */
  readonly id: number;
  readonly shown: boolean;
  readonly aside: boolean;
  /** Text key of the run that was shown; null if unknown. */
  readonly beside: string | null;
  /** Recipe of its steps. */
  readonly recipe: Recipe;
  /** Recipe of the run kept before it; null for the first. */
  readonly before: Recipe | null;
  readonly tokensPerCharacter: EarlierRun['tokensPerCharacter'];
  /** Options that were changed during the run. */
  readonly changed: readonly string[];
}

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

/** Parses the note; leaves out invalid entries. */
export function readEarlier(text: string | null): EarlierNote[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(read)) return [];
    return read.filter(isNote).map((note) => ({
      ...note,
      before: note.before ?? null,
      aside: note.aside ?? false,
      beside: note.beside ?? null,
      // JSON has no NaN.
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
  /** Absent in notes of older versions. */
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
