/** The attention of the step that is looked at. */
import type { Words } from '../../i18n/index.ts';
import type { AttentionData } from '../../data/attention-data.ts';

export interface LookedAtData {
  readonly attention: AttentionData | null;
  /**
   * The probes of this run on this text that can be looked back at, in order; the last is
   * `attention`.
   */
  readonly history: readonly AttentionData[];
  /** The step that is looked back at, as far as the history has it; null follows the run. */
  readonly lookBack: number | null;
}

/** The probe that is shown: the newest, or the one that is looked back at. */
export function shownProbe({ attention, history, lookBack }: LookedAtData): AttentionData | null {
  if (lookBack === null) return attention;
  // When the history was thinned out, the nearest before it; of another text it may have none.
  return history.filter((entry) => entry.step <= lookBack).at(-1) ?? attention;
}

/** Why what is shown is of a later step than the one that is looked at; empty where it is not. */
export function keptSince(data: LookedAtData, { number, t }: Words): string {
  const shown = shownProbe(data)?.step ?? 0;
  if (data.lookBack === null || shown <= data.lookBack) return '';
  return t('attention.back.from', { step: number(data.history[0]?.step ?? shown) });
}
