/** Creates the engine with the index of the training text once, for all panels. */
import type { StartSecond } from '../questions.ts';
import type { CurrentRun } from './current-run.ts';
import type { Session } from './session.ts';
import { TextTrace } from './text-trace.ts';

export interface TraceContext {
  readonly session: () => Session | null;
  readonly startQuestions: StartSecond | null;
}

export class KeptTrace {
  #trace: TextTrace | null = null;

  /** The engine; null before the session exists. */
  of({ session, startQuestions }: TraceContext): TextTrace | null {
    const now = session();
    if (now === null) return null;
    const { trainer, table } = now;
    const current = (): CurrentRun | null => now.current;
    this.#trace ??= new TextTrace({ trainer, start: startQuestions, current, table });
    return this.#trace;
  }
}
