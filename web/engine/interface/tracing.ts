/** Calls about the training text: copied passages, and n-gram baselines for the loss. */
import type { CallTable } from './call.ts';

/** How much of an unseen text occurs in the training text by chance. */
export interface BaseRate {
  /** 95 % of the matches are at most this long. */
  readonly characters: number;
  /** Share (0 to 1) of unseen lines that equal a training line; 0 if the text is one stream. */
  readonly lines: number;
  /** Measured on held-out text, or else on each training line compared with all other lines. */
  readonly of: 'held-out' | 'left-out';
}

/** A part of a written text that occurs verbatim in the training text. */
export interface CopiedRun {
  /** Range in UTF-16 code units of the written text, without `end`. */
  readonly start: number;
  readonly end: number;
  readonly characters: number;
  /** Whether it is a whole line of the training text, if documents are lines. */
  readonly isLine: boolean;
  /** Number of occurrences in the training text. */
  readonly count: number;
  /** One occurrence: its byte from 0, its line from 1, and the text around it. */
  readonly place: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface TracedText {
  /** Whole lines, and runs longer than the base rate; ascending, never nested. */
  readonly runs: readonly CopiedRun[];
  /**
   * Null if the text is a single line and nothing is held out: chance matches cannot be measured,
   * and `runs` is empty.
   */
  readonly base: BaseRate | null;
}

/** Loss of one n-gram table, on tokens that its counts leave out: see `heldOut`. */
export interface Yardstick {
  /** Number of previous tokens used; 0: token frequencies alone, -1: uniform guessing. */
  readonly order: number;
  /** Mean loss in nats per token, and in bits per character. */
  readonly nats: number;
  readonly bits: number;
}

export interface Yardsticks {
  /** False if scored on the training text, each token left out of its own counts. */
  readonly heldOut: boolean;
  /** Number of scored tokens. */
  readonly targets: number;
  readonly yardsticks: readonly Yardstick[];
}

/**
 * Calls of the module for questions, which the library always has. The last text set must be that
 * of the run. The first question builds the index: c/text/text_index.h.
 */
export interface Tracing {
  /** Builds the index; `onProgress` receives the share built, 0 to 1. `close` cancels the build. */
  indexText(onProgress?: (share: number) => void): Promise<void>;
  /** Finds the parts of `text` that occur in the training text (Chang, Lawler 1994). */
  trace(text: string): Promise<TracedText>;
  /** Losses of n-gram tables with Witten-Bell smoothing: c/text/ngram.h. */
  yardsticks(): Promise<Yardsticks>;
  /**
   * Loss in nats of each token in `ids` by the n-gram table of `order` (0 to 5) previous tokens.
   * The first token begins a document, or a stream without context; BOS ends a document.
   */
  scoreByTable(order: number, ids: readonly number[]): Promise<readonly number[]>;
  /**
   * Continues `prompt` with the n-gram table of `order` (0 to 5) previous tokens, like `sample`;
   * the same `seed` (0 or more) gives the same bits.
   */
  writeByTable(order: number, prompt: string, maxTokens: number, seed: number): Promise<string>;
}

export const TRACING = {
  indexText: { args: ['onProgress?: progress'] },
  trace: { args: ['text: text'] },
  yardsticks: { args: [] },
  scoreByTable: { args: ['order: number', 'ids: list'] },
  writeByTable: { args: ['order: number', 'prompt: text', 'maxTokens: count', 'seed: whole'] },
} satisfies CallTable<Tracing>;
