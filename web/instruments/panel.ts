/**
 * Interfaces of panels. A panel shows one instrument in its own element of the page; component.tsx
 * makes a panel from a component. Panels do not depend on each other.
 */
import type { ReadonlySignal, Signal } from '@preact/signals-core';
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

/** A button beside the slider of the run bar. */
export interface SliderAction {
  readonly name: string;
  readonly label: string;
  /** The label beside the icon, where there is space; a part of `label`. */
  readonly short: string;
  /** Path of its icon. */
  readonly icon: string;
  /** Progress, shown instead of the icon; empty for none. */
  readonly progress?: string;
  readonly isExpanded?: boolean;
  readonly onPress: () => void;
}

export interface PanelContext {
  readonly words: Words;
  readonly state: Readonly<PageState>;
  /** Counts the changes of the state, the session and its run. */
  readonly changes: ReadonlySignal<number>;
  readonly actions: PageActions;
  /** The sample texts to choose from. */
  readonly samples: readonly SampleText[];
  readonly lesson: Lesson;
  /** Address of the site's folder; null if the app is not a page of the site. */
  readonly home: string | null;
  /** Address of the folder with the documentation, also outside the site; null if unknown. */
  readonly site: string | null;
  /** Returns the current fragment of the address, with its `#`. */
  readonly fragment: () => string;
  readonly isDark: () => boolean;
  /** Null until the engine has started. */
  readonly session: () => Session | null;
  /** Whether this build of the page has the tab, and the lesson shows tabs. */
  readonly offers: (tab: string) => boolean;
  /** State that survives when panels are created again, for instance in another language. */
  readonly kept: Kept;
  /** Marks that instruments add to charts of other instruments. */
  readonly layers: Layers;
  /** Buttons that instruments add to the slider of the run bar, by instrument. */
  readonly sliderActions: Signal<Readonly<Record<string, readonly SliderAction[]>>>;
  /** Marks that instruments add to generated texts in all panels. */
  readonly textMarks: TextMarks;
  /** Loads the functions that make the sections of a run's report, in the report's order. */
  readonly sections: () => Promise<readonly MakeSection[]>;
  /** The runs saved in this browser. */
  readonly runs: Runs;
  /** Starts a second engine, for a short trial; null if there must be only one engine. */
  readonly startTrial: (() => Promise<CreatedTrainer>) | null;
  /** Starts an engine for questions about the text; null if this page offers none. */
  readonly startQuestions: (() => Promise<CreatedTrainer>) | null;
  /** Scrolls to the generated texts, unless enough of a panel that shows the run is in sight. */
  readonly reveal: () => void;
  /** Watches whether the reader scrolls past the panel `id`; null if the page lacks it. */
  readonly watch: (id: string, changed: () => void) => Passing | null;
  /**
   * Moves the focus to a panel: the notice above the run; the text, or the field of an option, to
   * correct an error; the form that saves models; the open tab; the attention maps; the large
   * button of the run bar; or opens the card of generated texts. `at`: the position of the pressed
   * button, in CSS pixels below the top of the window, to which the panel scrolls the button that
   * leads back.
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
  /** Called when the size or the colours of the container have changed. */
  resize(): void;
  destroy(): void;
  /** Moves the focus to a control of the panel: the option `what`, or the main control if empty. */
  focus?(what: string, at?: number): void;
}

export type CreatePanel = (container: HTMLElement, context: PanelContext) => Panel;

/** The context of a panel that is loaded after the first screen, together with its words. */
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

/** Makes a section from the current state of the page; null if the report needs no such section. */
export type MakeSection = (context: LaterContext) => ReportSection | null;

/** Loads the code of a panel that is not on the first screen. */
export type LoadPanel = () => Promise<CreateLaterPanel>;

/** Creates a panel. If `create` throws, the panel shows the error, and other panels still work. */
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
