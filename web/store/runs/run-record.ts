/** Records of saved runs. */
import type { Recipe } from '../../engine/options.ts';
import type { RunHistory, RunState } from '../../engine/trainer.ts';
import type { SourceId } from '../text/texts.ts';

/** A saved text, stored once for all runs on it. */
export interface TextFacts {
  /**
   * SHA-256 of the bytes in hexadecimal; a random id in records of older versions without https.
   */
  readonly key: string;
  readonly source: SourceId;
  /** Name of the file; empty if the text is not from a file. */
  readonly fileName: string;
  readonly bytes: number;
}

/**
 * A saved run without its large parts. Default names are not stored: they are in the reader's
 * language.
 */
export interface RunRecord {
  readonly id: string;
  /** Name given by the reader; empty for none. Named runs are never deleted automatically. */
  readonly name: string;
  /** Milliseconds since 1970 by this machine's clock. */
  readonly created: number;
  readonly updated: number;
  readonly recipe: Recipe;
  readonly text: TextFacts;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /**
   * Loss with default smoothing, independent of the reader's choice; null before the first loss.
   */
  readonly loss: number | null;
  /** Tokens per character of the training text; absent in records of older versions. */
  readonly tokensPerCharacter?: number;
  /** Size of the newest checkpoint. */
  readonly bytes: number;
  /** Number of the newest complete save; the previous one is kept, too. */
  readonly save: number;
  /** Id of the tab that may save this run; a tab that resumes the run becomes its writer. */
  readonly writer: string;
  /** Whether the reader dismissed the offer to resume the run. */
  readonly dismissed: boolean;
  /** Soft-deleted. Undo works until the next deletion. */
  readonly deleted: boolean;
}

/** The facts of a run that the page passes to a save. */
export type RunFacts = Pick<
  RunRecord,
  'id' | 'updated' | 'recipe' | 'text' | 'state' | 'step' | 'steps' | 'loss' | 'tokensPerCharacter'
>;

/** A complete save. */
export interface RunSave {
  readonly file: Blob;
  readonly history: RunHistory;
  /** The text shown in the attention panel. */
  readonly probe: string;
}

/** Number of unnamed runs that are kept. */
export const KEEP_AUTOMATIC = 8;

/** Records that are not deleted, newest first. */
export function visible(records: readonly RunRecord[]): RunRecord[] {
  return records.filter(({ deleted }) => !deleted).sort((a, b) => b.updated - a.updated);
}

/**
 * Ids of the records to delete: unnamed ones beyond the newest `keep`. Those in `spared` (open in
 * some tab) stay, but count.
 */
export function toDrop(
  records: readonly RunRecord[],
  spared: ReadonlySet<string>,
  keep = KEEP_AUTOMATIC,
): string[] {
  const automatic = visible(records).filter(({ name }) => name === '');
  const first = automatic.filter(({ id }) => spared.has(id));
  const kept = new Set(
    [...first, ...automatic.filter(({ id }) => !spared.has(id))].slice(0, keep).map(({ id }) => id),
  );
  return automatic.map(({ id }) => id).filter((id) => !spared.has(id) && !kept.has(id));
}
