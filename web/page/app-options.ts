/** Options of the app, set by the site's page, the frame or the element that contains the app. */
import type { CreatedTrainer } from '../engine/create.ts';
import type { Lang, Words } from '../i18n/index.ts';
import type { AddressStore } from '../store/address/address-store.ts';
import type { Lesson } from '../store/address/lesson.ts';
import type { SampleReader } from '../store/text/text-source.ts';
import type { SampleText } from '../store/text/texts.ts';

export interface AppOptions {
  readonly startEngine: () => Promise<CreatedTrainer>;
  /** Starts a second engine, on one thread or several; omitted if there must be only one. */
  readonly startSecond?: (threaded: boolean) => Promise<CreatedTrainer>;
  /**
   * Starts an engine for questions about the text, snapshots, exports, and runs with other seeds;
   * omitted if the app offers none of these.
   */
  readonly startQuestions?: () => Promise<CreatedTrainer>;
  /** Preloads the module of `startQuestions`, so that the page needs no network for it later. */
  readonly preloadQuestions?: () => void;
  /** Reads a sample text by file name. */
  readonly readSample: SampleReader;
  /** Sample texts to choose from; all by default. */
  readonly samples?: readonly SampleText[];
  /** Address of the site's folder, for links to its documentation; without it no links. */
  readonly site?: string | null;
  readonly address: AddressStore;
  /** The element with `data-theme`; the app sets `lang` on it. */
  readonly root: HTMLElement;
  /** Called with the words of a new language, for texts outside `main`. */
  readonly onWords?: (words: Words, app: Chrome) => void;
  /** Called once, when the page is complete and idle. */
  readonly onReady?: () => void;
  /** Called with a sentence about the training thread; empty if there is nothing to report. */
  readonly onPlace?: (text: string) => void;
  /** Called with unknown parameters of an address, or unknown attributes. */
  readonly onUnknownParams?: (words: readonly string[]) => void;
  /** Whether preferences may be stored for the next visit; true by default. */
  readonly keeps?: boolean;
  /** The reader's own text at the start, for addresses with `text=own`. */
  readonly text?: string | Uint8Array<ArrayBuffer>;
  /** Name of `text` in its link or element. */
  readonly textName?: string;
  /** Error of loading `text`; undefined without an error. */
  readonly textError?: unknown;
  readonly lesson?: Lesson;
  /** Address of the site's folder if the app is a page of the site: its lessons can be shared. */
  readonly home?: string;
}

/** Actions for controls outside `main`, such as the header. */
export interface Chrome {
  readonly setLang: (lang: Lang) => void;
  /** Begins the tour. */
  readonly showAround: () => void;
  /** Opens the tab that explains the model; null if the lesson does not show it. */
  readonly showStory: (() => void) | null;
  /** Redraws in the colours of the new theme. */
  readonly recolour: () => void;
  /** Changes panels, locks and task, by parameters of an address; the run continues. */
  readonly setLesson: (lesson: Lesson, params: URLSearchParams) => void;
}
