/**
 * Keeps a phone's screen awake while a run trains, where the browser supports it, and detects when
 * the browser slowed the run down: in a hidden page, or while the machine slept.
 */
import type { Slowed } from '../store/page-state.ts';
import type { RunData } from '../store/training/run-data.ts';

/** Minimum milliseconds between two marks before the speed of the run is judged. */
const LONG = 30_000;
/**
 * A run was slowed down if it made less than SHARE of the expected steps; fewer than MANY expected
 * steps are not judged.
 */
const MANY = 5;
const SHARE = 0.5;

type RunPlace = Pick<RunData, 'number' | 'step' | 'stepsPerSecond'>;

/** Progress of a run at one time. */
interface Mark extends RunPlace {
  /** Milliseconds since 1970. */
  readonly time: number;
}

export class Awake {
  readonly #running: () => RunPlace | null;
  readonly #onSlowed: (what: Slowed) => void;
  /** The screen lock; null while none is requested. */
  #lock: Promise<WakeLockSentinel | null> | null = null;
  /**
   * Progress at the last message of the run, and when the page was hidden. Null if no run trains;
   * `#hidden` also while the page is visible.
   */
  #last: Mark | null = null;
  #hidden: Mark | null = null;

  /** `running` returns the run that trains, or null. */
  constructor(running: () => RunPlace | null, onSlowed: (what: Slowed) => void) {
    this.#running = running;
    this.#onSlowed = onSlowed;
    document.addEventListener('visibilitychange', this.#onSight);
  }

  /** Called when the run has changed. */
  look(): void {
    const run = this.#running();
    // While the page is hidden, `#onSight` judges the run: once the page is visible again.
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

  /**
   * Reports a slowed run: one that made far fewer steps since `mark` than its speed then promised.
   */
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
      // Releasing a lock that the browser has already released is allowed.
      void this.#lock?.then((lock) => lock?.release());
      this.#lock = null;
    }
  }
}

/** Null if the browser has no screen locks, or refuses one, for example on a low battery. */
async function requestLock(): Promise<WakeLockSentinel | null> {
  // A frame without its host's permission would log an error.
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
