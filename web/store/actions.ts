/**
 * What a reader can do that concerns more than one panel, or the address; and what of it a lesson
 * locks.
 */
import type { PromptRequest } from '../base/sampling-limits.ts';
import type { HeadPlace } from '../data/attention-data.ts';
import type { LossChoice } from '../data/loss-data.ts';
import type { Recipe } from '../engine/options.ts';
import type { Pace, Purpose, SaveForm } from '../engine/trainer.ts';
import { canChange } from './address/lesson.ts';
import type { Lesson } from './address/lesson.ts';
import type { Fork } from './past/fork.ts';
import type { ReadingChoice } from './text/decode.ts';

/** Of the text to learn. */
export interface TextActions {
  readonly onSource: (id: string) => void;
  readonly onType: (text: string) => void;
  readonly onFile: (file: File) => void;
  /** The opened file is read in another way. */
  readonly onReadAs: (choice: ReadingChoice) => void;
  readonly onDrop: (dropped: DataTransfer) => void;
  /** Brings the reader's own text back that another took the place of. */
  readonly onBringBack: () => void;
  /**
   * All of the text, also where the field shows a part of it; of a long one only about the first
   * `most` characters, if that is given.
   */
  readonly readText: (most?: number) => Promise<string>;
  /** The same, byte for byte. */
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** A mended text in place of the one there is; the answer puts that one back. */
  readonly onMend: (text: string) => () => void;
}

/** Of models as files. */
export interface ModelActions {
  readonly onModel: (files: File[]) => void;
  readonly onPurpose: (purpose: Purpose) => void;
  readonly onClose: () => void;
  readonly onSave: (form: SaveForm) => void;
}

/** Of what the next run is to be. */
export interface SettingsActions {
  readonly onPreset: (preset: string) => void;
  readonly onSuggestion: () => void;
  /** Applies the settings that suit the text; takes them back; stops offering them. */
  readonly onFit: () => void;
  readonly onFitUndo: () => void;
  readonly onFitKeep: () => void;
  /** Takes all changes by hand back. */
  readonly onReset: () => void;
  /** A whole recipe, as it was before a change that is undone. */
  readonly onRecipe: (recipe: Recipe) => void;
  readonly onOption: (name: string, value: number) => void;
  /** Trains another run with this recipe beside the shown one. */
  readonly onTwin: (recipe: Recipe) => void;
  /** After a run that diverged: back to step 0 with a tenth of the learning rate. */
  readonly onGentler: () => void;
  /** The same from the last good state. */
  readonly onWayBack: () => void;
}

/** Of the run that there is. */
export interface RunActions {
  /** Starts the run that there is; the first one ever so that it can be watched. */
  readonly onStart: () => void;
  readonly onStep: () => void;
  readonly onPace: (pace: Pace) => void;
  /** Another run leaves the shown one at a step, and trains. Fails where that cannot be. */
  readonly onFork: (fork: Fork) => Promise<void>;
  /** The reader has seen that the run was slowed down. */
  readonly onSlowedSeen: () => void;
}

/** Of what is looked at, and how. */
export interface LookActions {
  /** Attention is looked at for another text; null for the one that suits the text to learn. */
  readonly onProbe: (text: string | null) => void;
  readonly onHead: (place: HeadPlace) => void;
  /** A weight was read off a map of attention, as this sentence. */
  readonly onWeightRead: (sentence: string) => void;
  /** The step of the run that is nearest to this one is looked at; null for the newest. */
  readonly onLookAt: (step: number | null) => void;
  /**
   * Only what was typed goes into the address: what a button fetched may be of the reader's own
   * text.
   */
  readonly onScored: (text: string, typed: boolean) => void;
  /** Takes up what has been chosen anew; the rest stays as it is. */
  readonly onLossChoice: (change: Partial<LossChoice>) => void;
  readonly onAskChange: (ask: PromptRequest) => void;
  readonly onTab: (panel: string) => void;
  /** The reader has seen what the address says that nothing knows. */
  readonly onUnknownParamsSeen: () => void;
}

export type PageActions = TextActions & ModelActions & SettingsActions & RunActions & LookActions;

/** Whether a lesson lets its reader change what an action is about. */
const PERMITS = {
  text: (lesson: Lesson) => canChange(lesson, 'text'),
  model: (lesson: Lesson) => canChange(lesson, 'model'),
  // Other panels change settings too, also where their own panel is not shown.
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
  onClose: 'model',
  onPreset: 'settings',
  onSuggestion: 'settings',
  onRecipe: 'settings',
  onOption: 'settings',
  onReset: 'settings',
  onFork: 'settings',
  onTwin: 'settings',
  onGentler: 'settings',
  onWayBack: 'settings',
  onAskChange: 'ask',
};

const nothing = (): void => undefined;

/** The actions, of which those do nothing that the lesson of the moment has locked. */
export function permitted(lesson: () => Lesson, actions: PageActions): PageActions {
  const all = Object.entries(actions) as [keyof PageActions, (...what: unknown[]) => unknown][];
  const guarded = all.map(([name, act]) => {
    const need = NEEDS[name];
    const guard = (...what: unknown[]): unknown =>
      // What is not done needs no way back either.
      need === undefined || PERMITS[need](lesson()) ? act(...what) : nothing;
    return [name, guard];
  });
  return Object.fromEntries(guarded) as PageActions;
}
