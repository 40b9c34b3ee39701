/**
 * Saves for when the page is left. It is gone before an answer of its worker can reach it: so the
 * worker is told beforehand what the run is saved as, and writes it by itself. This is the page's
 * side; the worker's is run-saver.ts.
 */
import { canShareMemory } from '../../engine/thread-memory.ts';
import type { RunFacts } from './run-record.ts';

/** Milliseconds that a page waits for its last save at most. */
const LONGEST_WAIT = 300;
/**
 * Where it cannot see when that is written, it waits as long as it usually takes: bytes in a
 * millisecond.
 */
const BLIND_WAIT = 150;
const BLIND_PACE = 1e5;

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

export class LeavingSaves {
  readonly #tell: (message: SaverMessage) => void;
  readonly #answered: Int32Array | null;
  #asked = 0;
  #run: SavedAs | null = null;

  /** `tell` reaches the worker's side at once. */
  constructor(tell: (message: SaverMessage) => void, writer: string) {
    this.#tell = tell;
    this.#answered = canShareMemory() ? new Int32Array(new SharedArrayBuffer(4)) : null;
    tell({ kind: 'open', writer, answered: this.#answered });
  }

  /** What the run under way is saved as from now on; null for a run that is not to be saved. */
  run(run: SavedAs | null): void {
    if (isSame(run, this.#run)) return;
    this.#run = run;
    this.#tell({ kind: 'run', run });
  }

  /** Has the worker save the run after the page is gone. False if the run is not saved. */
  ask(): boolean {
    if (this.#run === null) return false;
    this.#asked += 1;
    this.#tell({ kind: 'save' });
    return true;
  }

  /**
   * Waits for what was asked for, for a short time. A worker ends with its page, whatever it is at:
   * in the middle of a step, or of writing. Nobody can press anything here any more, and no event
   * could tell that it is done: so the thread is held.
   */
  wait(): void {
    const blind = Math.min(BLIND_WAIT + (this.#run?.bytes ?? 0) / BLIND_PACE, LONGEST_WAIT);
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
