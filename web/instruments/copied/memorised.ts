/** How much of its text the model continues word for word, in a sentence and as curves. */
import type { Memorised } from '../../data/loss-history.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { SharesMark } from '../../kit/layers.ts';
import type { Session } from '../../store/training/session.ts';

export interface MemorisedData {
  /** In the order of their steps. */
  readonly points: readonly Memorised[];
  /** How many prompts of either part of the text there are, and the most tokens of one. */
  readonly prompts: { readonly train: number; readonly heldOut: number; readonly tokens: number };
  /** Whether sequences are lines. */
  readonly documents: boolean;
}

/** Null without a run. */
export function memorisedOf(session: Session | null): MemorisedData | null {
  const current = session?.current ?? null;
  if (current === null) return null;
  const { prompts, documents } = current.info;
  return { points: current.data.history.memorised, prompts, documents };
}

/** The newest figures; empty before there are any. */
export function memorisedText(
  { points, prompts }: Pick<MemorisedData, 'points' | 'prompts'>,
  words: AllWords,
): string {
  const { t, number } = words;
  const last = points.at(-1);
  if (last === undefined) return '';
  const train = { share: percent(last.train, words), count: prompts.train };
  const heldOut = { share: percent(last.heldOut, words), count: prompts.heldOut };
  const said = [t('memorised.said', { step: number(last.step), ...train })];
  if (prompts.heldOut > 0) said.push(t('memorised.said.held-out', heldOut));
  return sentences(said, words);
}

/** The curves, to be drawn below the losses. */
export function memorisedMark(points: readonly Memorised[], { t }: AllWords): SharesMark {
  const isHeldOut = points.some(({ heldOut }) => Number.isFinite(heldOut));
  return {
    title: t(isHeldOut ? 'memorised.chart' : 'memorised.chart.train'),
    shares: points.map(({ step, train, heldOut }) => ({ step, full: train, dashed: heldOut })),
  };
}

export const percent = (share: number, { number }: AllWords): string =>
  Number.isFinite(share) ? `${number(Math.round(100 * share))}%` : '–';
