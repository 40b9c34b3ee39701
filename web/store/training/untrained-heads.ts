/**
 * Statistics of a run's heads before its first step: from its first probe, or requested from the
 * engine once.
 */
import { asError } from '../../engine/errors.ts';
import { headStatistics } from '../../engine/head-statistics.ts';
import type { Trainer } from '../../engine/trainer.ts';
import { textOf } from '../../data/byte-groups.ts';
import type { UntrainedHeads } from './head-habits.ts';
import type { RunData } from './run-data.ts';
import type { OpenedModel } from './model-files.ts';

/** Parts of a session used here. */
export interface AskedSession {
  readonly current: { readonly model: Pick<OpenedModel, 'purpose'> | null } | null;
  readonly trainer: Pick<Trainer, 'untrainedHeads'>;
}

interface Known {
  readonly tokens: string;
  heads: UntrainedHeads;
}

const known = new WeakMap<RunData, Known>();

/**
 * Statistics of all heads before training on the present probe; calls `changed` when they arrive.
 */
export function untrainedHeads(
  session: AskedSession,
  run: RunData,
  changed: () => void,
): UntrainedHeads {
  const attention = run.attention;
  if (attention === null) return 'awaited';
  const tokens = attention.tokens.map(({ id }) => id).join(' ');
  const before = known.get(run);
  if (before?.tokens === tokens) return before.heads;
  const entry: Known = { tokens, heads: 'awaited' };
  known.set(run, entry);
  const first = run.attentions.entries[0];
  const opened = session.current?.model ?? null;
  if (opened !== null && opened.purpose !== 'resume') {
    // Weights from a file were trained before, and no file has their initial values.
    entry.heads = 'unknown';
  } else if (first?.step === 0) {
    entry.heads = headStatistics(first);
  } else {
    session.trainer.untrainedHeads(textOf(attention.tokens), attention.tokens.length).then(
      (heads) => {
        entry.heads = heads ?? 'unknown';
        changed();
      },
      (thrown: unknown) => {
        if (['state', 'cancelled'].includes(asError(thrown).code)) {
          // Another model is being made: the next update asks again.
          if (known.get(run) === entry) known.delete(run);
          return;
        }
        entry.heads = 'unknown';
        changed();
      },
    );
  }
  return entry.heads;
}
