/**
 * History of the attention snapshots of one run, to view how attention developed. Each probe text
 * has a history of its own. If the limits below are exceeded, whole histories are deleted, the
 * least recently used first; if a single history is left, every second snapshot is deleted, except
 * the first and last.
 */
import { sameTokens } from '../../data/attention-data.ts';
import type { AttentionData } from '../../data/attention-data.ts';

/** Maximum number of snapshots of one text, and of weights of all texts together (32 MB). */
const MOST_ENTRIES = 120;
const MOST_WEIGHTS = 8 * 2 ** 20;
/** Maximum number of texts. */
const MOST_TEXTS = 8;
/** Texts with at most this many snapshots are deleted first: intermediate states of typing. */
const PASSING = 2;

export class AttentionHistory<Probe extends AttentionData = AttentionData> {
  /** One history per text, each ascending by step; the current text is last. */
  #histories: Probe[][] = [];

  /** Snapshots of the current text, ascending by step. */
  get entries(): readonly Probe[] {
    return this.#histories.at(-1) ?? [];
  }

  /** Deletes all snapshots: up to 32 MB of a run that is no longer shown. */
  clear(): void {
    this.#histories = [];
  }

  /** Adds a snapshot. A snapshot of another model or an earlier step clears the history. */
  add(attention: Probe): void {
    const last = this.entries.at(-1);
    if (last !== undefined && (!sameModel(last, attention) || attention.step < last.step)) {
      this.#histories = [];
    }
    const entries = this.#histories.find((one) => isOf(one, attention)) ?? [];
    if (entries.at(-1)?.step === attention.step) entries.pop();
    entries.push(attention);
    this.#histories = [...this.#histories.filter((one) => one !== entries), entries];
    this.#makeRoom();
  }

  #makeRoom(): void {
    while (this.#histories.length > 1 && (this.#histories.length > MOST_TEXTS || this.#isFull())) {
      const passed = this.#histories.findIndex((one) => one.length <= PASSING);
      // The current text, which is last, stays.
      const first = passed === this.#histories.length - 1 ? 0 : Math.max(0, passed);
      this.#histories.splice(first, 1);
    }
    const entries = this.#histories.at(-1) ?? [];
    if (entries.length > 2 && (entries.length > MOST_ENTRIES || this.#isFull())) {
      const last = entries.length - 1;
      this.#histories[this.#histories.length - 1] = entries.filter(
        (_, index) => index % 2 === 0 || index === last,
      );
    }
  }

  #isFull(): boolean {
    let weights = 0;
    for (const one of this.#histories) weights += one.length * (one[0]?.weights.length ?? 0);
    return weights > MOST_WEIGHTS;
  }
}

function sameModel(a: AttentionData, b: AttentionData): boolean {
  return a.layers === b.layers && a.heads === b.heads;
}

function isOf([first]: readonly AttentionData[], { tokens }: AttentionData): boolean {
  return first !== undefined && sameTokens(first.tokens, tokens);
}
