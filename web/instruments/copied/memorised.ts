/**
 * Memorisation: the share of prompts, taken from the text, that the model continues word for word,
 * as a sentence and as curves.
 */
import type { Memorised } from '../../data/loss-history.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { SharesMark } from '../../kit/layers.ts';
import type { Session } from '../../store/training/session.ts';

export interface MemorisedData {
  /** Measurements, ascending by step. */
  readonly points: readonly Memorised[];
  /** Numbers of prompts from the training and the held-out part, and maximum tokens of a prompt. */
  readonly prompts: { readonly train: number; readonly heldOut: number; readonly tokens: number };
  /** Whether sequences are lines. */
  readonly documents: boolean;
}

/** Measurements of the current run; null without a run. */
export function memorisedOf(session: Session | null): MemorisedData | null {
  const current = session?.current ?? null;
  if (current === null) return null;
  const { prompts, documents } = current.info;
  return { points: current.data.history.memorised, prompts, documents };
}

/** The newest shares in a sentence; empty before the first measurement. */
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

/** The shares as curves below the loss chart. */
export function memorisedMark(points: readonly Memorised[], { t }: AllWords): SharesMark {
  const isHeldOut = points.some(({ heldOut }) => Number.isFinite(heldOut));
  return {
    title: t(isHeldOut ? 'memorised.chart' : 'memorised.chart.train'),
    shares: points.map(({ step, train, heldOut }) => ({ step, full: train, dashed: heldOut })),
  };
}

export const percent = (share: number, { number }: AllWords): string =>
  Number.isFinite(share) ? `${number(Math.round(100 * share))}%` : '–';
