/** Reports the run to listeners, at most ten times a second, with attention on the watched text. */
import { factsOf } from './errors.ts';
import { addAttention, drainProgress } from './run.ts';
import type { Run, RunSlot } from './run.ts';
import type { Snapshot, Watch } from './trainer.ts';

/** Minimum milliseconds between reports, and between attention probes. */
const SNAPSHOT_INTERVAL = 100;
const ATTENTION_INTERVAL = 250;
/** Attention probes may take 1 / ATTENTION_PARTS of the time, so that they hardly slow training. */
const ATTENTION_PARTS = 100;
/** The same limit for a slowed run, which has time to spare. */
const ATTENTION_PARTS_HELD = 5;

export class Reporter {
  readonly #slot: RunSlot;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #lastSnapshot = -Infinity;
  #lastAttention = -Infinity;
  #attentionCost = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether something has changed since the last report. */
  #pending = false;
  watch: Watch = { attention: null, samples: null };
  /** Whether training is slowed for watching. */
  isHeld = false;
  /** Whether listeners can take a report; in a worker, false until the page has seen the last. */
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

  /** Probes attention if it is watched, would be new, and is live and due (or `now`). */
  probe(now: boolean): void {
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
      addAttention(run, run.inside.attention(wanted.text, wanted.maxTokens));
      run.attentionError = null;
    } catch (thrown) {
      run.attentionError = factsOf(thrown);
    }
    this.#lastAttention = performance.now();
    this.#attentionCost = this.#lastAttention - start;
  }

  /**
   * Reports that training begins, even if listeners are not `ready`: a short run could end before
   * the next report.
   */
  announce(): void {
    this.publish(true);
    this.catchUp();
  }

  /**
   * Sends a report: at once if `now`, else SNAPSHOT_INTERVAL after the last. The report waits while
   * listeners are not `ready`.
   */
  publish(now: boolean): void {
    const run = this.#slot.run;
    if (run === null || this.#listeners.size === 0) return;
    this.#pending = true;
    const wait = this.#lastSnapshot + SNAPSHOT_INTERVAL - performance.now();
    if (!this.ready() || (!now && wait > 0)) {
      // While training, the next slice publishes again; otherwise a timer or `flush` does.
      if (run.state !== 'running' && this.ready()) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.publish(true);
        }, wait);
      }
      return;
    }
    this.#send(run);
  }

  /** Sends a waiting report, `ready` or not, before an answer about the same step. */
  catchUp(): void {
    const { run } = this.#slot;
    if (run !== null && this.#pending) this.#send(run);
  }

  #send(run: Run): void {
    this.probe(run.state !== 'running');
    this.#lastSnapshot = performance.now();
    this.#pending = false;
    clearTimeout(this.#timer);
    const snapshot = drainProgress(run);
    for (const listener of this.#listeners) listener(snapshot);
  }

  /** Sends a waiting report when due. Called when the page acknowledges a report. */
  flush(): void {
    if (this.#pending) this.publish(false);
  }
}
