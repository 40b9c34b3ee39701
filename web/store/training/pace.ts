/**
 * How long a run will take: the work of its steps, and how fast such steps were on this machine.
 */
import { valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';

/** What decides the work of a step. */
export interface Work {
  readonly plan: Plan;
  readonly table: OptionTable;
  readonly recipe: Recipe;
  /** Lengths of the lines at evenly spaced ranks, the shortest first; empty while unknown. */
  readonly lengths: readonly number[];
}

/**
 * Taken until something was measured, in operations a second: a small model on an ordinary laptop.
 */
const GUESSED_SPEED = 1e10;
/** What AdamW does to a parameter takes as long as this many multiplications and additions. */
const UPDATE = 30;

/**
 * Tokens of the longest of `batch` documents, on average: shorter ones are filled up to it, and
 * what the context cuts off is not computed.
 */
function longestOfBatch({ plan, lengths }: Work, batch: number, context: number): number {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  // Each document has one target more than it has tokens: its end.
  const tokens = plan.tokens / plan.documents;
  if (!(mean > 0)) return Math.min(context, tokens + 1);
  let longest = 0;
  for (const [rank, length] of lengths.entries()) {
    const share = ((rank + 1) / lengths.length) ** batch - (rank / lengths.length) ** batch;
    longest += share * Math.min(context, (length * tokens) / mean + 1);
  }
  return longest;
}

/** Multiplications and additions of one step: forward, twice as many backward, and the update. */
export function stepOperations(work: Work): number {
  const { plan, table, recipe } = work;
  const value = (name: string): number => valueOf(table, recipe, name);
  const [batch, context] = [value('batch'), value('context')];
  const length = plan.documents > 0 ? longestOfBatch(work, batch, context) : context;
  // Every parameter twice, and attention over half of the tokens on average.
  const attention = 6 * value('layers') * value('channels') * length;
  return batch * length * (6 * plan.parameters + attention) + UPDATE * plan.parameters;
}

/**
 * Speeds that were measured, in operations a second. Small steps leave most threads without work,
 * so there is one for each order of magnitude of a step.
 */
export class Speeds {
  readonly #speeds: Map<number, number>;

  /** `kept`: what `toString` gave at an earlier visit. */
  constructor(kept: string | null) {
    const pairs = (kept ?? '').split(' ').map((pair) => pair.split(':').map(Number));
    const good = pairs.filter(([size, speed]) => Number.isInteger(size) && speed! > 0);
    this.#speeds = new Map(good as [number, number][]);
  }

  get known(): boolean {
    return this.#speeds.size > 0;
  }

  note(operations: number, speed: number): void {
    this.#speeds.set(sizeOf(operations), Math.round(speed));
  }

  /** Of steps of this size, or else of those that come nearest to it. */
  at(operations: number): number {
    const size = sizeOf(operations);
    const far = ([other]: [number, number]): number => Math.abs(other - size);
    return [...this.#speeds].sort((a, b) => far(a) - far(b))[0]?.[1] ?? GUESSED_SPEED;
  }

  toString(): string {
    return [...this.#speeds].map((pair) => pair.join(':')).join(' ');
  }
}

function sizeOf(operations: number): number {
  return Math.round(Math.log10(operations));
}
