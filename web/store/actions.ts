/** Actions of the reader that concern several panels or the address; a lesson can lock them. */
import type { PromptRequest } from '../base/sampling-limits.ts';
import type { HeadPlace } from '../data/attention-data.ts';
import type { LossChoice } from '../data/loss-data.ts';
import type { Recipe } from '../engine/options.ts';
import type { Pace, Purpose, SaveForm } from '../engine/trainer.ts';
import { canChange } from './address/lesson.ts';
import type { Lesson } from './address/lesson.ts';
import type { Fork } from './past/fork.ts';
import type { ReadingChoice } from './text/decode.ts';

/** Actions on the training text. */
export interface TextActions {
  readonly onSource: (id: string) => void;
  readonly onType: (text: string) => void;
  readonly onFile: (file: File) => void;
  /** Decodes the opened file with another choice. */
  readonly onReadAs: (choice: ReadingChoice) => void;
  readonly onDrop: (dropped: DataTransfer) => void;
  /** Restores the reader's own text that another replaced. */
  readonly onBringBack: () => void;
  /**
   * Reads the whole text, even if the field shows only part of it. `most`: UTF-16 units after which
   * it stops soon.
   */
  readonly readText: (most?: number) => Promise<string>;
  /** The bytes of the whole text. */
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** Replaces the text by a corrected one; returns an undo function. */
  readonly onMend: (text: string) => () => void;
}

/** Actions on model files. */
export interface ModelActions {
  readonly onModel: (files: File[]) => void;
  readonly onPurpose: (purpose: Purpose) => void;
  /** Trains the opened model from its weights on, with the chosen settings and text. */
  readonly onTune: () => void;
  readonly onClose: () => void;
  readonly onSave: (form: SaveForm) => void;
}

/** Actions on the settings of the next run. */
export interface SettingsActions {
  readonly onPreset: (preset: string) => void;
  readonly onSuggestion: () => void;
  /**
   * `onFit` applies the settings that suit the text, `onFitUndo` restores the previous ones,
   * `onFitKeep` declines the offer.
   */
  readonly onFit: () => void;
  readonly onFitUndo: () => void;
  readonly onFitKeep: () => void;
  /** Undoes all changes by hand. */
  readonly onReset: () => void;
  /** Sets a whole recipe, as undo needs it. */
  readonly onRecipe: (recipe: Recipe) => void;
  readonly onOption: (name: string, value: number) => void;
  /** Trains another run with this recipe beside the shown one. */
  readonly onTwin: (recipe: Recipe) => void;
  /** Restarts a diverged run at step 0 with a tenth of its learning rate. */
  readonly onGentler: () => void;
  /** Resumes a diverged run from its last good state. */
  readonly onWayBack: () => void;
}

/** Actions on the run. */
export interface RunActions {
  /** Starts the run; slows down a reader's first run, so that it can be watched. */
  readonly onStart: () => void;
  readonly onStep: () => void;
  /** Adds steps to a finished run. */
  readonly onExtend: () => void;
  /** Makes a new run with a random seed; trains it if the shown run is training. */
  readonly onNewSeed: () => void;
  readonly onPace: (pace: Pace) => void;
  /** Trains a new run from a step of the shown one. Rejects if that is impossible. */
  readonly onFork: (fork: Fork) => Promise<void>;
  /** The reader dismissed the notice that the run was slowed down. */
  readonly onSlowedSeen: () => void;
}

/** Actions on the view. */
export interface ViewActions {
  /** Sets the text of the attention panel; null for the default of the training text. */
  readonly onProbe: (text: string | null) => void;
  readonly onHead: (place: HeadPlace) => void;
  /** The reader selected a weight in an attention map; the sentence describes it. */
  readonly onWeightRead: (sentence: string) => void;
  /** Shows the nearest available step; null for the newest. */
  readonly onLookAt: (step: number | null) => void;
  /**
   * Sets the text to analyse. Only typed text goes into the address, because a button may have
   * inserted part of the reader's own text.
   */
  readonly onScored: (text: string, typed: boolean) => void;
  /** Changes some of the loss settings. */
  readonly onLossChoice: (change: Partial<LossChoice>) => void;
  readonly onAskChange: (ask: PromptRequest) => void;
  readonly onTab: (panel: string) => void;
  /** The reader dismissed the notice about unknown link parameters. */
  readonly onUnknownParamsSeen: () => void;
}

export type PageActions = TextActions & ModelActions & SettingsActions & RunActions & ViewActions;

/** Permissions that actions need, each with its check of the lesson. */
const PERMITS = {
  text: (lesson: Lesson) => canChange(lesson, 'text'),
  // The checks below ignore visibility: if a panel is hidden, other panels still change its values.
  model: (lesson: Lesson) => !lesson.lock.has('model'),
  settings: (lesson: Lesson) => !lesson.lock.has('settings'),
  ask: (lesson: Lesson) => !lesson.lock.has('ask'),
};

const NEEDS: Partial<Record<keyof PageActions, keyof typeof PERMITS>> = {
  onSource: 'text',
  onType: 'text',
  onFile: 'text',
  onDrop: 'text',
  onMend: 'text',
  onBringBack: 'text',
  onReadAs: 'text',
  onModel: 'model',
  onPurpose: 'model',
  onTune: 'model',
  onClose: 'model',
  onPreset: 'settings',
  onSuggestion: 'settings',
  onFit: 'settings',
  onFitUndo: 'settings',
  onRecipe: 'settings',
  onOption: 'settings',
  onReset: 'settings',
  onExtend: 'settings',
  onNewSeed: 'settings',
  onFork: 'settings',
  onTwin: 'settings',
  onGentler: 'settings',
  onWayBack: 'settings',
  onAskChange: 'ask',
};

const nothing = (): void => undefined;

/** Wraps the actions so that locked ones do nothing; `lesson` returns the current lesson. */
export function permitted(lesson: () => Lesson, actions: PageActions): PageActions {
  const guarded = Object.entries(NEEDS).map(([name, need]) => {
    const act = actions[name as keyof PageActions] as (...what: unknown[]) => unknown;
    // A locked action returns an empty undo function.
    return [name, (...what: unknown[]) => (PERMITS[need](lesson()) ? act(...what) : nothing)];
  });
  return { ...actions, ...(Object.fromEntries(guarded) as Partial<PageActions>) };
}
