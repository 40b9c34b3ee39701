/** The first run in this browser: it is slowed down, so that it can be watched. */
import { WATCHED } from '../address/page-settings.ts';
import type { PageState } from '../page-state.ts';
import { keep, recall } from '../storage.ts';
import type { Session } from './session.ts';

export interface FirstRunOptions {
  readonly state: Readonly<PageState>;
  readonly onPace: (pace: PageState['pace']) => void;
  /** Whether this is the page for that: nobody gave it a setting, and no run is kept. */
  readonly isWatched: () => boolean;
}

export class FirstRun {
  readonly #options: FirstRunOptions;
  /** The number of the run that is slowed down; null until it trains. */
  #number: number | null = null;

  constructor(options: FirstRunOptions) {
    this.#options = options;
  }

  /** A run is about to start. */
  begin(): void {
    const { state, onPace, isWatched } = this.#options;
    const isNew = recall('always', 'watched') === null;
    if (!isNew || !isWatched() || state.pace !== 0) return;
    keep('always', 'watched', '1');
    onPace(WATCHED);
  }

  /** Goes on at full speed if the run that is watched is over, or another has taken its place. */
  look({ run }: Session): void {
    const { state, onPace } = this.#options;
    if (state.pace !== WATCHED) return;
    // With a text or settings that are still on their way, Start begins another run than is shown.
    if (run?.state === 'running') {
      this.#number ??= run.number;
      run.wasWatched ||= run.number === this.#number;
    }
    if (this.#number === null) return;
    if (run?.state === 'finished' || run?.number !== this.#number) onPace(0);
  }
}
