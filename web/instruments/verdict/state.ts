/** Looks up the shown texts in the training text, and keeps the last verdict. */
import { signal } from '@preact/signals-core';
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
  /** Null without texts, if chance cannot be measured, or if the lookup failed. */
  readonly judged: Judged | null;
  /** A step at which about half was new, if the texts are copied word for word; else null. */
  readonly half: number | null;
}

/** What the page shows: the run, and texts of one of its steps. */
export interface Shown {
  readonly run: CurrentRun;
  readonly entry: SampleEntry;
}

export class VerdictState {
  /** The last verdict; null before the first. */
  readonly verdict = signal<Verdict | null>(null);
  #isBusy = false;

  /** Judges the shown texts, and others that are shown by the time of the answer. */
  async look(trace: TextTrace, shown: () => Shown | null): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (;;) {
      const now = shown();
      if (now === null || this.verdict.peek()?.entry === now.entry) break;
      this.verdict.value = await verdictOf(trace, now);
    }
    this.#isBusy = false;
  }
}

async function verdictOf(trace: TextTrace, { run, entry }: Shown): Promise<Verdict> {
  const { data, info } = run;
  const judgeTexts = async ({ texts }: SampleEntry): Promise<Judged | null> => {
    const traced = await trace.ask(async (trainer) => {
      const all: TracedText[] = [];
      for (const text of texts) all.push(await trainer.trace(text));
      return all;
    });
    return judge(texts, traced, info.documents);
  };
  const about = { run: data.number, entry };
  try {
    const judged = await judgeTexts(entry);
    const isEnd = data.state === 'finished' && data.samples.at(-1) === entry;
    const earlier = judged?.isWhole === true && isEnd ? data.samples.slice(0, -1) : [];
    for (const one of earlier.reverse()) {
      const then = await judgeTexts(one);
      if (then !== null && isHalf(then)) return { ...about, judged, half: one.step };
    }
    return { ...about, judged, half: null };
  } catch {
    // Nothing is said: the tab of copied text reports the error.
    return { ...about, judged: null, half: null };
  }
}
