/**
 * The run under way as this tab saves it: the id in the store, and which of its states is saved.
 * Owns the lock of that id, and notes the id for after a reload.
 */
import { keep, randomId, recall } from '../storage.ts';
import type { RunData } from '../training/run-data.ts';
import { holdRun } from './run-lock.ts';

/** Where the id is noted. */
const KEY = 'run';

const nothing = (): void => undefined;

type RunPlace = Pick<RunData, 'step' | 'state'>;

export class TabRun {
  /** The reader deleted it: it is not saved behind the reader's back. */
  isMuted = false;
  #number = -1;
  #id: string | null = null;
  #release = nothing;
  /** It is being given an id. */
  #naming: Promise<void> | null = null;
  #saved = '';

  /** As the trainer counts runs. */
  get number(): number {
    return this.#number;
  }

  /** Null until it has one. */
  get id(): string | null {
    return this.#id;
  }

  /** Id of the run that the tab had before a reload. */
  get idBefore(): string | null {
    return recall('tab', KEY);
  }

  /** Another run is under way; `id` and the release of its lock are null for a new one. */
  begin(number: number, id: string | null = null, release: (() => void) | null = null): void {
    this.#number = number;
    this.isMuted = false;
    this.#saved = '';
    this.#take(id, release);
  }

  /** The same run goes on with another number, from an earlier state. */
  goOn(number: number): void {
    this.#number = number;
    this.#saved = '';
  }

  isSaved(place: RunPlace): boolean {
    return this.#saved === stampOf(place);
  }

  /** This is the state that is saved; null if none is. */
  setSaved(place: RunPlace | null): void {
    this.#saved = place === null ? '' : stampOf(place);
  }

  /** Another tab went on with it under its id: from here on it is a run of its own. */
  leaveId(): void {
    this.#id = null;
  }

  /** Gives it an id, and holds the lock of that. */
  name(): Promise<void> {
    const give = async (): Promise<void> => {
      const id = randomId();
      const number = this.#number;
      const release = await holdRun(id);
      if (number === this.#number) this.#take(id, release);
      else release?.();
    };
    // Where it cannot be had, it is asked for anew.
    this.#naming ??= give().finally(() => {
      this.#naming = null;
    });
    return this.#naming;
  }

  destroy(): void {
    this.#release();
  }

  #take(id: string | null, release: (() => void) | null): void {
    this.#release();
    this.#release = release ?? nothing;
    this.#id = id;
    keep('tab', KEY, id);
  }
}

/** By which a state of a run is known from its next one. */
function stampOf({ step, state }: RunPlace): string {
  return `${String(step)} ${state}`;
}
