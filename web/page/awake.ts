/**
 * While a run goes on: keeps the screen of a phone awake where the browser can, and notices when
 * the browser slowed the run down, as it may with a page that is hidden or a machine that slept.
 */
import type { Slowed } from '../store/page-state.ts';
import type { RunData } from '../store/training/run-data.ts';

/** Milliseconds out of sight, or without news from the run, that are worth a look. */
const LONG = 30_000;
/** Steps that must have been expected, and the share of them below which the run was slowed. */
const MANY = 5;
const SHARE = 0.5;

type RunPlace = Pick<RunData, 'number' | 'step' | 'stepsPerSecond'>;

/** Where a run was at a moment. */
interface Mark extends RunPlace {
  readonly time: number;
}

export class Awake {
  readonly #running: () => RunPlace | null;
  readonly #onSlowed: (what: Slowed) => void;
  /** Null while none is wanted. */
  #lock: Promise<WakeLockSentinel | null> | null = null;
  /** Where the run was when it was heard of last, and when the page was hidden. */
  #last: Mark | null = null;
  #hidden: Mark | null = null;

  /** `running` gives the run that trains now, or null. */
  constructor(running: () => RunPlace | null, onSlowed: (what: Slowed) => void) {
    this.#running = running;
    this.#onSlowed = onSlowed;
    document.addEventListener('visibilitychange', this.#onSight);
  }

  /** The run has changed. */
  look(): void {
    const run = this.#running();
    // What is hidden is looked at once it is seen again.
    if (run === null) this.#hidden = null;
    else if (this.#hidden === null) this.#compare(this.#last, run);
    this.#last = run && markOf(run);
    this.#hold();
  }

  destroy(): void {
    document.removeEventListener('visibilitychange', this.#onSight);
    this.#last = null;
    this.#hold();
  }

  readonly #onSight = (): void => {
    const run = this.#running();
    if (run !== null) this.#compare(this.#hidden, run);
    this.#hidden = document.visibilityState === 'hidden' && run !== null ? markOf(run) : null;
    this.#hold();
  };

  /** Tells of the time since `mark` if the run did not go on as it had before. */
  #compare(mark: Mark | null, run: RunPlace): void {
    const time = Date.now();
    if (mark === null || mark.number !== run.number || time - mark.time < LONG) return;
    const seconds = (time - mark.time) / 1000;
    const expected = Math.round(mark.stepsPerSecond * seconds);
    const done = run.step - mark.step;
    if (expected < MANY || done >= SHARE * expected) return;
    this.#onSlowed({ run: run.number, seconds, done, expected });
  }

  /** Keeps the screen awake while a run trains in sight. */
  #hold(): void {
    const isWanted = this.#last !== null && document.visibilityState === 'visible';
    if (isWanted === (this.#lock !== null)) return;
    if (isWanted) this.#lock = requestLock();
    else {
      // A lock that the browser has let go by itself may be released once more.
      void this.#lock?.then((lock) => lock?.release());
      this.#lock = null;
    }
  }
}

/** Null where the browser has no such locks, or refuses: on a low battery, say. */
async function requestLock(): Promise<WakeLockSentinel | null> {
  // A frame needs its host's leave; without it the browser logs a complaint.
  if (window !== window.top) return null;
  const { wakeLock } = navigator as Partial<Navigator>;
  try {
    return (await wakeLock?.request('screen')) ?? null;
  } catch {
    return null;
  }
}

function markOf({ number, step, stepsPerSecond }: RunPlace): Mark {
  return { number, step, stepsPerSecond, time: Date.now() };
}
