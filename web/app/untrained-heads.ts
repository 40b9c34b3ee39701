/** The heads of a run before its first step: from its own first probe, or asked of the engine once. */
import { headStatistics } from '../engine/head-statistics.ts';
import type { HeadStatistics } from '../engine/head-statistics.ts';
import type { Attention } from '../engine/trainer.ts';
import type { RunData } from './run-data.ts';
import type { Session } from './session.ts';

interface Known {
  readonly tokens: string;
  /** Null while the answer is awaited, or when it is that nobody knows. */
  heads: readonly HeadStatistics[] | null;
}

const known = new WeakMap<RunData, Known>();

/**
 * Statistics of every head before training on the probe of now, or null while they are not known;
 * `changed` is called when they are.
 */
export function untrainedHeads(
  session: Session,
  run: RunData,
  changed: () => void,
): readonly HeadStatistics[] | null {
  const attention = run.attention;
  if (attention === null) return null;
  const tokens = attention.tokens.map(({ id }) => id).join(' ');
  const before = known.get(run);
  if (before?.tokens === tokens) return before.heads;
  const entry: Known = { tokens, heads: null };
  known.set(run, entry);
  if (attention.step === 0) {
    entry.heads = headStatistics(attention);
  } else {
    session.trainer.untrainedHeads(textOf(attention), attention.tokens.length).then(
      (heads) => {
        entry.heads = heads;
        changed();
      },
      // Unknown, then: the table says so with a dash.
      () => undefined,
    );
  }
  return entry.heads;
}

/** The probe text, from its tokens. */
function textOf(attention: Attention): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const token of attention.tokens) {
    if (token.kind === 'bytes') {
      for (const pair of token.hex.match(/[0-9a-f]{2}/gi) ?? []) bytes.push(parseInt(pair, 16));
    } else if (token.kind === 'text') bytes.push(...encoder.encode(token.text));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
