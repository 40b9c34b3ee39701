/** The index of a run's text, created at the first question about it. */
import { TRACES } from '../base/form.ts';
import type { EngineModel } from './binding/model.ts';
import type { EngineText } from './binding/text.ts';
import { failure, ignore } from './errors.ts';
import type { Tracing } from './tracing.ts';

export class TracePart {
  readonly #text: () => EngineText | null;
  /** Null before the first question, and after the run or its text was replaced. */
  #made: { readonly model: EngineModel; readonly tracing: Promise<Tracing> } | null = null;

  /** `text` returns the text set last, which must be that of the run; null if none is set. */
  constructor(text: () => EngineText | null) {
    this.#text = text;
  }

  /** The index of the model's training text; remains valid while the model trains. */
  of(model: EngineModel): Promise<Tracing> {
    if (!TRACES) throw failure('questions', 'this form of the page looks no texts up');
    if (this.#made?.model !== model) {
      this.forget();
      const tracing = import('./tracing.ts').then(({ Tracing: Made }) => {
        const text = this.#text();
        if (text === null) throw failure('trace-text', 'the text of the run is not known here');
        return new Made(model, text);
      });
      this.#made = { model, tracing };
      // The next question tries again.
      tracing.catch(() => {
        if (this.#made?.tracing === tracing) this.#made = null;
      });
    }
    return this.#made.tracing;
  }

  /** Frees the index, because the run or its text is replaced; pending questions then reject. */
  forget(): void {
    this.#made?.tracing.then((tracing) => {
      tracing.free();
    }, ignore);
    this.#made = null;
  }
}
