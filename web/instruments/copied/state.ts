/** What the page remembers of what was copied: choices, and what was found out about one run. */
import type { GlasshouseError } from '../../engine/errors.ts';
import type { BaseRate, CopiedRun, Yardsticks } from '../../engine/trainer.ts';

export interface Found {
  /** Of the run that it is about. */
  readonly key: string;
  /** Null until there are newest texts, and where nothing tells it. */
  base: BaseRate | null;
  yardsticks: Yardsticks | null;
  newest: {
    readonly step: number;
    readonly texts: readonly string[];
    /** Of each text. */
    readonly runs: readonly (readonly CopiedRun[])[];
  } | null;
  /** Texts are being looked up. */
  busy: boolean;
  error: GlasshouseError | null;
}

export class CopiedState {
  marks = true;
  lines = true;
  /** What is continued word for word is drawn below the loss curve. */
  memorised = false;
  checked = '';
  /** Another one each time that a table writes. */
  seed = 0;
  found: Found | null = null;
  /** Hears of what a panel has found after another took its place. */
  onFound: (() => void) | null = null;
}
