/** The smoothed loss of a run at the very step at which it was saved. */
import { LossHistory } from '../../data/loss-history.ts';
import { everyStep } from '../../engine/every-step.ts';
import type { Checkpoint } from '../../engine/trainer.ts';

/**
 * As the page shows it; null before the first step. `shown` is what the page has of the run: it may
 * be a frame behind what was saved, or ahead of it.
 */
export function checkpointLoss(
  { history, step }: Pick<Checkpoint, 'history' | 'step'>,
  shown?: LossHistory,
): number | null {
  if (shown?.length === step) return shown.smoothedLast() ?? null;
  const losses = new LossHistory();
  losses.append(0, everyStep(history, step).losses);
  return losses.smoothedLast() ?? null;
}
