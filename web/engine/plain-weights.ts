/** Takes the weights out of a checkpoint, for the calls that read weights alone. */
import type { FileSource, ModelFacts, Trainer } from './trainer.ts';

/**
 * The weights of `file` if it is a checkpoint; any other file unchanged. `fresh` starts an engine
 * that may be used up; it is closed.
 */
export async function plainWeights(
  file: FileSource,
  reader: Pick<Trainer, 'inspect'>,
  fresh: () => Promise<Trainer>,
): Promise<FileSource> {
  const files = { weights: file };
  const facts = await reader.inspect(files).catch((): ModelFacts | null => null);
  if (facts?.resumable !== true) return file;
  const trainer = await fresh();
  try {
    await trainer.prepare(null, { files, purpose: 'generate' });
    return await trainer.save('weights', facts.note);
  } finally {
    trainer.close();
  }
}
