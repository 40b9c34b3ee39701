/**
 * Forks a run: trains a new run from a step of the shown one, with changed options or another text.
 */
import { failure } from '../../engine/errors.ts';
import { keptText } from '../text/text-source.ts';
import type { LoadedText } from '../text/text-source.ts';
import type { Session } from '../training/session.ts';

export interface Fork {
  readonly step: number;
  /** New values, by option name; only options that may change during a run. */
  readonly changes: Readonly<Record<string, number>>;
  /**
   * Null to continue on the run's own text. Otherwise the fork is a new run on the newest text, and
   * `name` is shown as its origin.
   */
  readonly anew: { readonly name: string } | null;
}

/**
 * Trains on from a step of the shown run, which becomes an earlier run. Returns the text of the
 * fork if that is the run's own; null for the newest text.
 */
export async function forkRun(
  session: Session,
  { step, changes, anew }: Fork,
): Promise<LoadedText | null> {
  const { current: parent } = session;
  if (parent === null || parent.text === null)
    throw failure('state', 'there is no run to train on');
  const text = await keptText(parent.text);
  const file = await (await session.lookedAt.modelAt(step)).save('checkpoint', '');
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
  // The engine takes ownership of the buffer, so it gets a copy.
  const given = { ...text, bytes: text.bytes.slice() };
  await session.models.resume({ file, history, preset, changes, text: given });
  session.start();
  return text;
}
