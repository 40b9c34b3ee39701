/**
 * Saves the run when the page is left. No answer of the worker can reach a page that is going, so
 * the worker is told in advance how to save the run, and writes it itself. This is the page's side;
 * the worker's is run-saver.ts.
 */
import { canShareMemory } from '../../engine/thread-memory.ts';
import type { RunFacts } from './run-record.ts';

/** Longest wait of a leaving page for its last save, in milliseconds; usually a few tens. */
const LONGEST_WAIT = 1000;
/**
 * Wait if the end of the save cannot be seen: BLIND_WAIT milliseconds, plus one per BLIND_PACE
 * bytes.
 */
const BLIND_WAIT = 400;
const BLIND_PACE = 1e5;
const LONGEST_BLIND_WAIT = 650;

/** Everything needed to save a run, except what its worker knows better. */
export interface SavedAs {
  /** Number of the run in the trainer. */
  readonly number: number;
  readonly facts: Pick<RunFacts, 'id' | 'recipe' | 'text' | 'tokensPerCharacter'>;
  /** Note in the checkpoint. */
  readonly note: string;
  readonly text: Blob;
  readonly probe: string;
  /** Approximate size of the checkpoint. */
  readonly bytes: number;
}

/** Messages from the page to its worker. */
export type SaverMessage =
  /** `writer`: id of the tab. `answered`: finished saves, in shared memory if available. */
  | { readonly kind: 'open'; readonly writer: string; readonly answered: Int32Array | null }
  | { readonly kind: 'run'; readonly run: SavedAs | null }
  | { readonly kind: 'save' };

/** The page's part in saving when it is left. */
export interface LeftPage {
  /** Whether the current run has unsaved steps, as far as the page knows. */
  readonly isUnsaved: () => boolean;
  /** Saves the run from the page, possibly too late. */
  readonly saveNow: () => void;
  /** Called first when the page is about to be left. */
  readonly onLeave: () => void;
}

export class LeavingSaves {
  readonly #page: LeftPage;
  /** Sends a message to the worker; null if no worker can save the run by itself. */
  #send: ((message: SaverMessage) => void) | null = null;
  #answered: Int32Array | null = null;
  #requested = 0;
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

  /** Lets the worker save from now on; `tell` must post at once. */
  open(tell: (message: SaverMessage) => void, writer: string): void {
    this.#send = tell;
    this.#answered = canShareMemory() ? new Int32Array(new SharedArrayBuffer(4)) : null;
    tell({ kind: 'open', writer, answered: this.#answered });
  }

  /** Number of saves requested from the worker. */
  get requested(): number {
    return this.#requested;
  }

  /** Sets how the current run is to be saved; null if it must not be. */
  run(run: SavedAs | null): void {
    if (this.#send === null || areEqual(run, this.#run)) return;
    this.#run = run;
    this.#send({ kind: 'run', run });
  }

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') this.#page.saveNow();
  };

  /** The page may still live for a while, or for good if its reader decides to stay. */
  readonly #onLeave = (): void => {
    this.#page.onLeave();
    this.#save();
  };

  /**
   * The page is gone and its worker ends when this returns. Without a worker nothing more can be
   * written.
   */
  readonly #onGone = (): void => {
    if (this.#save()) this.#wait();
  };

  /** Requests a save of unsaved steps; false without a worker or without such steps. */
  #save(): boolean {
    if (this.#send === null) this.#page.saveNow();
    else if (this.#run !== null && this.#page.isUnsaved()) {
      this.#requested += 1;
      this.#send({ kind: 'save' });
      return true;
    }
    return false;
  }

  /**
   * Blocks the thread for a short time until the requested save is done. A worker ends with its
   * page, even in the middle of a write; the page handles no more events, so none could report the
   * end.
   */
  #wait(): void {
    const blind = Math.min(BLIND_WAIT + (this.#run?.bytes ?? 0) / BLIND_PACE, LONGEST_BLIND_WAIT);
    const end = performance.now() + (this.#answered === null ? blind : LONGEST_WAIT);
    while (performance.now() < end) {
      if (this.#answered !== null && Atomics.load(this.#answered, 0) >= this.#requested) return;
    }
  }
}

function areEqual(one: SavedAs | null, other: SavedAs | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.number === other.number &&
    one.facts.id === other.facts.id &&
    one.facts.recipe === other.facts.recipe &&
    one.facts.text.key === other.facts.text.key &&
    one.probe === other.probe
  );
}
