/** The beginning of the held-out text, to analyse token by token. */
import type { CurrentRun } from '../training/current-run.ts';

/** Maximum number of characters. */
const LENGTH = 300;

/** Text that training never sees, in whole lines or words; empty if nothing is held out. */
export function heldOutPart(current: Pick<CurrentRun, 'info' | 'plan'> | null): string {
  const heldOutText = current?.info.heldOutText ?? '';
  const part = Array.from(heldOutText).slice(0, LENGTH).join('');
  const whole = part.length === heldOutText.length;
  // The first document is complete; an incomplete last line is removed.
  if ((current?.plan.documents ?? 0) > 0) {
    return (whole ? part : part.replace(/\n[^\n]*$/, '')).trimEnd();
  }
  // A stream is cut at any place, so incomplete words at both ends are removed.
  return part.replace(/^\S*\s+|^\uFFFD+/, '').replace(whole ? /\s+$/ : /\s+\S*$|\uFFFD+$/, '');
}
