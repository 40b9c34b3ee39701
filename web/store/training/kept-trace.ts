/** The engine with the index of the run's text: one, whichever panels ask it. */
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

  /** Null until there is an engine that trains. */
  of({ session, startQuestions }: TraceContext): TextTrace | null {
    const now = session();
    if (now === null) return null;
    const { trainer, table } = now;
    const current = (): CurrentRun | null => now.current;
    this.#trace ??= new TextTrace({ trainer, start: startQuestions, current, table });
    return this.#trace;
  }
}
