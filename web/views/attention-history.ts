/**
 * The probes of one sitting, so that one can look back at how attention took shape. Keeps at most so
 * many numbers: when they are full, every second probe between the first and the last is dropped.
 */
import type { AttentionData } from './attention-data.ts';

/** Most probes, and most weights of all together (32 MB). */
const MOST_ENTRIES = 120;
const MOST_WEIGHTS = 8 * 2 ** 20;

export class AttentionHistory {
  #entries: AttentionData[] = [];

  /** In order of their steps. */
  get entries(): readonly AttentionData[] {
    return this.#entries;
  }

  /** Takes in a probe. One of another text, another model or an earlier step begins anew. */
  add(attention: AttentionData): void {
    const last = this.#entries.at(-1);
    if (last !== undefined && (!sameShape(last, attention) || attention.step < last.step)) {
      this.#entries = [];
    } else if (last?.step === attention.step) {
      this.#entries.pop();
    }
    this.#entries.push(attention);
    const full =
      this.#entries.length > MOST_ENTRIES ||
      this.#entries.length * attention.weights.length > MOST_WEIGHTS;
    if (full && this.#entries.length > 2) this.#thin();
  }

  #thin(): void {
    const last = this.#entries.length - 1;
    this.#entries = this.#entries.filter((_, index) => index % 2 === 0 || index === last);
  }
}

function sameShape(a: AttentionData, b: AttentionData): boolean {
  return (
    a.layers === b.layers &&
    a.heads === b.heads &&
    a.tokens.length === b.tokens.length &&
    a.tokens.every((token, index) => {
      const other = b.tokens[index];
      return token.text === other?.text && token.kind === other.kind && token.hex === other.hex;
    })
  );
}
