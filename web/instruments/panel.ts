/**
 * Interface of panels. A panel creates its view in an element of its own, shows the state, and
 * passes the reader's actions to the session. Panels do not depend on each other.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import type { AllWords, Words } from '../i18n/index.ts';
import { el } from '../kit/dom.ts';
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

export interface PanelContext {
  readonly words: Words;
  readonly state: Readonly<PageState>;
  readonly actions: PageActions;
  /** The sample texts to choose from. */
  readonly samples: readonly SampleText[];
  readonly lesson: Lesson;
  /** URL of the site's folder; null if the app is not a page of the site. */
  readonly home: string | null;
  /** URL of the site with the documentation, also outside the site; null if unknown. */
  readonly site: string | null;
  /** The current fragment of the address, with its `#`. */
  readonly fragment: () => string;
  readonly isDark: () => boolean;
  /** The session; null until the engine has started. */
  readonly session: () => Session | null;
  /** Whether this form of the page has the tab, and shows tabs at all. */
  readonly offers: (tab: string) => boolean;
  /** Memory of panels that are made again. */
  readonly kept: Kept;
  /** Marks on the charts of other panels. */
  readonly layers: Layers;
  /** Marks on generated texts in all panels. */
  readonly textMarks: TextMarks;
  /** Report sections of the instruments, in order. */
  readonly sections: () => Promise<readonly MakeSection[]>;
  /** Saved runs in this browser. */
  readonly runs: Runs;
  /** Starts a second engine for a short trial; null if trials are disabled. */
  readonly startTrial: (() => Promise<CreatedTrainer>) | null;
  /** Starts an engine that answers questions about the text; null if unavailable. */
  readonly startQuestions: (() => Promise<CreatedTrainer>) | null;
  /** Scrolls to the generated texts, unless a view of the run is visible already. */
  readonly reveal: () => void;
  /** Watches whether the reader scrolls past a panel; null if the panel is absent. */
  readonly watch: (id: string, changed: () => void) => Passing | null;
  /**
   * Goes to the notices, the text or an option (to correct a mistake), the saving of models, the
   * open tab, the attention map, the large button of the run bar, or the card. `at`: position of
   * the pressed control, in CSS pixels below the top of the window, at which the control that leads
   * back is then placed.
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
  /**
   * Shows the current state; called at most once per frame, and only while the panel is on the
   * page.
   */
  update(): void;
  /** Called when the container's size or colours have changed. */
  resize(): void;
  destroy(): void;
  /** Moves the focus to one of the panel's controls. */
  focus?(what: string, at?: number): void;
}

export type CreatePanel = (container: HTMLElement, context: PanelContext) => Panel;

/** The context of a panel that is loaded after the first screen, together with its words. */
export interface LaterContext extends PanelContext {
  readonly words: AllWords;
}

export type CreateLaterPanel = (container: HTMLElement, context: LaterContext) => Panel;

/** A section of the report of a run, with its style; omitted if it has no parts. */
export interface ReportSection {
  /** Catalogue key of the title. */
  readonly title: string;
  readonly parts: readonly Node[];
  readonly style?: string;
}

/** Makes a report section from the current state. */
export type MakeSection = (context: LaterContext) => ReportSection;

/** Loads the code of a panel. */
export type LoadPanel = () => Promise<CreateLaterPanel>;

/**
 * Creates a panel and, if `shown`, updates it. If it throws, an error is shown in its place, and
 * the other panels still work.
 */
export function makePanel<Context extends PanelContext>(
  create: (container: HTMLElement, context: Context) => Panel,
  container: HTMLElement,
  context: Context,
  shown = true,
): Panel {
  try {
    const panel = create(container, context);
    if (shown) panel.update();
    return panel;
  } catch (thrown) {
    reportError(thrown);
    const name = thrown instanceof Error ? thrown.message : String(thrown);
    const said = context.words.t('app.broken', { name });
    container.replaceChildren(el('p', { class: 'note error', role: 'alert' }, said));
    const destroy = (): void => {
      container.replaceChildren();
    };
    return panelOf({ resize: () => undefined, destroy }, () => undefined);
  }
}

/** Makes a panel from a view; ignores updates after its destruction. */
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
