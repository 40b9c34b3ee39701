/** Writes a sample that is useful only if complete. */
import { failure } from '../../engine/errors.ts';
import type { Model } from '../../engine/past-run.ts';
import type { SampleRequest } from '../../engine/trainer.ts';

/** Samples a text that newer requests do not cancel; throws `cancelled` if another run begins. */
export async function wholeSample(
  model: Pick<Model, 'sample'>,
  request: Partial<SampleRequest>,
): Promise<string> {
  const { text, cancelled } = await model.sample({ ...request, whole: true });
  if (cancelled) throw failure('cancelled', 'another run took the place of the one that wrote');
  return text;
}
