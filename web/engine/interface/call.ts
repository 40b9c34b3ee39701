/**
 * The calls of a trainer as data. Each interface has a table with an entry per call, which the
 * compiler checks against the signatures. Only the library uses the tables at run time, to check
 * arguments (package/checked.ts); elsewhere they are types alone and cost no bytes.
 */
import type { KeptMoment, WayBack } from './past.ts';
import type { Pace, Watch } from './training.ts';
import type { FileSource, Origin } from './files.ts';
import type { WantedRecipe } from '../options.ts';

/** Kinds of arguments and their types; one type may have several kinds. */
interface Kinds {
  text: string;
  number: number;
  /** A whole number, 0 or more. */
  whole: number;
  /** A whole number, 1 or more. */
  count: number;
  flag: boolean;
  list: readonly unknown[];
  object: object;
  recipe: WantedRecipe | null;
  origin: Origin;
  /** A SampleRequest, complete or partial. */
  request: object;
  pace: Pace;
  watch: Watch;
  way: WayBack;
  moments: readonly KeptMoment[];
  file: FileSource;
  /** A text as a string or bytes, or several texts as bytes. */
  bytes: Uint8Array | string | readonly Uint8Array[];
}

export type Kind = keyof Kinds | 'progress';

type Method = (...args: never[]) => Promise<unknown>;

/** The kinds of a type. A function is a progress callback, the last argument. */
type KindOf<Value> = Value extends (...args: never[]) => unknown
  ? 'progress'
  : { [Name in keyof Kinds]: [Value] extends [Kinds[Name]] ? Name : never }[keyof Kinds];

/** An argument as name and kind, such as `text: text` or `maxTokens?: count`. */
type Argument<Value> = undefined extends Value
  ? `${string}?: ${KindOf<Exclude<Value, undefined>>}`
  : `${string}: ${KindOf<Value>}`;

type Arguments<Given extends readonly unknown[]> = {
  readonly [At in keyof Given]-?: Argument<Given[At]>;
};

/** An entry of a table, independent of its call. */
export interface Call {
  readonly args: readonly string[];
  /** The call that cancels this one. */
  readonly cancel?: string;
  /** Whether the call may be asked of the model at an earlier step; see PastRun. */
  readonly atAnyStep?: true;
  /**
   * The part of the call whose buffers are transferred, not copied, between page and worker; see
   * MOVED_ARGUMENTS and MOVED_ANSWERS in protocol.ts.
   */
  readonly moves?: 'arguments' | 'answer';
}

/** The entry of a call with this signature. */
interface CallOf<Signature extends Method, Name> extends Call {
  readonly args: Arguments<Parameters<Signature>>;
  readonly cancel?: Name & string;
}

/** Names of the members that return a promise. */
export type Names<Subject> = {
  [Name in keyof Subject]: Subject[Name] extends Method ? Name : never;
}[keyof Subject];

/** The table of the calls of an interface. */
export type CallTable<Subject> = {
  readonly [Name in Names<Subject>]: CallOf<Extract<Subject[Name], Method>, Names<Subject>>;
};
