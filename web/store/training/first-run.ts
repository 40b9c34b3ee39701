/** The first run in this browser: it is slowed down, so that it can be watched. */
import { WATCHED } from '../address/page-settings.ts';
import type { PageState } from '../page-state.ts';
import { keep, recall } from '../storage.ts';
import type { Session } from './session.ts';

export interface FirstRunOptions {
  readonly state: Readonly<PageState>;
  readonly onPace: (pace: PageState['pace']) => void;
  /** Whether the first run may be slowed down: no setting in the address, and no saved run. */
  readonly isWatched: () => boolean;
}

export class FirstRun {
  readonly #options: FirstRunOptions;
  /** Number of the slowed run; null until it trains. */
  #number: number | null = null;

  constructor(options: FirstRunOptions) {
    this.#options = options;
  }

  /** Slows down the run that is about to start, if it is the first. */
  begin(): void {
    const { state, onPace, isWatched } = this.#options;
    const isNew = recall('always', 'watched') === null;
    if (!isNew || !isWatched() || state.pace !== 0) return;
    keep('always', 'watched', '1');
    onPace(WATCHED);
  }

  /** Restores full speed when the slowed run is finished or replaced. */
  look({ run }: Session): void {
    const { state, onPace } = this.#options;
    if (state.pace !== WATCHED) return;
    // While a text or settings are pending, Start begins another run than the shown one.
    if (run?.state === 'running') {
      this.#number ??= run.number;
      run.wasWatched ||= run.number === this.#number;
    }
    if (this.#number === null) return;
    if (run?.state === 'finished' || run?.number !== this.#number) onPace(0);
  }
}
