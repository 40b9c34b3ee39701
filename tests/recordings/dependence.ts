/** What answers of the trainer's calls depend on, for recordings. */
import type { Method, Question as AnyStep } from '../../web/engine/remote.ts';
import type { RecordedTrainer } from './recorded-trainer.ts';

/**
 * What the answer of a call depends on; `model` includes the text. `nothing`: calls without an
 * effect in component tests. Null: calls outside of the queue. Not listed: methods of
 * RecordedTrainer, and calls that may be asked of any step, which depend on the model.
 */
export type Dependence = 'arguments' | 'text' | 'model' | 'nothing' | null;

export const DEPENDS: Readonly<
  Record<Exclude<Method, AnyStep | keyof RecordedTrainer>, Dependence>
> = {
  options: 'arguments',
  architecture: 'arguments',
  parameterCounts: 'arguments',
  fit: 'text',
  untrainedHeads: 'model',
  vocabulary: 'model',
  merges: 'model',
  trace: 'model',
  yardsticks: 'model',
  scoreByTable: 'model',
  writeByTable: 'model',
  pace: 'nothing',
  rest: 'nothing',
  cancelVerify: 'nothing',
  cancelSample: null,
  giveUpWay: null,
};
