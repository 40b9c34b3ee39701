/** A run that leaves another one at some step: it learns on from there with something changed. */
import { failure } from '../../engine/errors.ts';
import { keptText } from '../text/text-source.ts';
import type { LoadedText } from '../text/text-source.ts';
import type { Session } from '../training/session.ts';

export interface Fork {
  readonly step: number;
  /** What may change in a run, by name. */
  readonly changes: Readonly<Record<string, number>>;
  /** It learns the newest text in place of that of the run, and is said to begin here. */
  readonly anew: { readonly name: string } | null;
}

/**
 * Trains the shown run on from a step; the run that there was stays as a line beside it. Answers
 * the text of that run, where it goes on with it.
 */
export async function forkRun(
  session: Session,
  { step, changes, anew }: Fork,
): Promise<LoadedText | null> {
  const { current: parent } = session;
  if (parent === null || parent.text === null)
    throw failure('state', 'there is no run to train on');
  const text = await keptText(parent.text);
  const file = await (await session.pastModel(step)).save('checkpoint', '');
  const { preset } = parent.recipe;
  if (anew !== null) {
    await session.models.fork({ name: anew.name, file, preset, changes });
    session.start();
    return null;
  }
  const { history: known, samples } = parent.data;
  const until = <Noted extends { readonly step: number }>(all: readonly Noted[]): Noted[] =>
    all.filter((one) => one.step <= step);
  const history = {
    ...known.until(step),
    validations: until(known.validations),
    memorised: until(known.memorised),
    samples: until(samples),
  };
  // The engine takes the bytes over.
  const given = { ...text, bytes: text.bytes.slice() };
  await session.models.resume({ file, history, preset, changes, text: given });
  session.start();
  return text;
}
