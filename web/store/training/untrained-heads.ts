/**
 * The heads of a run before its first step: from its own first probe, or asked of the engine once.
 */
import { headStatistics } from '../../engine/head-statistics.ts';
import type { Trainer } from '../../engine/trainer.ts';
import { textOf } from '../../data/byte-groups.ts';
import type { UntrainedHeads } from './head-habits.ts';
import type { RunData } from './run-data.ts';
import type { OpenedModel, Session } from './session.ts';

/** What of a session is asked. */
export interface AskedSession extends Pick<Session, 'isPreparing'> {
  readonly runModel: Pick<OpenedModel, 'purpose'> | null;
  readonly trainer: Pick<Trainer, 'untrainedHeads'>;
}

interface Known {
  readonly tokens: string;
  heads: UntrainedHeads;
}

const known = new WeakMap<RunData, Known>();

/** Every head before training on the probe of now; `changed` is called when the answer has come. */
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
  // What the run began with is not known here yet.
  if (session.isPreparing) return 'awaited';
  const entry: Known = { tokens, heads: 'awaited' };
  known.set(run, entry);
  const first = run.attentions.entries[0];
  const opened = session.runModel;
  if (opened !== null && opened.purpose !== 'resume') {
    // Its weights have learned before: what they were before that is in no file.
    entry.heads = 'unknown';
  } else if (first?.step === 0) {
    entry.heads = headStatistics(first);
  } else {
    session.trainer.untrainedHeads(textOf(attention.tokens), attention.tokens.length).then(
      (heads) => {
        entry.heads = heads ?? 'unknown';
        changed();
      },
      () => {
        entry.heads = 'unknown';
        changed();
      },
    );
  }
  return entry.heads;
}
