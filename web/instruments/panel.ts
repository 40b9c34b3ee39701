/**
 * A panel ties one view to the session: it makes the view in its own element, hands it what it
 * shows, and takes what the reader does there to the session. Panels do not know each other.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import type { ErrorFacts } from '../engine/errors.ts';
import type { Recipe } from '../engine/options.ts';
import type { Purpose, SaveForm } from '../engine/trainer.ts';
import type { AllWords, Key, Lang, Words } from '../i18n/index.ts';
import type { HeadPlace } from '../data/attention-data.ts';
import type { LossChoice } from '../data/loss-data.ts';
import type { PromptRequest } from '../base/sampling-limits.ts';
import type { FitNotice } from '../store/text/fitting.ts';
import type { Passing } from '../kit/in-sight.ts';
import type { Kept } from '../kit/kept.ts';
import type { Lesson } from '../store/address/lesson.ts';
import type { OwnText } from '../store/text/own-text.ts';
import type { Runs } from '../store/runs/run-keeper.ts';
import type { Session } from '../store/training/session.ts';
import type { Tab } from '../store/address/page-settings.ts';
import type { Reading, ReadingChoice } from '../store/text/decode.ts';
import type { SampleText } from '../store/text/texts.ts';

/** What the page knows besides the session. */
export interface PageState {
  source: string;
  shown: string;
  readOnly: boolean;
  fileName: string;
  fileSize: number;
  /** How its file was read; null if no reader opened it as a file. */
  reading: Reading | null;
  /** Counts the texts that were taken. */
  version: number;
  textError: ErrorFacts | null;
  readonly own: Pick<OwnText, 'isInPlaceOfAnother' | 'isOfRun' | 'isUnkept'>;
  /**
   * The settings, of another preset than before, that came with the text when it was chosen; or
   * those that were changed by hand with another text and stay, and the preset that this one had if
   * it had another.
   */
  brought: {
    readonly source: string;
    readonly recipe: Recipe;
    readonly before?: string;
    readonly stays?: boolean;
    /** Those in whose place they came. */
    readonly from?: Recipe;
  } | null;
  /** What is said of settings that suit the text; null for nothing. */
  fitNotice: FitNotice | null;
  loadError: ErrorFacts | null;
  /** What the address says that nothing here knows. */
  strangeWords: readonly string[];
  /** Another version of the site has taken the place of this one. */
  isReplaced: boolean;
  /** The file that the model was saved as last, of which step of which run; null for none. */
  saved: { readonly name: string; readonly run: number; readonly step: number } | null;
  probe: string;
  /** The head whose attention is shown large. */
  head: HeadPlace;
  /** What was said of the weight that was chosen last in a map; empty before one was. */
  weightRead: string;
  /** The step that attention is looked back at, of which run; null follows the run. */
  lookBack: { readonly run: number; readonly step: number } | null;
  /** The text whose tokens are looked at one by one; null for the probe. */
  scored: string | null;
  ask: PromptRequest;
  pace: number;
  /** How the reader wants to see losses, wherever they are shown. */
  lossChoice: LossChoice;
  /** The panel that is open among those to look closer with. */
  closer: string;
}

/** What a reader can do that concerns more than one panel, or the address. */
export interface PageActions {
  readonly onSource: (id: string) => void;
  readonly onType: (text: string) => void;
  readonly onFile: (file: File) => void;
  /** The opened file is read in another way. */
  readonly onReadAs: (choice: ReadingChoice) => void;
  readonly onDrop: (dropped: DataTransfer) => void;
  readonly onModel: (files: File[]) => void;
  readonly onPurpose: (purpose: Purpose) => void;
  readonly onClose: () => void;
  readonly onSave: (form: SaveForm) => void;
  readonly onPreset: (preset: string) => void;
  readonly onSuggestion: () => void;
  /** Applies the settings that suit the text; takes them back; stops offering them. */
  readonly onFit: () => void;
  readonly onFitUndo: () => void;
  readonly onFitKeep: () => void;
  /** Brings the reader's own text back that another took the place of. */
  readonly onBringBack: () => void;
  /** Takes all changes by hand back. */
  readonly onReset: () => void;
  /** A whole recipe, as it was before a change that is undone. */
  readonly onRecipe: (recipe: Recipe) => void;
  /**
   * All of the text, also where the field shows a part of it; of a long one only about the first
   * `most` characters, if that is given.
   */
  readonly readText: (most?: number) => Promise<string>;
  /** The same, byte for byte. */
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** A mended text in place of the one there is; the answer puts that one back. */
  readonly onMend: (text: string) => () => void;
  readonly onOption: (name: string, value: number) => void;
  /** Attention is looked at for another text; null for the one that suits the text to learn. */
  readonly onProbe: (text: string | null) => void;
  readonly onHead: (place: HeadPlace) => void;
  /** A weight was read off a map of attention, as this sentence. */
  readonly onWeightRead: (sentence: string) => void;
  /** Attention is looked back at; null for the newest. */
  readonly onLookBack: (place: PageState['lookBack']) => void;
  /**
   * Only what was typed goes into the address: what a button fetched may be of the reader's own
   * text.
   */
  readonly onScored: (text: string, typed: boolean) => void;
  readonly onPace: (stepsPerSecond: number) => void;
  /** Takes up what has been chosen anew; the rest stays as it is. */
  readonly onLossChoice: (change: Partial<LossChoice>) => void;
  readonly onAskChange: (ask: PromptRequest) => void;
  readonly onCloser: (panel: string) => void;
  /** The reader has seen what the address says that nothing knows. */
  readonly onWordsSeen: () => void;
}

