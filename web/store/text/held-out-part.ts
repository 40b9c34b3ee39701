/** The part of the held-out text that is read token by token: no more than can be taken in. */
import type { CurrentRun } from '../training/current-run.ts';

/** Characters at most. */
const LENGTH = 300;

/** Text that training never sees: whole lines or whole words; empty if nothing is held out. */
export function heldOutPart(current: Pick<CurrentRun, 'info' | 'plan'> | null): string {
  const heldOutText = current?.info.heldOutText ?? '';
  const part = Array.from(heldOutText).slice(0, LENGTH).join('');
  const whole = part.length === heldOutText.length;
  // A document begins where it begins, and ends with its line.
  if ((current?.plan.documents ?? 0) > 0) {
    return (whole ? part : part.replace(/\n[^\n]*$/, '')).trimEnd();
  }
  // A stream is cut anywhere: from the beginning of a word to the end of one.
  return part.replace(/^\S*\s+|^\uFFFD+/, '').replace(whole ? /\s+$/ : /\s+\S*$|\uFFFD+$/, '');
}
