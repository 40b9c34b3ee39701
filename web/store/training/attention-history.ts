/**
 * The probes of one run, so that one can look back at how attention took shape. Each text has a
 * history of its own, to which one can return. Keeps at most MOST numbers: the text that was left
 * longest ago goes first, and when one alone is too much, every second of its probes between the
 * first and the last.
 */
import { sameTokens } from '../../data/attention-data.ts';
import type { AttentionData } from '../../data/attention-data.ts';

/** Most probes of one text, and most weights of all together (32 MB). */
const MOST_ENTRIES = 120;
const MOST_WEIGHTS = 8 * 2 ** 20;
/** Most texts. */
const MOST_TEXTS = 8;
/** A text that was looked at no longer than this was on the way to another, as while typing. */
const PASSING = 2;

export class AttentionHistory<Probe extends AttentionData = AttentionData> {
  /** One for each text, in order of their steps; that of now comes last. */
  #histories: Probe[][] = [];

  /** Those of the text of now, in order of their steps. */
  get entries(): readonly Probe[] {
    return this.#histories.at(-1) ?? [];
  }

  /** Forgets all: up to 32 MB of a run at which nobody will look again. */
  clear(): void {
    this.#histories = [];
  }

  /** Takes in a probe. One of another model or an earlier step begins anew. */
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
      // That of now is the last, and stays.
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
