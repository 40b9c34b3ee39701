/** Recomputes a run from a snapshot to a later step, in slices that let other calls in between. */
import { yieldTask } from '../base/yield-task.ts';
import { OK } from './binding/exports.ts';
import type { EngineModel } from './binding/model.ts';
import { failure } from './errors.ts';
import type { WayBack } from './interface/past.ts';

/** Milliseconds of training before other calls get a turn. */
const SLICE = 25;

/** Trains the model to the step of `way`. `check` runs between slices and may throw to cancel. */
export async function goBack(
  model: EngineModel,
  { step, from, moment: snapshot, changes }: WayBack,
  check: () => void,
  onProgress: (step: number) => void = () => undefined,
): Promise<void> {
  if (snapshot !== null) model.restoreSnapshot(snapshot);
  else if (model.get('step') !== from) {
    throw failure('past', 'the way begins at another step', [step, from]);
  }
  let end = performance.now() + SLICE;
  for (let now = from; now < step; now++) {
    for (const one of changes) if (one.step === now) model.set(one.option, one.value);
    if (model.step() !== OK) throw failure('past', 'the run does not reach this step', [step, now]);
    if (performance.now() < end) continue;
    onProgress(now + 1);
    await yieldTask();
    check();
    end = performance.now() + SLICE;
  }
}
