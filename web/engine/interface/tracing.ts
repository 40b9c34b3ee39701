/** Where a written text comes from, and what a loss is worth: questions about the training text. */
import type { CallTable } from './call.ts';

/** How long runs are that stand in the training text by chance, in text not learned from. */
export interface BaseRate {
  /** The length that 95 % of the runs that begin there do not exceed. */
  readonly characters: number;
  /** Where documents are lines: the share of its lines that stand in the training text, 0 to 1. */
  readonly lines: number;
  /**
   * Measured on the held-out text; where nothing is held out, on lines of the training text, each
   * as if it were left out.
   */
  readonly of: 'held-out' | 'left-out';
}

/** A part of a written text that stands in the training text, letter by letter. */
export interface CopiedRun {
  /** In UTF-16 code units of the written text, up to but not including `end`. */
  readonly start: number;
  readonly end: number;
  readonly characters: number;
  /** It is a whole line of the training text, where documents are lines. */
  readonly isLine: boolean;
  /** How often it occurs in the training text. */
  readonly count: number;
  /** Of one occurrence: its byte from 0, its line from 1, and what stands around it. */
  readonly place: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface TracedText {
  /** Whole lines, and runs longer than the base rate; in their order, none within another. */
  readonly runs: readonly CopiedRun[];
  /**
   * Null if the text is a single line and nothing is held out: nothing tells what chance alone
   * gives, and `runs` is empty.
   */
  readonly base: BaseRate | null;
}

/** What a table of the last `order` tokens loses on text that it was not counted from. */
export interface Yardstick {
  /** -1: guessing; 0: the frequencies of tokens; then how many tokens before are looked at. */
  readonly order: number;
  /** Mean loss in nats per token, and in bits per character. */
  readonly nats: number;
  readonly bits: number;
}

export interface Yardsticks {
  /** On the held-out text; if not, on the training text with each token left out of the counts. */
  readonly heldOut: boolean;
  /** Tokens that were scored. */
  readonly targets: number;
  readonly yardsticks: readonly Yardstick[];
}

/**
 * Answered by the module for questions (the library's own module is one). The text that was set
 * last must be that of the run. The index is built at the first question: c/text/text_index.h.
 */
export interface Tracing {
  /** Builds the index; `onProgress` hears from 0 to 1 how far it is. Closing ends it. */
  indexText(onProgress?: (share: number) => void): Promise<void>;
  /** Which parts of `text` stand in the training text: matching statistics, Chang, Lawler 1994. */
  trace(text: string): Promise<TracedText>;
  /** Losses of tables of the last few tokens (n-grams, Witten-Bell smoothing): c/text/ngram.h. */
  yardsticks(): Promise<Yardsticks>;
  /**
   * What the table of `order` tokens (0 to 5) loses on each of the tokens `ids`, in nats. The first
   * one begins a document, or a stream of which nothing is known; BOS ends a document.
   */
  scoreByTable(order: number, ids: readonly number[]): Promise<readonly number[]>;
  /**
   * What the table of `order` tokens (0 to 5) writes after `prompt`: as `sample`, with the same
   * bits for the same `seed` (from 0 on).
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
