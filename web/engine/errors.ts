/**
 * The one error class of the project. The engine reports failures as a status with numbers; here
 * they become an exception that carries the same facts, so that the page can say them in the
 * reader's language. Errors cross the worker boundary as plain objects and are rebuilt there.
 */

/** What a failure is made of: everything needed to explain it in any language. */
export interface ErrorFacts {
  /** Stable name of the failure, e.g. "heads"; the catalogues hold a text under `error.<code>`. */
  readonly code: string;
  /** English sentence, for logs and for callers without a catalogue. */
  readonly message: string;
  /** The numbers of the text, in order: `{0}`, `{1}`, `{2}`. */
  readonly values: readonly number[];
  /** The option, argument or character that it is about; may be empty. `{name}` in texts. */
  readonly subject: string;
  /** Whether the model that there was is gone: it had made room for one that did not come. */
  readonly dropped?: boolean;
}

/** A failure of the engine or of the page's use of it. */
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

/** Makes an error of the page's own, with the English text that logs show. */
export function failure(
  code: string,
  message: string,
  values: readonly number[] = [],
  subject = '',
): GlasshouseError {
  return new GlasshouseError({ code, message, values, subject });
}

/** The facts of any thrown value, ready to cross a message port. */
export function factsOf(thrown: unknown): ErrorFacts {
  if (thrown instanceof GlasshouseError) {
    const { code, message, values, subject, dropped } = thrown;
    return { code, message, values, subject, ...(dropped ? { dropped } : {}) };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'unexpected', message, values: [], subject: '' };
}

/** For promises whose failure changes nothing and tells nobody anything. */
export function ignore(): void {
  return undefined;
}

/** The thrown value as a GlasshouseError, whatever it was. */
export function asError(thrown: unknown): GlasshouseError {
  return thrown instanceof GlasshouseError ? thrown : new GlasshouseError(factsOf(thrown));
}
