/**
 * The only error class of the project. A failed engine call returns a status and numbers; the error
 * carries both, so that the page can explain them in the reader's language. Errors cross the worker
 * boundary as plain objects and are rebuilt there.
 */

/** The facts of an error, enough to explain it in any language. */
export interface ErrorFacts {
  /** Stable name of the error, such as "heads"; the catalogues explain it under `error.<code>`. */
  readonly code: string;
  /** English sentence, for logs and for callers without a catalogue. */
  readonly message: string;
  /** Numbers for the placeholders `{0}`, `{1}`, … of the explanation. */
  readonly values: readonly number[];
  /** The option, argument or character concerned, `{name}` in the explanation; may be empty. */
  readonly subject: string;
  /** Whether the previous model was freed to make room for the one that failed. */
  readonly dropped?: boolean;
}

/** An error of the engine or of its use. */
export class GlasshouseError extends Error implements ErrorFacts {
  readonly code: string;
  readonly values: readonly number[];
  readonly subject: string;
  readonly dropped: boolean;

  constructor(facts: ErrorFacts) {
    super(facts.message);
    this.name = 'GlasshouseError';
    this.code = facts.code;
    this.values = facts.values;
    this.subject = facts.subject;
    this.dropped = facts.dropped ?? false;
  }
}

/** Makes an error on the TypeScript side; `message` is for logs. */
export function failure(
  code: string,
  message: string,
  values: readonly number[] = [],
  subject = '',
): GlasshouseError {
  return new GlasshouseError({ code, message, values, subject });
}

/** Error messages for a script that could not be fetched: Chromium and Firefox, then Safari. */
const NO_SCRIPT = /dynamically imported module|Importing a module script failed/;

/** Whether a value is an error, or its facts from a worker. */
function isFacts(value: unknown): value is ErrorFacts {
  return typeof value === 'object' && value !== null && 'code' in value && 'values' in value;
}

/** The facts of any thrown value, cloneable for a message port. */
export function factsOf(thrown: unknown): ErrorFacts {
  if (isFacts(thrown)) {
    const { code, message, values, subject, dropped } = thrown;
    return { code, message, values, subject, ...(dropped ? { dropped } : {}) };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = NO_SCRIPT.test(message) ? 'script' : 'unexpected';
  return { code, message, values: [], subject: '' };
}

/** Handles rejections that need no reaction. */
export function ignore(): void {
  return undefined;
}

/** Converts any thrown value. */
export function asError(thrown: unknown): GlasshouseError {
  return thrown instanceof GlasshouseError ? thrown : new GlasshouseError(factsOf(thrown));
}
