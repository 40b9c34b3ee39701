/**
 * The calls of a trainer as data. Beside the interface of each subject stands a table with an entry
 * for each of its calls, which the compiler compares with the signature. The library checks
 * arguments by these tables (package/checked.ts); in the other forms of the page only their types
 * are used, so that they take no bytes there.
 */
import type { Pace } from './training.ts';
import type { FileSource, Origin } from './files.ts';
import type { WantedRecipe } from '../options.ts';

/** Kinds of arguments, each with its type; more than one may suit a type. */
interface Kinds {
  text: string;
  number: number;
  /** A whole number from 0 on. */
  whole: number;
  /** A whole number from 1 on. */
  count: number;
  flag: boolean;
  list: readonly unknown[];
  object: object;
  recipe: WantedRecipe | null;
  origin: Origin;
  /** A request for a text. */
  request: object;
  pace: Pace;
  file: FileSource;
  /** One text or several, as bytes or as a string. */
  bytes: Uint8Array | string | readonly Uint8Array[];
}

export type Kind = keyof Kinds | 'progress';

type Method = (...args: never[]) => Promise<unknown>;

/** The kinds that suit a type; a function hears of progress, and is the last argument. */
type KindOf<Value> = Value extends (...args: never[]) => unknown
  ? 'progress'
  : { [Name in keyof Kinds]: [Value] extends [Kinds[Name]] ? Name : never }[keyof Kinds];

/** An argument by its name and kind, such as `text: text` or `maxTokens?: count`. */
type Argument<Value> = undefined extends Value
  ? `${string}?: ${KindOf<Exclude<Value, undefined>>}`
  : `${string}: ${KindOf<Value>}`;

type Arguments<Given extends readonly unknown[]> = {
  readonly [At in keyof Given]-?: Argument<Given[At]>;
};

/** An entry of a table, whichever call it describes. */
export interface Call {
  readonly args: readonly string[];
  /** The call that ends this one early. */
  readonly cancel?: string;
  /** May be asked of the model that the run had at any of its steps; see PastRun. */
  readonly atAnyStep?: true;
  /**
   * The part of the call whose buffers are moved between page and worker instead of copied; see
   * MOVED_ARGUMENTS and MOVED_ANSWERS in protocol.ts.
   */
  readonly moves?: 'arguments' | 'answer';
}

/** The entry of a call with this signature. */
interface CallOf<Signature extends Method, Name> extends Call {
  readonly args: Arguments<Parameters<Signature>>;
  readonly cancel?: Name & string;
}

/** Names of the members that answer with a promise. */
export type Names<Subject> = {
  [Name in keyof Subject]: Subject[Name] extends Method ? Name : never;
}[keyof Subject];

/** The table of the calls of an interface. */
export type CallTable<Subject> = {
  readonly [Name in Names<Subject>]: CallOf<Extract<Subject[Name], Method>, Names<Subject>>;
};
