/**
 * The interface between page and engine, and the table of its calls. Implemented on the engine
 * itself (direct.ts) and by a client of a worker (client.ts); all arguments and answers are plain
 * data.
 */
import { FILES, RECEIPTS } from './interface/files.ts';
import type { Files, Receipts } from './interface/files.ts';
import { INSPECTION } from './interface/inside.ts';
import type { Inspection } from './interface/inside.ts';
import { PAST } from './interface/past.ts';
import type { Past } from './interface/past.ts';
import { TRACING } from './interface/tracing.ts';
import type { Tracing } from './interface/tracing.ts';
import { TRAINING } from './interface/training.ts';
import type { Training } from './interface/training.ts';
import { WRITING } from './interface/writing.ts';
import type { Writing } from './interface/writing.ts';

export type * from './interface/files.ts';
export type * from './interface/inside.ts';
export type * from './interface/past.ts';
export type * from './interface/tracing.ts';
export type * from './interface/training.ts';
export type * from './interface/writing.ts';

/**
 * Trains on one text at a time. Calls are safe in any state: to start twice, or to pause when
 * paused, has no further effect. Failures reject with GlasshouseError.
 */
export interface Trainer extends Training, Writing, Inspection, Tracing, Past, Files, Receipts {
  /**
   * Settles once the trainer is closed or its worker has died; no more answers or reports follow.
   */
  readonly closed: Promise<void>;
  /** Frees everything. */
  close(): void;
}

/** The table of all asynchronous calls. */
export const CALLS = {
  ...TRAINING,
  ...WRITING,
  ...INSPECTION,
  ...TRACING,
  ...PAST,
  ...FILES,
  ...RECEIPTS,
};
