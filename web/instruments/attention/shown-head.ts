/** Selects the attention weights (by viewed step) and the head that the panel shows. */
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { placeWithin, sameTokens } from '../../data/attention-data.ts';
import type { HeadPlace } from '../../data/attention-data.ts';
import { headStatistics } from '../../engine/head-statistics.ts';
import type { HeadStatistics } from '../../engine/head-statistics.ts';
import type { Attention } from '../../engine/trainer.ts';
import type { Words } from '../../i18n/index.ts';
import { messageOf } from '../../store/messages.ts';
import { seenAt, stepLookedAt } from '../../store/timeline.ts';
import { ClearestHead } from '../../store/training/head-habits.ts';
import { useFirstInstrument } from '../component.tsx';

/** View settings of the large head in the column. */
export class ColumnView {
  readonly shape = signal<'map' | 'arcs'>('map');
  /** Index of the highlighted token; -1 for the last. */
  readonly row = signal(-1);
}

/** View settings of the large head in the tab. */
export class WideView extends ColumnView {}

/** The large head and its view settings. */
export interface HeadProps {
  readonly attention: Attention;
  readonly chosen: HeadPlace;
  /** Index of the token whose row is highlighted in map and arcs. */
  readonly read: number;
  readonly isWide: boolean;
}

export function headName({ layer, head }: HeadPlace, { t }: Words): string {
  return t('attention.head', { layer: layer + 1, head: head + 1 });
}

export type ShownHead = ReturnType<typeof useShownHead>;

export function useShownHead() {
  const { words, state, session, kept } = useFirstInstrument();
  const now = session();
  const run = now?.run ?? null;
  const problem = run?.attentionError ?? null;
  // An empty field is not an error.
  const error = problem === null || problem.code === 'empty' ? '' : messageOf(problem, words);
  const newest = useLast(run?.attention ?? null, run?.number, error !== '');
  const lookBack = stepLookedAt(state.lookedAt, run);
  const history = withSeen(run?.attentions.entries ?? [], seenAt(now, lookBack)?.attention);
  // The step itself may have been dropped from the history.
  const before = history.filter(({ step }) => step <= (lookBack ?? Infinity)).at(-1);
  const attention = lookBack === null ? newest : (before ?? newest);
  const clearest = (): HeadPlace =>
    run === null || run.attention === null
      ? { layer: 0, head: 0 }
      : kept(ClearestHead).find(run.number, run.attention, measure(run.attention));
  const head = state.head ?? clearest();
  const chosen = attention === null ? head : placeWithin(head, attention);
  return {
    /** The shown attention; null before the first probe. */
    attention,
    chosen,
    /** Index of the chosen head among all heads, layer by layer. */
    index: attention === null ? 0 : chosen.layer * attention.heads + chosen.head,
    measures: attention === null ? [] : measure(attention),
    /** Step of the shown attention; null if it is the newest. */
    past: attention === newest ? null : (attention?.step ?? null),
    lookBack,
    /** Attention of this run on the probe text at saved steps and the viewed one, ascending. */
    history,
    /** Number of tokens of the probe that do not fit. */
    omitted: newest?.omitted ?? 0,
    error,
  };
}

/**
 * The newest attention; after an error the previous one of the same run, so that a typo does not
 * clear the panel.
 */
function useLast(
  newest: Attention | null,
  run: number | undefined,
  isWrong: boolean,
): Attention | null {
  const last = useRef({ run, attention: newest });
  const isKept = newest === null && isWrong && last.current.run === run;
  last.current = { run, attention: isKept ? last.current.attention : newest };
  return last.current.attention;
}

/** Adds the attention of the viewed step, if it is on the same text. */
function withSeen(kept: readonly Attention[], seen: Attention | null = null): readonly Attention[] {
  const first = kept[0];
  if (seen === null || first === undefined || !sameTokens(first.tokens, seen.tokens)) return kept;
  const others = kept.filter(({ step }) => step !== seen.step);
  return [...others, seen].sort((a, b) => a.step - b.step);
}

const measured = new WeakMap<Attention, readonly HeadStatistics[]>();

/** Statistics of all heads, layer by layer, computed once per probe. */
export function measure(attention: Attention): readonly HeadStatistics[] {
  const found = measured.get(attention) ?? headStatistics(attention);
  measured.set(attention, found);
  return found;
}
