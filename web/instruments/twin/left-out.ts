/**
 * Lines that a twin has not seen: what the model loses on them, and writes after their beginnings,
 * with and without them (Zhang et al., "Counterfactual Memorization in Neural Language Models",
 * 2023).
 */
import type { GlasshouseError } from '../../engine/errors.ts';
import { Seeds } from './seeds.ts';

/** Lines that are left out at most: each is measured by itself. */
export const MOST_LINES = 50;

/** What one model makes of a line. */
export interface LineFacts {
  /** Mean loss of its tokens, in nats. */
  readonly loss: number;
  /** What the model takes for likeliest after the first half of it. */
  readonly written: string;
}

export interface LeftOutLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly seen: LineFacts;
  readonly unseen: LineFacts | null;
}

/** What the page remembers of the twin that was trained last. */
export class LeftOutState {
  lines: readonly LeftOutLine[] = [];
  ranges = '';
  /** Why what was asked for cannot be; `run`: because of the run, as long as it is that one. */
  wrong: 'numbers' | 'many' | 'run' | null = null;
  /** The twin is being measured, or was. */
  isMeasured = false;
  /** Settings of the run that has read these lines were changed after its first step. */
  wasChanged = false;
  /** Why the lines could not be measured. */
  error: GlasshouseError | null = null;
  readonly seeds = new Seeds();
}

/** Mean loss of the lines, in nats per token. */
export function meanLoss(facts: readonly LineFacts[]): number {
  return facts.reduce((sum, { loss }) => sum + loss, 0) / facts.length;
}

/** The numbers in "3, 8–10", rising, each once; null where it is no such list up to `count`. */
export function lineNumbers(typed: string, count: number): number[] | null {
  const numbers = new Set<number>();
  // Full-width digits are digits.
  for (const part of typed
    .normalize('NFKC')
    .split(/[,，、;；\s]+/)
    .filter(Boolean)) {
    const [, first, last] = /^(\d{1,9})(?:[-–—:](\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined) return null;
    const [from, to] = [Number(first), Number(last ?? first)];
    if (from < 1 || to < from || to > count || to - from > count) return null;
    for (let number = from; number <= to && numbers.size <= MOST_LINES; number++) {
      numbers.add(number);
    }
  }
  return numbers.size === 0 ? null : [...numbers].sort((a, b) => a - b);
}

/** Where lines of a text stand in its bytes. */
export function bytesOfLines(
  lines: readonly string[],
  numbers: readonly number[],
): (readonly [from: number, to: number])[] {
  const encoder = new TextEncoder();
  const wanted = new Set(numbers);
  const ranges: (readonly [number, number])[] = [];
  let from = 0;
  for (const [index, line] of lines.entries()) {
    const to = from + encoder.encode(line).length;
    if (wanted.has(index + 1) && to > from) ranges.push([from, to]);
    from = to + 1;
  }
  return ranges;
}

/** The first half of a line, which the model is to go on from. */
export function beginningOf(line: string): string {
  const characters = Array.from(line);
  return characters.slice(0, Math.ceil(characters.length / 2)).join('');
}
