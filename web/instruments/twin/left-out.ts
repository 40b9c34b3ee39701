/**
 * Lines that a twin has never read: losses on them and continuations of their beginnings, by the
 * run and by its twin (Zhang et al., "Counterfactual Memorization in Neural Language Models",
 * 2023).
 */
import { signal } from '@preact/signals';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Model } from '../../engine/past-run.ts';
import { wholeSample } from '../../store/training/whole-sample.ts';
import { Seeds } from './seeds.ts';

/** Maximum lines to leave out: each is measured separately. */
export const MOST_LINES = 50;
/** Maximum tokens of a line to score. */
const SCORED_TOKENS = 800;
/** Maximum tokens of the continuation of a line's first half. */
const WRITTEN_TOKENS = 40;

/** Measurements of a line by one model. */
export interface LineFacts {
  /** Mean loss of its tokens, in nats. */
  readonly loss: number;
  /** Greedy continuation (temperature 0) of its first half, up to the end of the line. */
  readonly written: string;
}

export interface LeftOutLine {
  /** Line number, from 1. */
  readonly number: number;
  readonly text: string;
  /** Measurements by the run that has read the line. */
  readonly seen: LineFacts;
}

/** The last requested twin. */
interface LeftOutTwin {
  readonly lines: readonly LeftOutLine[];
  /** Byte ranges that the twin's recipe leaves out, as JSON; empty before the first twin. */
  readonly ranges: string;
  /** Whether settings of the original run were changed after its first step. */
  readonly wasChanged: boolean;
}

export class LeftOutState {
  readonly twin = signal<LeftOutTwin>({ lines: [], ranges: '', wasChanged: false });
  /** Error of the last request; `run` if the shown run is unsuitable, null if none. */
  readonly wrong = signal<'numbers' | 'many' | 'run' | null>(null);
  /** Why the lines could not be measured before the twin began; null if they could. */
  readonly error = signal<GlasshouseError | null>(null);
  readonly seeds = new Seeds();
}

/** For each line, measures the model's loss, and continues the first half of the line. */
export async function measureLines(
  model: Pick<Model, 'analyse' | 'sample'>,
  lines: readonly { readonly text: string }[],
): Promise<LineFacts[]> {
  const facts: LineFacts[] = [];
  for (const { text } of lines) {
    const { meanLoss } = await model.analyse(text, SCORED_TOKENS, false);
    const prompt = beginningOf(text);
    const request = { prompt, temperature: 0, maxTokens: WRITTEN_TOKENS };
    const written = await wholeSample(model, request);
    facts.push({ loss: meanLoss, written: written.split('\n')[0] ?? '' });
  }
  return facts;
}

/** Mean loss of the lines, in nats per token. */
export function meanLoss(facts: readonly LineFacts[]): number {
  return facts.reduce((sum, { loss }) => sum + loss, 0) / facts.length;
}

/**
 * Line numbers in "3, 8–10", ascending and distinct; null if invalid or above `count`. Stops after
 * MOST_LINES + 1 numbers, which are too many.
 */
export function lineNumbers(typed: string, count: number): number[] | null {
  const numbers = new Set<number>();
  // NFKC turns full-width digits into ASCII.
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

/** UTF-8 byte ranges of the numbered lines, without line feeds; leaves out empty lines. */
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
    if (wanted.has(index + 1) && line.trim() !== '') ranges.push([from, to]);
    from = to + 1;
  }
  return ranges;
}

/** The first half of a line, as a prompt. */
export function beginningOf(line: string): string {
  const characters = Array.from(line);
  return characters.slice(0, Math.ceil(characters.length / 2)).join('');
}
