/**
 * Questions about the training text of a run: copied passages, the base rate to judge them by, and
 * n-gram baselines. Owns the index, not the text.
 */
import { characters } from '../base/characters.ts';
import { yieldTask } from '../base/yield-task.ts';
import type { EngineModel } from './binding/model.ts';
import type { EngineText } from './binding/text.ts';
import { EngineTrace } from './binding/trace.ts';
import { failure } from './errors.ts';
import type { BaseRate, CopiedRun, TracedText, Yardsticks } from './trainer.ts';

/** Orders of the baselines: -1 guesses among all tokens, n looks at the n previous tokens. */
const ORDERS = [-1, 0, 1, 2, 3, 4, 5] as const;
/** Milliseconds of work before other calls get a turn. */
const SLICE = 25;
/** Bytes shown before and after a run, and bytes between two entries of the line count. */
const AROUND_BYTES = 160;
const COUNTED_BYTES = 1 << 16;
const LINE_FEED = 10;
/** UTF-16 code units around a cut that nearly always tell whether it splits a character. */
const EDGE_UNITS = 64;
/** Most occurrences of a run that are searched for one that does not split a character. */
const MOST_PLACES = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const continues = (byte: number | undefined): boolean => byte !== undefined && byte >> 6 === 2;

/** Number of characters that begin before each byte; the last entry counts all. */
function charactersBefore(text: Uint8Array): Uint32Array {
  const counts = new Uint32Array(text.length + 1);
  for (const [at, byte] of text.entries()) counts[at + 1] = counts[at]! + (continues(byte) ? 0 : 1);
  return counts;
}

/** Number of code units at the end of `before` whose character continues in `after`. */
function cutOff(before: string, after: string): number {
  const near = before.slice(-EDGE_UNITS);
  let at = 0;
  for (const { length } of characters(near + after.slice(0, EDGE_UNITS))) {
    if (at + length > near.length) return near.length - at;
    at += length;
  }
  return 0;
}

/** Rounds to nine digits, enough to identify a 32-bit float. */
const nineDigits = (value: number): number => Number(value.toPrecision(9));

export class Tracing {
  readonly #trace: EngineTrace;
  readonly #text: EngineText;
  readonly #documents: boolean;
  /** Line feeds before each multiple of COUNTED_BYTES. */
  readonly #lines: number[] = [0];
  #ready: Promise<void> | null = null;
  /** Undefined until measured; null if it cannot be measured. */
  #base: BaseRate | null | undefined;
  #yardsticks: Promise<Yardsticks> | null = null;
  #isFreed = false;

  /** Reads the model only here, but `text`, its training text, until `free`. */
  constructor(model: EngineModel, text: EngineText) {
    this.#trace = model.trace(text, (exports, pointer) => new EngineTrace(exports, pointer));
    this.#text = text;
    this.#documents = model.get('sequences') === 1;
  }

  /** Stops the building of the index and frees it. */
  free(): void {
    if (!this.#isFreed) this.#trace.free();
    this.#isFreed = true;
  }

  build(onProgress?: (share: number) => void): Promise<void> {
    this.#ready ??= this.#build(onProgress);
    return this.#ready;
  }

  async trace(written: string): Promise<TracedText> {
    await this.build();
    if (this.#base === undefined) this.#base = await this.#measureBase();
    this.#check();
    const base = this.#base;
    if (base === null) return { runs: [], base };
    const runs = [...this.#wholeLines(written), ...this.#longRuns(written, base.characters)];
    runs.sort((a, b) => a.start - b.start || b.end - a.end);
    let free = 0;
    const apart = runs.filter(({ start, end }) => {
      if (end <= free) return false;
      free = end;
      return start < end;
    });
    return { runs: apart, base };
  }

  async yardsticks(): Promise<Yardsticks> {
    await this.build();
    this.#yardsticks ??= this.#measureTables();
    return this.#yardsticks;
  }

  async score(order: number, ids: readonly number[]): Promise<readonly number[]> {
    await this.build();
    this.#check();
    return [...this.#trace.score(order, ids)];
  }

  async write(order: number, prompt: string, maxTokens: number, seed: number): Promise<string> {
    await this.build();
    this.#check();
    return this.#trace.write(order, encoder.encode(prompt), maxTokens, seed);
  }

  async #build(onProgress?: (share: number) => void): Promise<void> {
    await this.#sliced(
      () => this.#trace.step(),
      () => onProgress?.(this.#trace.get('progress')),
    );
    let lines = 0;
    await this.#sliced(() => {
      const from = (this.#lines.length - 1) * COUNTED_BYTES;
      for (const byte of this.#text.slice(from, from + COUNTED_BYTES)) {
        if (byte === LINE_FEED) lines += 1;
      }
      this.#lines.push(lines);
      return from + COUNTED_BYTES < this.#text.length;
    });
  }

  /** Calls `step` until it returns false; other calls get a turn after each slice. */
  async #sliced(step: () => boolean, onSlice: () => void = () => undefined): Promise<void> {
    for (let more = true; more;) {
      this.#check();
      const end = performance.now() + SLICE;
      do more = step();
      while (more && performance.now() < end);
      onSlice();
      await yieldTask();
    }
  }

  #check(): void {
    if (this.#isFreed) throw failure('cancelled', 'the run is another one now');
  }

  // ---- The base rate ----------------------------------------------------------------------------

  /** Null if the text is a single line and nothing is held out. */
  async #measureBase(): Promise<BaseRate | null> {
    await this.#sliced(() => this.#trace.stepBaseRate());
    const length = this.#trace.get('base_characters');
    if (Number.isNaN(length)) return null;
    return {
      characters: length,
      lines: this.#trace.get('base_lines'),
      of: this.#trace.get('held_out') === 1 ? 'held-out' : 'left-out',
    };
  }

