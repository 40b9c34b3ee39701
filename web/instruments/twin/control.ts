/** The control that was trained last: its text, and where its curve must stop. */
import type { CurrentRun } from '../../store/training/current-run.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import type { Shuffle, ShuffledText } from '../../store/text/shuffled.ts';

/** Characters of a text that is shuffled at most: it is held several times meanwhile. */
export const SHUFFLED_LENGTH = 2_000_000;

interface Control {
  readonly kind: Shuffle;
  /** By which its text is known. */
  readonly key: string;
  /** The reader's own, which was shuffled. */
  readonly whole: string;
  readonly made: ShuffledText;
  /** Puts the text back that it took the place of; null once it is. */
  back: (() => void) | null;
}

/** What the page remembers of it. */
export class ControlState {
  control: Control | null = null;
  /** Why none was made when one was asked for last. */
  wrong: 'long' | 'no-words' | null = null;

  /** The control that `run` is; null if it is another run. */
  of(run: CurrentRun | null): Control | null {
    return run !== null && run.text?.key === this.control?.key ? this.control : null;
  }
}

/** The least loss that a model of this run can have on text that it never saw, in both units. */
export function bestPossible(
  { made: { nats, characters } }: Control,
  { plan, info }: CurrentRun,
): Readonly<Record<LossUnit, number>> {
  const targets = plan.tokens + (info.documents ? plan.documents : 0);
  return { nats: nats / targets, bits: nats / Math.LN2 / characters };
}
