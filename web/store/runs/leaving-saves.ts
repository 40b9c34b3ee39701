/**
 * Saves for when the page is left. It is gone before an answer of its worker can reach it: so the
 * worker is told beforehand what the run is saved as, and writes it by itself. This is the page's
 * side; the worker's is run-saver.ts.
 */
import { canShareMemory } from '../../engine/thread-memory.ts';
import type { RunFacts } from './run-record.ts';

/** Milliseconds that a page waits for its last save at most: seldom more than some tens of them. */
const LONGEST_WAIT = 1000;
/**
 * Where it cannot see when that is written, it waits for as long as a busy machine takes: bytes in
 * a millisecond.
 */
const BLIND_WAIT = 400;
const BLIND_PACE = 1e5;
const LONGEST_BLIND_WAIT = 650;

/** What a run is saved as, but for what its worker knows better. */
export interface SavedAs {
  /** As the trainer counts runs. */
  readonly number: number;
  readonly facts: Pick<RunFacts, 'id' | 'recipe' | 'text' | 'tokensPerCharacter'>;
  /** For the checkpoint. */
  readonly note: string;
  readonly text: Blob;
  readonly probe: string;
  /** About how large it is. */
  readonly bytes: number;
}

/** What the page tells its worker. */
export type SaverMessage =
  /**
   * `writer`: the tab that saves. `answered`: counts the saves that were asked for and are done.
   */
  | { readonly kind: 'open'; readonly writer: string; readonly answered: Int32Array | null }
  | { readonly kind: 'run'; readonly run: SavedAs | null }
  | { readonly kind: 'save' };

/** What is done on the page when it is left. */
export interface LeftPage {
  /** Whether something of the run under way is not saved, as far as the page knows. */
  readonly isUnsaved: () => boolean;
  /** Saves the run from the page, which may be too late. */
  readonly saveNow: () => void;
  /** Called first when the page is about to be left. */
  readonly onLeave: () => void;
}

export class LeavingSaves {
  readonly #page: LeftPage;
  /** Reaches the worker's side; null where no worker can save the run without the page. */
  #tell: ((message: SaverMessage) => void) | null = null;
  #answered: Int32Array | null = null;
  #asked = 0;
  #run: SavedAs | null = null;

  constructor(page: LeftPage) {
    this.#page = page;
    document.addEventListener('visibilitychange', this.#onHide);
    addEventListener('beforeunload', this.#onLeave);
    addEventListener('pagehide', this.#onGone);
  }

  destroy(): void {
    document.removeEventListener('visibilitychange', this.#onHide);
    removeEventListener('beforeunload', this.#onLeave);
    removeEventListener('pagehide', this.#onGone);
  }

  /** From now on the worker saves: `tell` reaches it at once. */
  open(tell: (message: SaverMessage) => void, writer: string): void {
    this.#tell = tell;
    this.#answered = canShareMemory() ? new Int32Array(new SharedArrayBuffer(4)) : null;
    tell({ kind: 'open', writer, answered: this.#answered });
  }

  /** Counts the saves that the worker was asked for. */
  get asked(): number {
    return this.#asked;
  }

  /** What the run under way is saved as from now on; null for a run that is not to be saved. */
  run(run: SavedAs | null): void {
    if (this.#tell === null || isSame(run, this.#run)) return;
    this.#run = run;
    this.#tell({ kind: 'run', run });
  }

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') this.#page.saveNow();
  };

  /**
   * The page is about to be left, but lives on until the next one answers, or for good when its
   * reader stays after all.
   */
  readonly #onLeave = (): void => {
    this.#page.onLeave();
    this.#save();
  };

  /**
   * The page is gone from the screen, and its worker will be the moment that this returns. Without
   * a worker it is too late: what the page itself writes now is not written any more.
   */
  readonly #onGone = (): void => {
    if (this.#save()) this.#wait();
  };

  /** Has the worker save what is not saved yet. False if there is no worker, or nothing to save. */
  #save(): boolean {
    if (this.#tell === null) this.#page.saveNow();
    else if (this.#run !== null && this.#page.isUnsaved()) {
      this.#asked += 1;
      this.#tell({ kind: 'save' });
      return true;
    }
    return false;
  }

  /**
   * Waits for what was asked for, for a short time. A worker ends with its page, whatever it is at:
   * in the middle of a step, or of writing. Nobody can press anything here any more, and no event
   * could tell that it is done: so the thread is held.
   */
  #wait(): void {
    const blind = Math.min(BLIND_WAIT + (this.#run?.bytes ?? 0) / BLIND_PACE, LONGEST_BLIND_WAIT);
    const end = performance.now() + (this.#answered === null ? blind : LONGEST_WAIT);
    while (performance.now() < end) {
      if (this.#answered !== null && Atomics.load(this.#answered, 0) >= this.#asked) return;
    }
  }
}

function isSame(one: SavedAs | null, other: SavedAs | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.number === other.number &&
    one.facts.id === other.facts.id &&
    one.facts.recipe === other.facts.recipe &&
    one.facts.text.key === other.facts.text.key &&
    one.probe === other.probe
  );
}
