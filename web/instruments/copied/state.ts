/** State of the copied passages: the reader's choices, and the results for one run. */
import { signal } from '@preact/signals';
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { BaseRate, CopiedRun, TracedText, Trainer, Yardsticks } from '../../engine/trainer.ts';
import type { SampleEntry } from '../../kit/written.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';

export interface Found {
  /** Key of the run. */
  readonly key: string;
  /** The base rate of matches; null before the first lookup, or if it cannot be measured. */
  readonly base: BaseRate | null;
  readonly yardsticks: Yardsticks | null;
  readonly newest: {
    readonly step: number;
    readonly texts: readonly string[];
    /** Copied passages of each text. */
    readonly runs: readonly (readonly CopiedRun[])[];
  } | null;
  readonly error: GlasshouseError | null;
}

export class CopiedState {
  readonly marks = signal(false);
  readonly lines = signal(false);
  /** Whether memorised passages are drawn below the loss curve. */
  readonly memorised = signal(false);
  readonly checked = signal('');
  /** Key of the run whose texts are being looked up; null for none. */
  readonly busy = signal<string | null>(null);
  readonly #found = signal<Found | null>(null);
  /** Seed of the next text generated from a table. */
  #seed = 0;
  /** Step of the texts that were looked up last, with or without success; null for none. */
  #tried: number | null = null;

  /** Results for the run with this key; null before the first. */
  of(key: string | null): Found | null {
    const found = this.#found.value;
    return found?.key === key ? found : null;
  }

  /**
   * Looks up the matches of the shown texts. If other texts are shown by the time the answer
   * arrives, looks these up as well.
   */
  async lookUp(trace: TextTrace, shown: () => SampleEntry | undefined): Promise<void> {
    const { key } = trace;
    const next = (): SampleEntry | undefined => {
      const entry = trace.key === key ? shown() : undefined;
      const { newest = null, error = null } = this.of(key) ?? {};
      const known = error === null ? newest?.step : this.#tried;
      return known === entry?.step ? undefined : entry;
    };
    if (key === null || trace.refusal !== null || this.busy.value === key) return;
    let entry = next();
    if (entry === undefined) return;
    this.busy.value = key;
    while (entry !== undefined) {
      const { step, texts } = entry;
      this.#tried = step;
      const answer = await this.ask(trace, async (trainer) => {
        const traced: TracedText[] = [];
        for (const text of texts) traced.push(await trainer.trace(text));
        const yardsticks = this.of(key)?.yardsticks ?? (await trainer.yardsticks());
        return { traced, yardsticks };
      });
      if (answer === null) break;
      const { traced, yardsticks } = answer;
      const newest = { step, texts, runs: traced.map(({ runs }) => runs) };
      this.#set(key, { newest, yardsticks, base: traced[0]?.base ?? null });
      entry = next();
    }
    if (this.busy.value === key) this.busy.value = null;
  }

  /** Asks the engine that has the index of the training text. Stores an error and returns null. */
  async ask<Result>(
    trace: TextTrace,
    question: (trainer: Trainer) => Promise<Result>,
  ): Promise<Result | null> {
    const { key } = trace;
    try {
      const result = await trace.ask(question);
      if (key !== null && key === trace.key) this.#forgive(key);
      return result;
    } catch (thrown) {
      if (key !== null && key === trace.key) this.fail(key, thrown);
      return null;
    }
  }

  /** Stores an error of the run with this key. */
  fail(key: string, thrown: unknown): void {
    const error = asError(thrown);
    // Loading another run cancels questions; they can be asked again.
    if (error.code !== 'cancelled') this.#set(key, { error });
  }

  /** Allows a failed lookup to run again, for instance after a network error. */
  retry(key: string): void {
    this.#tried = null;
    this.#forgive(key);
  }

  #forgive(key: string): void {
    if ((this.of(key)?.error ?? null) !== null) this.#set(key, { error: null });
  }

  /** Generates a text from the table of `order` previous tokens, with a new seed for each call. */
  write(trace: TextTrace, order: number, tokens: number): Promise<string | null> {
    const seed = this.#seed++;
    return this.ask(trace, (trainer) => trainer.writeByTable(order, '', tokens, seed));
  }

  #set(key: string, change: Partial<Found>): void {
    const fresh = { key, base: null, yardsticks: null, newest: null, error: null };
    this.#found.value = { ...(this.of(key) ?? fresh), ...change };
  }
}