export interface PanelContext {
  readonly words: Words;
  readonly state: Readonly<PageState>;
  readonly actions: PageActions;
  /** The sample texts to choose from. */
  readonly samples: readonly SampleText[];
  readonly lesson: Lesson;
  /** Address of the site's folder; null where the app is not a page of the site. */
  readonly home: string | null;
  /** The same wherever it is known: below it lies the documentation. */
  readonly site: string | null;
  /** What the address says now, with its `#`. */
  readonly fragment: () => string;
  readonly isDark: () => boolean;
  /** Null until the engine has started. */
  readonly session: () => Session | null;
  /** Whether this form of the page has the tab, and shows its readers any. */
  readonly offers: (tab: Tab) => boolean;
  /** What panels remember when they are made anew. */
  readonly kept: Kept;
  /** What is kept of runs, in this browser. */
  readonly runs: Runs;
  /** Starts a second engine, for a short trial; null where trials are not to be. */
  readonly startTrial: (() => Promise<CreatedTrainer>) | null;
  /** Brings a panel into sight, unless one of those that show the run is in sight already. */
  readonly reveal: (id: string) => void;
  /** Watches whether one scrolls past a panel; null if absent. */
  readonly watch: (id: string, changed: () => void) => Passing | null;
  /**
   * Goes to a place: what stands above the run, the text or an option, to mend a mistake there,
   * where models are saved, the open tab below, a map of attention, or the large button of the
   * strip. `at`, in CSS pixels below the top of the window, is where the reader was: there stands
   * then what leads back.
   */
  readonly goTo: (
    what:
      'notice' | 'text' | 'closer' | 'model' | 'attention' | 'run' | { readonly option: string },
    at?: number,
  ) => void;
}

export interface Panel {
  /**
   * Shows what has changed; called at most once a frame, and only while the panel is on the page.
   */
  update(): void;
  /** The container changed its size or its colours. */
  resize(): void;
  destroy(): void;
  /** Takes the reader to a control of its own. */
  focus?(what: string, at?: number): void;
}

export interface CloserPanel {
  readonly id: Tab;
  readonly title: Key;
  readonly load: LoadPanel;
  /** Fetches what it shows beside its code, so that nothing is asked of the network later. */
  readonly preload?: (lang: Lang) => Promise<unknown>;
  /** Only on the site's own page. */
  readonly site?: boolean;
}

export type CreatePanel = (container: HTMLElement, context: PanelContext) => Panel;

/** The context of a panel whose code comes after the first screen: its words come with it. */
export interface LaterContext extends PanelContext {
  readonly words: AllWords;
}

export type CreateLaterPanel = (container: HTMLElement, context: LaterContext) => Panel;

/** Fetches the code of such a panel. */
export type LoadPanel = () => Promise<CreateLaterPanel>;

/** Stands where a form of the page has nothing to show. */
export const createNothing: CreatePanel = () =>
  panelOf({ resize: () => undefined, destroy: () => undefined }, () => undefined);

/**
 * What a view and a panel have in common, from the view. What comes late finds nothing left to
 * update.
 */
export function panelOf(view: { resize(): void; destroy(): void }, update: () => void): Panel {
  let destroyed = false;
  return {
    update: () => {
      if (!destroyed) update();
    },
    resize: () => {
      view.resize();
    },
    destroy: () => {
      destroyed = true;
      view.destroy();
    },
  };
}