  // ---- Runs -------------------------------------------------------------------------------------

  /** The lines of `written` that are documents of the training text, if it has documents. */
  #wholeLines(written: string): CopiedRun[] {
    if (!this.#documents) return [];
    let start = 0;
    return written.split('\n').flatMap((line) => {
      const at = start;
      start += line.length + 1;
      const bytes = encoder.encode(line);
      const { count, place } = this.#trace.findLine(bytes.length > 0 ? bytes : Uint8Array.of(0));
      if (bytes.length === 0 || count === 0) return [];
      return [this.#run(at, line, { bytes: bytes.length, place, count }, true)];
    });
  }

  #longRuns(written: string, common: number): CopiedRun[] {
    const text = encoder.encode(written);
    if (text.length === 0) return [];
    return this.#trace.runs(text, common + 1).flatMap((run) => {
      const part = decoder.decode(text.subarray(run.at, run.at + run.bytes));
      const start = decoder.decode(text.subarray(0, run.at)).length;
      return this.#wholeRun(written, this.#run(start, part, run, false), common);
    });
  }

  /**
   * Removes the last character of a run if it continues in the written text or at every occurrence
   * in the training text. The shorter run may have other occurrences.
   */
  #wholeRun(written: string, run: CopiedRun, common: number): readonly CopiedRun[] {
    if (run.characters <= common) return [];
    const part = written.slice(run.start, run.end);
    let cut = cutOff(part, written.slice(run.end));
    if (cut === 0) {
      cut = cutOff(part, run.after);
      if (cut === 0) return [run];
      const raw = encoder.encode(part);
      const places = [...this.#trace.places(raw, MOST_PLACES)].filter(
        (place) => cutOff(part, this.#after(place + raw.length)) === 0,
      );
      const [place] = places;
      if (place !== undefined) {
        const whole = { bytes: raw.length, place, count: places.length };
        return [this.#run(run.start, part, whole, false)];
      }
    }
    const rest = part.slice(0, -cut);
    const bytes = encoder.encode(rest);
    const [found] = bytes.length === 0 ? [] : this.#trace.runs(bytes, bytes.length);
    if (found === undefined) return [];
    return this.#wholeRun(written, this.#run(run.start, rest, found, false), common);
  }

  #run(
    start: number,
    part: string,
    { bytes, place, count }: { bytes: number; place: number; count: number },
    isLine: boolean,
  ): CopiedRun {
    const end = place + bytes;
    return {
      start,
      end: start + part.length,
      isLine,
      count,
      place,
      characters: charactersBefore(encoder.encode(part)).at(-1)!,
      line: this.#lineOf(place),
      before:
        this.#around(place - AROUND_BYTES, place)
          .split(this.#edge)
          .at(-1) ?? '',
      after: this.#after(end),
    };
  }

  #after(end: number): string {
    return this.#around(end, end + AROUND_BYTES).split(this.#edge)[0] ?? '';
  }

  /** Separator that the text around a run does not cross: the end of a document. */
  get #edge(): string {
    return this.#documents ? '\n' : '\0';
  }

  /** The whole characters between two byte offsets of the training text. */
  #around(start: number, to: number): string {
    const from = Math.max(0, start);
    const bytes = this.#text.slice(from, to);
    const first = from === 0 ? 0 : bytes.findIndex((byte) => !continues(byte));
    let last = bytes.length;
    if (to < this.#text.length) {
      while (last > 0 && continues(this.#text.slice(from + last, from + last + 1)[0])) last -= 1;
    }
    return decoder.decode(bytes.subarray(Math.max(0, first), last));
  }

  #lineOf(place: number): number {
    const block = Math.floor(place / COUNTED_BYTES);
    let line = 1 + (this.#lines[block] ?? 0);
    for (const byte of this.#text.slice(block * COUNTED_BYTES, place)) {
      if (byte === LINE_FEED) line += 1;
    }
    return line;
  }

  // ---- N-gram tables ----------------------------------------------------------------------------

  async #measureTables(): Promise<Yardsticks> {
    await this.#sliced(() => this.#trace.scoreTables());
    this.#check();
    const bits = this.#trace.get('bits_per_character');
    const yardsticks = ORDERS.map((order) => {
      const nats = this.#trace.baseline(order);
      return { order, nats: nineDigits(nats), bits: nineDigits(nats * bits) };
    });
    const targets = this.#trace.get('scored_tokens');
    return { heldOut: this.#trace.get('held_out') === 1, targets, yardsticks };
  }
}
