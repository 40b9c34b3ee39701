/** The last control run, trained on a shuffled text: this text, and the lowest possible loss. */
import { signal } from '@preact/signals';
import type { CurrentRun } from '../../store/training/current-run.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import type { Shuffle, ShuffledText } from '../../store/text/shuffled.ts';

/** Maximum characters of a text to shuffle, because several copies are in memory meanwhile. */
export const SHUFFLED_LENGTH = 2_000_000;

interface Control {
  readonly kind: Shuffle;
  /** Hash of the shuffled text (see text-key.ts). */
  readonly key: string;
  /** The original text. */
  readonly whole: string;
  readonly made: ShuffledText;
  /** Restores the original text; null afterwards. */
  readonly back: (() => void) | null;
}

/** The last control run, or the reason for its absence. */
export class ControlState {
  readonly control = signal<Control | null>(null);
  /** Why the last request trained no control; null if it trained one, and before the first. */
  readonly wrong = signal<'long' | 'no-words' | null>(null);

  /** The control whose shuffled text `run` was trained on; null for other runs. */
  of(run: CurrentRun | null): Control | null {
    const control = this.control.value;
    return run !== null && run.text?.key === control?.key ? control : null;
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
