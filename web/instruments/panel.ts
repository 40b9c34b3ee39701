/**
 * A panel shows one instrument in its own element of the page; component.tsx makes one from a
 * component. Panels do not know each other.
 */
import type { ReadonlySignal } from '@preact/signals-core';
import type { ComponentChildren } from 'preact';
import type { CreatedTrainer } from '../engine/create.ts';
import type { AllWords, Words } from '../i18n/index.ts';
import type { Passing } from '../kit/in-sight.ts';
import type { Kept } from '../kit/kept.ts';
import type { Layers } from '../kit/layers.ts';
import type { TextMarks } from '../kit/text-marks.ts';
import type { PageActions } from '../store/actions.ts';
import type { Lesson, TAB_SECTION } from '../store/address/lesson.ts';
import type { PageState } from '../store/page-state.ts';
import type { Runs } from '../store/runs/run-keeper.ts';
import type { Session } from '../store/training/session.ts';
import type { SampleText } from '../store/text/texts.ts';
import { firstPanelWith } from './component.tsx';

export interface PanelContext {
  readonly words: Words;
  readonly state: Readonly<PageState>;
  /** Counts the changes of the state, the session and its run. */
  readonly changes: ReadonlySignal<number>;
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
  readonly offers: (tab: string) => boolean;
  /** What panels remember when they are made anew. */
  readonly kept: Kept;
  /** Marks on the charts of others. */
  readonly layers: Layers;
  /** Marks on what the model wrote, wherever it is shown. */
  readonly textMarks: TextMarks;
  /** What instruments have to say of a run in its report, in the order of its sections. */
  readonly sections: () => Promise<readonly MakeSection[]>;
  /** What is kept of runs, in this browser. */
  readonly runs: Runs;
  /** Starts a second engine, for a short trial; null where trials are not to be. */
  readonly startTrial: (() => Promise<CreatedTrainer>) | null;
  /** Starts one that answers questions about the text; null where none can. */
  readonly startQuestions: (() => Promise<CreatedTrainer>) | null;
  /** Brings what the model writes into sight, unless something that shows the run is. */
  readonly reveal: () => void;
  /** Watches whether one scrolls past a panel; null if absent. */
  readonly watch: (id: string, changed: () => void) => Passing | null;
  /**
   * Goes to a place: what stands above the run, the text or an option, to mend a mistake there,
   * where models are saved, the open tab below, a map of attention, the large button of the run
   * bar, or the card of what the model wrote. `at`, in CSS pixels below the top of the window, is
   * where the reader was: there stands then what leads back.
   */
  readonly goTo: (
    what:
      | 'notice'
      | 'text'
      | typeof TAB_SECTION
      | 'model'
      | 'attention'
      | 'run'
      | 'card'
      | { readonly option: string },
    at?: number,
  ) => void;
}

export interface Panel {
  /** The container changed its size or its colours. */
  resize(): void;
  destroy(): void;
  /** Takes the reader to a control of its own. */
  focus?(what: string, at?: number): void;
}

export type CreatePanel = (container: HTMLElement, context: PanelContext) => Panel;

/** The context of a panel whose code comes after the first screen: its words come with it. */
export interface LaterContext extends PanelContext {
  readonly words: AllWords;
}

export type CreateLaterPanel = (container: HTMLElement, context: LaterContext) => Panel;

/** A section of the report of a run. */
export interface ReportSection {
  /** A key of the catalogue. */
  readonly title: string;
  /** Rendered once, outside of the page. */
  readonly body: ComponentChildren;
  /** CSS rules that the body needs. */
  readonly style?: string;
}

/** Describes the present state of the page; null if the report needs no such section. */
export type MakeSection = (context: LaterContext) => ReportSection | null;

/** Fetches the code of such a panel. */
export type LoadPanel = () => Promise<CreateLaterPanel>;

/**
 * Creates a panel. If that throws, the section shows the error, and the other panels work without
 * it.
 */
export function makePanel(
  create: CreatePanel,
  container: HTMLElement,
  context: PanelContext,
): Panel {
  try {
    return create(container, context);
  } catch (thrown) {
    const Broken = (): never => {
      throw thrown;
    };
    return firstPanelWith(Broken)(container, context);
  }
}
