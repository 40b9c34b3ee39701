/** What is kept of a run, and how a list of such records is read. */
import type { Recipe } from '../../engine/options.ts';
import type { RunHistory, RunState } from '../../engine/trainer.ts';
import type { SourceId } from '../text/texts.ts';

/** A text as it is kept: once, however many runs learn it. */
export interface TextFacts {
  /** SHA-256 of its bytes in hexadecimal; where pages cannot have that, an id of its own. */
  readonly key: string;
  readonly source: SourceId;
  /** Empty but for files. */
  readonly fileName: string;
  readonly bytes: number;
}

/** A saved run, without its bulk. Language-neutral: what is shown is said when it is shown. */
export interface RunRecord {
  readonly id: string;
  /** Empty until the reader gives one. Runs with a name are never dropped by themselves. */
  readonly name: string;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly created: number;
  readonly updated: number;
  readonly recipe: Recipe;
  readonly text: TextFacts;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /** Smoothed as usual, whatever the reader chose to look at; null before there is one. */
  readonly loss: number | null;
  /**
   * Tokens of the learned text over its characters; not known of runs that were kept before it was
   * asked.
   */
  readonly tokensPerCharacter?: number;
  /** Of the newest checkpoint. */
  readonly bytes: number;
  /** Number of the newest complete save; the one before it is kept beside it. */
  readonly save: number;
  /** The tab that saves under this id: another one that takes the run over writes its own here. */
  readonly writer: string;
  /** The reader did not want to go on with it. */
  readonly dismissed: boolean;
  /** Out of the list, but can come back until the next deletion. */
  readonly deleted: boolean;
}

/** What the page knows of a run at the moment of a save. */
export type RunFacts = Pick<
  RunRecord,
  'id' | 'updated' | 'recipe' | 'text' | 'state' | 'step' | 'steps' | 'loss' | 'tokensPerCharacter'
>;

/** One complete save. */
export interface RunSave {
  readonly file: Blob;
  readonly history: RunHistory;
  /** The text whose attention was looked at. */
  readonly probe: string;
}

/** Automatic runs that stay: the newest ones. */
export const KEEP_AUTOMATIC = 8;

/** Records that are to be shown, newest first. */
export function visible(records: readonly RunRecord[]): RunRecord[] {
  return records.filter(({ deleted }) => !deleted).sort((a, b) => b.updated - a.updated);
}

/**
 * Ids of the records to drop: unnamed ones beyond the newest `keep`. Those in `spared` (under way
 * somewhere) stay, and count.
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
