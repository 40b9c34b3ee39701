/**
 * Questions to the model of a step of the shown run. Each question is a resource: its answer is a
 * signal, keyed by run, step, method and arguments. A resource is computed only while a panel wants
 * it; one at a time, so that training keeps most of the machine. It is computed again after a
 * cancellation, and after further steps of the run if it asks for the newest step or has failed.
 * Unwanted answers stay cached up to a budget of bytes, the most recently wanted longest.
 */
import { signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { asError, failure } from '../engine/errors.ts';
import type { GlasshouseError } from '../engine/errors.ts';
import type { Model, VisitOptions } from '../engine/past-run.ts';
import { invoke } from '../engine/remote.ts';
import type { Question as Method } from '../engine/remote.ts';
import type { Trainer } from '../engine/trainer.ts';
import { wayTo } from './past/way.ts';
import type { Going } from './past/way.ts';

/** Minimum milliseconds from the start of a question to a repeated question. */
const SHORTEST = 300;
/** The same minimum as a multiple of the earlier question's duration. */
const SHARE = 6;
/** Maximum bytes of cached answers that no panel wants. */
export const ANSWER_BYTES = 16 * 2 ** 20;

/** A question that a model answers; two with the same key have the same answer. */
export interface Question<Value> {
  readonly key: string;
  readonly ask: (model: Model) => Promise<Value>;
  /** Whether the answer is the same at all steps of a run. */
  readonly isConstant?: boolean;
  /** Whether the answer needs gradients or the training text, which a copy of the weights lacks. */
  readonly isOfTrainer?: boolean;
}

/** Members that an answer may have: the step of the model, and whether the answer was cut short. */
interface Answered {
  readonly step?: number;
  readonly cancelled?: boolean;
}

/** Creates the question that the model's method `name` answers, called with `args`. */
export function question<Name extends Method>(
  name: Name,
  ...args: Parameters<Trainer[Name]>
): Question<Awaited<ReturnType<Trainer[Name]>>> {
  const ask = (model: Model): Promise<unknown> => invoke<Method>(model, name, args);
  return { key: JSON.stringify([name, ...args]), ask: ask as Question<never>['ask'] };
}

/** Combines questions to one model; fails with `cancelled` if the answers name different steps. */
export function together<Values extends readonly unknown[]>(
  ...questions: { readonly [At in keyof Values]: Question<Values[At]> }
): Question<Values> {
  return {
    key: questions.map(({ key }) => key).join(),
    ask: async (model) => {
      const values: unknown[] = [];
      for (const one of questions) values.push(await one.ask(model));
      if (new Set(values.map(stepOf)).size > 1) throw failure('cancelled', 'the run went on');
      return values as unknown as Values;
    },
  };
}

export interface Answer<Value> {
  /** The answer; null before the first. */
  readonly value: Value | null;
  /** The step of the model that answered; null before the first answer. */
  readonly step: number | null;
  /** The error of the last attempt; null if it succeeded. */
  readonly error: GlasshouseError | null;
  /** Progress of the engine's recomputation of a past step, if that takes long; null otherwise. */
  readonly going: Going | null;
}

export const NO_ANSWER: Answer<never> = { value: null, step: null, error: null, going: null };

/** The shown run, and the models that answer questions about it. */
export interface AskedRun {
  readonly trainer: Model;
  /** The shown run; null without a run. */
  readonly run: () => { readonly number: number; readonly step: number } | null;
  /** The model of `step`, or of the newest step for null. */
  readonly modelAt: (step: number | null, options: VisitOptions) => Promise<Model>;
  /** Called when a model has answered, or has failed to. */
  readonly onAnswer: () => void;
}

export interface Resource<Value> {
  readonly answer: ReadonlySignal<Answer<Value>>;
  /** Registers the caller as wanting the answer; returns the function that unregisters it. */
  readonly want: () => () => void;
  /** Asks again after a failure. */
  readonly retry: () => void;
}

interface Entry {
  readonly key: string;
  readonly run: number;
  readonly step: number | null;
  readonly ask: (model: Model) => Promise<unknown>;
  readonly isConstant: boolean;
  readonly isOfTrainer: boolean;
  readonly answer: Signal<Answer<unknown>>;
  wanted: number;
  /** The newest step when the last attempt failed; null without a failure. */
  failedAt: number | null;
  bytes: number;
}

export class Asker {
  readonly #asked: AskedRun;
  /** Entries by key, the most recently wanted last. */
  readonly #entries = new Map<string, Entry>();
  #current: { readonly entry: Entry; readonly abort: AbortController } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Earliest time of a repeated question, by `performance.now()`. */
  #next = 0;

  constructor(asked: AskedRun) {
    this.#asked = asked;
  }

  /**
   * The resource for a question to the model of `step`, or of the newest step for null; null
   * without a run.
   */
  resource<Value>(step: number | null, question: Question<Value>): Resource<Value> | null {
    const run = this.#asked.run()?.number;
    if (run === undefined) return null;
    const key = JSON.stringify([run, step, question.key]);
    const { ask, isConstant = false, isOfTrainer = false } = question;
    const entry = this.#entries.get(key) ?? {
      key,
      run,
      step,
      ask,
      isConstant,
      isOfTrainer,
      ...{ wanted: 0, failedAt: null, bytes: 0 },
      answer: signal<Answer<unknown>>(NO_ANSWER),
    };
    this.#entries.set(key, entry);
    return {
      answer: entry.answer as ReadonlySignal<Answer<Value>>,
      want: () => this.#want(entry),
      retry: () => {
        entry.failedAt = null;
        this.look();
      },
    };
  }

  /** Whether a model is answering. */
  get isAsking(): boolean {
    return this.#current !== null;
  }

  /**
   * Asks the next open question; called after further steps of the run, or when another run is
   * shown.
   */
  look(): void {
    const run = this.#asked.run();
    for (const [key, entry] of this.#entries) {
      if (entry.run !== run?.number && entry.wanted === 0) this.#entries.delete(key);
    }
    if (this.#current !== null) return;
    const open = [...this.#entries.values()].filter((entry) => this.#isOpen(entry));
    // A question without an answer precedes repeated questions.
    const fresh = open.find(({ answer }) => answer.peek() === NO_ANSWER);
    const wait = fresh === undefined ? this.#next - performance.now() : 0;
    clearTimeout(this.#timer);
    if (open.length > 0 && wait > 0) this.#timer = setTimeout(() => this.look(), wait);
    else if (open.length > 0) void this.#ask((fresh ?? open[0])!);
  }

  #want(entry: Entry): () => void {
    entry.wanted += 1;
    // The engine's code failed to download; the network may be back.
    if (entry.answer.peek().error?.code === 'script') entry.failedAt = null;
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    this.look();
    return () => {
      entry.wanted -= 1;
      if (entry.wanted > 0) return;
      if (this.#current?.entry === entry) this.#current.abort.abort();
      // Typing a prompt makes a question per letter; those without an answer are dropped.
      if (entry.answer.peek() === NO_ANSWER) this.#entries.delete(entry.key);
    };
  }

  #isOpen({ run, step, isConstant, answer, wanted, failedAt }: Entry): boolean {
    const now = this.#asked.run();
    if (wanted === 0 || now?.number !== run) return false;
    if (failedAt !== null) return failedAt !== now.step;
    const known = answer.peek();
    if (known.value === null) return true;
    return step === null && !isConstant && known.step !== now.step;
  }

  async #ask(entry: Entry): Promise<void> {
    const abort = new AbortController();
    const { signal } = abort;
    const current = { entry, abort };
    this.#current = current;
    const began = performance.now();
    const newest = this.#asked.run()?.step ?? 0;
    const set = (change: Partial<Answer<unknown>>): void => {
      entry.answer.value = { ...entry.answer.peek(), ...change };
    };
    try {
      const onWay = wayTo(entry.step ?? newest, (going) => {
        if (!signal.aborted) set({ going });
      });
      const model =
        entry.step === null && entry.isOfTrainer
          ? this.#asked.trainer
          : await this.#asked.modelAt(entry.step, { signal, onWay });
      const value = await entry.ask(model);
      const step = stepOf(value) ?? entry.step ?? newest;
      // The answer was cancelled, or the engine moved to another step meanwhile.
      const isWhole = !wasCancelled(value) && (entry.step ?? step) === step;
      if (!isWhole) throw failure('cancelled', 'the answer is not whole');
      entry.bytes = bytesOf(value);
      entry.failedAt = null;
      set({ value, step, error: null, going: null });
    } catch (thrown) {
      const error = asError(thrown);
      if (error.code === 'cancelled') set({ going: null });
      else {
        entry.failedAt = newest;
        set({ error, going: null });
      }
    }
    this.#next = began + Math.max(SHORTEST, SHARE * (performance.now() - began));
    this.#current = null;
    this.#asked.onAnswer();
    this.#forget();
    this.look();
  }

  /**
   * Drops unwanted answers, least recently wanted first, until the others fit into ANSWER_BYTES.
   */
  #forget(): void {
    const unwanted = [...this.#entries.values()].filter(({ wanted }) => wanted === 0);
    let bytes = unwanted.reduce((sum, one) => sum + one.bytes, 0);
    for (const entry of unwanted) {
      if (bytes <= ANSWER_BYTES) return;
      bytes -= entry.bytes;
      this.#entries.delete(entry.key);
    }
  }
}

/** The step that an answer, or the first part of one, names; undefined if it names none. */
function stepOf(value: unknown): number | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return (first as Answered | null)?.step;
}

function wasCancelled(value: unknown): boolean {
  return [value].flat().some((one) => (one as Answered | null)?.cancelled === true);
}

/** Bytes of an answer in memory, roughly. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, one) => sum + 16 + bytesOf(one), 0);
}
