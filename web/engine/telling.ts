/**
 * Tells listeners where the run is: at most ten times a second, with attention on the text that
 * they watch.
 */
import { factsOf } from './errors.ts';
import { addAttention, takeProgress } from './run.ts';
import type { Run, RunSlot } from './run.ts';
import type { Snapshot, Watch } from './trainer.ts';

/** Milliseconds between two snapshots, and between two attention pictures. */
const SNAPSHOT_INTERVAL = 100;
const ATTENTION_INTERVAL = 250;
/**
 * A picture may take at most this fraction (1 / PART) of the time, so that looking hardly slows
 * training.
 */
const ATTENTION_PARTS = 100;
/** The same while training is held back to be watched: there is time enough. */
const ATTENTION_PARTS_HELD = 5;

export class Teller {
  readonly #slot: RunSlot;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #lastSnapshot = -Infinity;
  #lastAttention = -Infinity;
  #attentionCost = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Something is new that no snapshot has told yet. */
  #pending = false;
  /** Ends the wait of `announcement`, where nobody has heard yet that training begins. */
  #announced: (() => void) | null = null;
  /** What training waits for before its first step. */
  announcement: Promise<void> = Promise.resolve();
  watch: Watch = { attention: null, samples: null };
  /** Training is held back to be watched. */
  isHeld = false;
  /** Whether the listener is ready for another snapshot; the worker holds it back until told. */
  ready: () => boolean = () => true;

  constructor(slot: RunSlot) {
    this.#slot = slot;
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    clearTimeout(this.#timer);
  }

  /** Makes an attention picture when one is wanted, would be new, and is due (or `now`). */
  look(now: boolean): void {
    const run = this.#slot.run;
    const wanted = this.watch.attention;
    if (run === null || wanted === null || this.#listeners.size === 0) return;
    const key = `${String(run.step)} ${String(wanted.maxTokens)} ${wanted.text}`;
    if (key === run.attentionKey || !(now || wanted.live)) return;
    const parts = this.isHeld ? ATTENTION_PARTS_HELD : ATTENTION_PARTS;
    const interval = Math.max(ATTENTION_INTERVAL, (parts - 1) * this.#attentionCost);
    const start = performance.now();
    if (!now && start - this.#lastAttention < interval) return;
    run.attentionKey = key;
    try {
      addAttention(run, run.inside.look(wanted.text, wanted.maxTokens));
      run.attentionError = null;
    } catch (thrown) {
      run.attentionError = factsOf(thrown);
    }
    this.#lastAttention = performance.now();
    this.#attentionCost = this.#lastAttention - start;
  }

  /** Tells that training begins. A short run could end before a listener is ready. */
  announce(): void {
    this.publish(true);
    if (this.ready() || !this.#pending || this.#announced !== null) return;
    this.announcement = new Promise((resolve) => {
      this.#announced = resolve;
    });
  }

  /** Sends a snapshot: at once if `now`, else when the last one is long enough ago. */
  publish(now: boolean): void {
    const run = this.#slot.run;
    if (run === null || this.#listeners.size === 0) return;
    this.#pending = true;
    const wait = this.#lastSnapshot + SNAPSHOT_INTERVAL - performance.now();
    if (!this.ready() || (!now && wait > 0)) {
      // While training, the next slice asks again; otherwise a timer (or `flush`) must.
      if (run.state !== 'running' && this.ready()) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.publish(true);
        }, wait);
      }
      return;
    }
    this.#tell(run);
  }

  /** Sends what is new to listeners who get something else of this very step, ready or not. */
  catchUp(): void {
    const { run } = this.#slot;
    if (run !== null && this.#pending) this.#tell(run);
  }

  #tell(run: Run): void {
    this.look(run.state !== 'running');
    this.#lastSnapshot = performance.now();
    this.#pending = false;
    clearTimeout(this.#timer);
    const snapshot = takeProgress(run);
    for (const listener of this.#listeners) listener(snapshot);
    this.#announced?.();
    this.#announced = null;
  }

  /** Sends what is new, if it was held back. The worker calls it when its page is ready again. */
  flush(): void {
    if (this.#pending) this.publish(this.#announced !== null);
  }
}
