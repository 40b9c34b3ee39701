/**
 * What the page knows of training: one interface, fulfilled by the engine itself (direct.ts) and by
 * a client that talks to it in a worker (client.ts), and the table of its calls. Everything that
 * crosses it is plain data.
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
 * A trainer of one text at a time. All calls are safe in any state: starting twice, pausing when
 * paused and changing things in mid-run do what they say once. Failures reject with
 * GlasshouseError.
 */
export interface Trainer extends Training, Writing, Inspection, Tracing, Past, Files, Receipts {
  /**
   * Settles when the trainer was closed, or its worker is gone: nothing more is to be heard of it.
   */
  readonly closed: Promise<void>;
  /** Frees everything. */
  close(): void;
}

/** Every call of Trainer that answers with a promise, as data. */
export const CALLS = {
  ...TRAINING,
  ...WRITING,
  ...INSPECTION,
  ...TRACING,
  ...PAST,
  ...FILES,
  ...RECEIPTS,
};
