/** Looks up the shown texts in the training text, and keeps the last verdict. */
import { signal } from '@preact/signals-core';
import { asError } from '../../engine/errors.ts';
import type { TracedText } from '../../engine/trainer.ts';
import type { SampleEntry } from '../../kit/written.ts';
import type { CurrentRun } from '../../store/training/current-run.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';
import { isHalf, judge } from './judged.ts';
import type { Judged } from './judged.ts';

/** The verdict on the texts of a step. */
export interface Verdict {
  /** Number of the run. */
  readonly run: number;
  readonly entry: SampleEntry;
  /** Null without texts, or if chance cannot be measured. */
  readonly judged: Judged | null;
  /**
   * The last step at which about half was new. Null if there was no such step, or unless the texts
   * are the last ones of a finished run and copied word for word.
   */
  readonly half: number | null;
  /** Whether the texts were the last ones of a finished run, so that `half` was searched. */
  readonly isEnd: boolean;
}

/** A run on the page, and texts of one of its steps. */
export interface Shown {
  readonly run: CurrentRun;
  readonly entry: SampleEntry;
}

/** The index of the training text. */
type Asked = Pick<TextTrace, 'key' | 'ask'>;

export class VerdictState {
  /** The last verdict; null before the first. */
  readonly verdict = signal<Verdict | null>(null);
  readonly #known = new WeakMap<SampleEntry, Judged | null>();
  /** Key of the index whose lookup failed last: it is not asked again. */
  #failed: string | null = null;
  #isBusy = false;

  /**
   * Judges the shown texts, and again if other texts are shown when the verdict is ready. A call
   * meanwhile returns at once.
   */
  async look(trace: Asked, shown: () => Shown | null): Promise<void> {
    if (this.#isBusy || this.#failed === trace.key) return;
    this.#isBusy = true;
    try {
      for (;;) {
        const now = shown();
        const last = this.verdict.peek();
        if (now === null || (last?.entry === now.entry && last.isEnd === isEnd(now))) break;
        const verdict = await this.#judge(trace, now, () => shown()?.entry === now.entry);
        if (verdict !== null) this.verdict.value = verdict;
      }
    } catch (thrown) {
      // Another run was shown meanwhile; else the tab of copied text reports the error.
      if (asError(thrown).code !== 'cancelled') this.#failed = trace.key;
    } finally {
      this.#isBusy = false;
    }
  }

  /** The verdict on the shown texts; null if others are shown by then. */
  async #judge(trace: Asked, now: Shown, isShown: () => boolean): Promise<Verdict | null> {
    const { entry } = now;
    const { data, info } = now.run;
    const judged = await this.#lookUp(trace, entry, info.documents);
    const about = { run: data.number, entry, judged, isEnd: isEnd(now) };
    const earlier = judged?.isWhole === true && about.isEnd ? data.samples.slice(0, -1) : [];
    for (const one of earlier.reverse()) {
      const then = await this.#lookUp(trace, one, info.documents);
      if (!isShown()) return null;
      if (then !== null && isHalf(then)) return { ...about, half: one.step };
    }
    return { ...about, half: null };
  }

  async #lookUp(trace: Asked, entry: SampleEntry, documents: boolean): Promise<Judged | null> {
    const known = this.#known.get(entry);
    if (known !== undefined) return known;
    const traced = await trace.ask(async (trainer) => {
      const all: TracedText[] = [];
      for (const text of entry.texts) all.push(await trainer.trace(text));
      return all;
    });
    const judged = judge(entry.texts, traced, documents);
    this.#known.set(entry, judged);
    return judged;
  }
}

/** Whether the texts are the last ones of a finished run. */
function isEnd({ run: { data }, entry }: Shown): boolean {
  return data.state === 'finished' && data.samples.at(-1) === entry;
}
