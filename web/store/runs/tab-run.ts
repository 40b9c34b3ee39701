/**
 * The run of this tab in the store: its id, and which state is saved. Owns the lock of the id, and
 * notes the id for a reload.
 */
import { keep, randomId, recall } from '../storage.ts';
import type { RunData } from '../training/run-data.ts';
import { holdRun } from './run-lock.ts';

/** Name of the note in the tab's storage. */
const KEY = 'run';

/** Milliseconds of training that a closed tab may lose: opening the run again repeats its steps. */
const NEGLIGIBLE = 10_000;

const nothing = (): void => undefined;

type RunPlace = Pick<RunData, 'step' | 'state'>;

export class TabRun {
  /** The reader deleted the run: it is not saved any more. */
  isMuted = false;
  #number = -1;
  #id: string | null = null;
  #release = nothing;
  /** The pending call of `name`, or null. */
  #naming: Promise<void> | null = null;
  #saved = '';
  /** The step that the store contains, and when it was stored. */
  #stored = { step: 0, at: 0 };

  /** Number of the run in the trainer. */
  get number(): number {
    return this.#number;
  }

  /** Id of the run in the store; null until assigned. */
  get id(): string | null {
    return this.#id;
  }

  /** Id of the run that the tab had before a reload; null if none. */
  get idBefore(): string | null {
    return recall('tab', KEY);
  }

  /** Starts another run; `id` and the release of its lock are null for a new one. */
  begin(number: number, id: string | null = null, release: (() => void) | null = null): void {
    this.#number = number;
    this.isMuted = false;
    this.#saved = '';
    this.setStored(0);
    this.#setId(id, release);
  }

  /** The run continues from an earlier state under another number. */
  goOn(number: number): void {
    this.#number = number;
    this.#saved = '';
  }

  isSaved(place: RunPlace): boolean {
    return this.#saved === stampOf(place);
  }

  /** Notes the saved state; null if no state is saved. */
  setSaved(place: RunPlace | null): void {
    this.#saved = place === null ? '' : stampOf(place);
  }

  /** Notes that the store contains the run at `step`. */
  setStored(step: number): void {
    this.#stored = { step, at: performance.now() };
  }

  /** Whether a closed tab would lose more than NEGLIGIBLE of training, because saves failed. */
  mayLose({ number, step, state }: RunData): boolean {
    const { step: stored, at } = this.#stored;
    if (number !== this.#number || this.isMuted || state === 'diverged') return false;
    return step !== stored && performance.now() - at > NEGLIGIBLE;
  }

  /** Drops the id, because another tab has resumed the run; the next save chooses a new one. */
  leaveId(): void {
    this.#id = null;
  }

  /** Chooses an id and locks it. */
  name(): Promise<void> {
    const assign = async (): Promise<void> => {
      const id = randomId();
      const number = this.#number;
      const release = await holdRun(id);
      if (number === this.#number) this.#setId(id, release);
      else release?.();
    };
    // After a failure the next call tries again.
    this.#naming ??= assign().finally(() => {
      this.#naming = null;
    });
    return this.#naming;
  }

  destroy(): void {
    this.#release();
  }

  #setId(id: string | null, release: (() => void) | null): void {
    this.#release();
    this.#release = release ?? nothing;
    this.#id = id;
    keep('tab', KEY, id);
  }
}

/** Identifies a state of a run. */
function stampOf({ step, state }: RunPlace): string {
  return `${String(step)} ${state}`;
}
