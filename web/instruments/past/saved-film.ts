/** The film being made, kept while the panel is made again in another language. */
import { signal } from '@preact/signals-core';
import { fileName } from '../../base/file-name.ts';
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { headStatistics } from '../../engine/head-statistics.ts';
import { download } from '../../kit/download.ts';
import { ClearestHead } from '../../store/training/head-habits.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import type { LaterContext } from '../panel.ts';
import { filmSteps } from './film-steps.ts';

interface Making {
  readonly run: number;
  /** Numbers of finished pictures and of all pictures. */
  readonly done: number;
  readonly count: number;
  readonly stop: AbortController;
}

interface Saved {
  readonly run: number;
  /** Name of the file. */
  readonly name: string;
}

export class SavedFilm {
  /** The film in progress; null for none. */
  readonly making = signal<Making | null>(null);
  readonly error = signal<GlasshouseError | null>(null);
  /** The last saved film, for its message; null for none, or once forgotten. */
  readonly saved = signal<Saved | null>(null);

  cancel(): void {
    this.making.peek()?.stop.abort();
  }

  /** Forgets the result of the last film. */
  forget(): void {
    [this.error.value, this.saved.value] = [null, null];
  }

  async make(context: LaterContext): Promise<void> {
    const { state, kept, runs } = context;
    const session = context.session();
    const { run = null, lookedAt } = session ?? {};
    const firstStep = lookedAt?.firstStep ?? null;
    if (session === null || run === null || firstStep === null) return;
    const { attention } = run;
    const steps = filmSteps(firstStep, run.step);
    const stop = new AbortController();
    const tell = (done: number): void => {
      this.making.value = { run: run.number, done, count: steps.length, stop };
    };
    void session.trainer.closed.then(() => stop.abort());
    this.forget();
    tell(0);
    try {
      const { makeFilm } = await import('./film.ts');
      const clearest =
        attention === null
          ? { layer: 0, head: 0 }
          : kept(ClearestHead).find(run.number, attention, headStatistics(attention));
      const head = state.head ?? clearest;
      const made = { context, session, head, steps, signal: stop.signal };
      const file = await makeFilm({ ...made, onPicture: tell });
      const [, ending = ''] = file.type.split('/');
      const name = `${fileName('film', shownFile(session, runs), run.step)}.${ending}`;
      download(file, name);
      this.saved.value = { run: run.number, name };
    } catch (thrown) {
      if (!stop.signal.aborted) this.error.value = asError(thrown);
    }
    this.making.value = null;
  }
}
