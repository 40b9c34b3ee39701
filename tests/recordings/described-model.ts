/** Reads checkpoints of recorded trainers, which contain a description of the model. */
import type { Origin } from '../../web/engine/trainer.ts';
import type { ModelState } from './question.ts';

/** The model in a checkpoint of a recorded trainer; null for another file. */
export async function describedModel({ files, purpose }: Origin): Promise<ModelState | null> {
  const weights: unknown = 'weights' in files ? files.weights : null;
  if (purpose !== 'resume' || !(weights instanceof Blob)) return null;
  const isDescription = (await weights.slice(0, 1).text()) === '{';
  return isDescription
    ? (JSON.parse(await weights.text()) as { readonly model: ModelState }).model
    : null;
}
