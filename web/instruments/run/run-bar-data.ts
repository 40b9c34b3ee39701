/** What the run bar shows of a run, and what a press there asks for. */
import type { LossUnit } from '../../data/loss-data.ts';
import type { Words } from '../../i18n/index.ts';
import type { Folds } from '../../kit/folds.ts';
import type { PageState } from '../../store/page-state.ts';
import type { RunBarState } from '../../store/remote.ts';
import type { RunTimelineData } from './run-timeline.ts';

/** A setting that was changed since the run began. */
export interface RunBarChange {
  readonly name: string;
  /** As readers know them; empty where they are too long to be said. */
  readonly was: string;
  readonly now: string;
}

export interface RunBarData extends RunTimelineData {
  readonly state: RunBarState;
  /** The text that is looked at, for a line where the texts are out of sight. */
  readonly newest: string;
  /** Loss in `unit` of the step that is looked at, smoothed as the curve is; null before step 1. */
  readonly loss: number | null;
  readonly unit: LossUnit;
  readonly tokensPerSecond: number;
  /** How training is held back: to steps a second, 0 for full speed, or so as to be watched. */
  readonly pace: PageState['pace'];
  /** Seconds that the run still takes; NaN where nobody can tell. */
  readonly secondsLeft: number;
  /** How many steps "train further" would add. */
  readonly extension: number;
  /** Settings that differ from those of the run that is shown. */
  readonly changed: readonly RunBarChange[];
  /** A run of before is on offer, out of sight. */
  readonly kept: boolean;
  /** False for a model that was opened to write only. */
  readonly trains: boolean;
  /** A new run with the changed settings can be begun. */
  readonly renewable: boolean;
  /** It cannot begin as things are, whatever leads to where that can be mended. */
  readonly barred: boolean;
  /**
   * A new run would begin from chance, although a model was opened; and that model could learn it.
   */
  readonly leavesModel: boolean;
  readonly tunable: boolean;
  /** How much of the text the next run would not learn, in a sentence; empty for nothing. */
  readonly leftOut: string;
  /** Settings that learn all of it can be had with a press. */
  readonly curable: boolean;
  /** A lesson has locked the settings. */
  readonly isFixed: boolean;
  /** What is wrong or worth knowing, in the reader's language. */
  readonly message: string;
  readonly messageIsError: boolean;
  /** Nothing can begin, and no single place mends it: the message is all there is to go to. */
  readonly stuck: boolean;
}

export interface RunBarOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** Speeds to choose from, in steps a second; 0 for full speed. */
  readonly paces: readonly number[];
  readonly onPace: (stepsPerSecond: number) => void;
  /** Another step is to be looked at; null for the newest. */
  readonly onLookAt: (step: number | null) => void;
  readonly onStart: () => void;
  readonly onPause: () => void;
  readonly onStep: () => void;
  readonly onRewind: () => void;
  readonly onNewSeed: () => void;
  readonly onExtend: () => void;
  /** On with the run, whatever was changed for another. */
  readonly onContinue: () => void;
  /** A new run with the changed settings. */
  readonly onRestart: () => void;
  /** Settings that suit the text, so that none of it is left out. */
  readonly onCure: () => void;
  /** The opened model learns what was changed. */
  readonly onTune: () => void;
  /** To the offer of a run of before. */
  readonly onKept: () => void;
  /** Rewind and train more gently, after the loss blew up. */
  readonly onGentler: () => void;
}

/** What a press of the large button does. */
export type Deed = 'wait' | 'start' | 'pause' | 'continue' | 'extend' | 'rewind' | 'renew';

/** What can be done with the run that there is. */
export function deedOf({ state }: RunBarData): Deed {
  switch (state) {
    case 'loading':
      return 'wait';
    case 'running':
      return 'pause';
    case 'paused':
      return 'continue';
    case 'finished':
      return 'extend';
    case 'diverged':
      return 'rewind';
    default:
      return 'start';
  }
}

/** Whether what was changed for a new run comes before the run that has come to rest. */
export function renews({ state, renewable }: RunBarData): boolean {
  return renewable && (state === 'paused' || state === 'finished');
}

/** What each press of the large button does. */
export function deedsOf(options: RunBarOptions): Readonly<Record<Deed, () => void>> {
  return {
    wait: () => undefined,
    start: options.onStart,
    pause: options.onPause,
    continue: options.onContinue,
    extend: options.onExtend,
    rewind: options.onRewind,
    renew: options.onRestart,
  };
}
