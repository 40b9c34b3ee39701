/**
 * All panels of the page in one language, recreated for another language. Urgent panels are made at
 * once, the others one by one in idle time, so that the page and the engine stay responsive.
 */
import instruments from 'virtual:instruments';
import { signal } from '@preact/signals-core';
import { SITE, TOUR } from '../base/form.ts';
import { COLUMNS } from '../base/instrument.ts';
import { yieldTask } from '../base/yield-task.ts';
import { loadAllWords } from '../i18n/index.ts';
import { beginWork } from '../kit/at-rest.ts';
import { createTabSection } from './tab-section.tsx';
import { createGlossary } from './glossary/glossary.ts';
import { holdStill } from './hold-still.ts';
import type { HoldStill } from './hold-still.ts';
import { makeRest } from '../kit/idle.ts';
import { Layers } from '../kit/layers.ts';
import type { Layout } from './layout.ts';
import { TextMarks } from '../kit/text-marks.ts';
import { bringIntoView, staysInSight, visibleHeight, watchPassing } from '../kit/in-sight.ts';
import { loadSections, panelsOf, TAB_PANELS } from './panels.ts';
import { makePanel } from '../instruments/panel.ts';
import type { CreatePanel, Panel, PanelContext } from '../instruments/panel.ts';
import { TAB_SECTION } from '../store/address/lesson.ts';
import { isSettled } from '../store/training/shown-plan.ts';
import { TourPlace } from './tour/tour-place.ts';

export interface PageOptions extends Omit<
  PanelContext,
  'goTo' | 'layers' | 'reveal' | 'sections' | 'sliderActions' | 'textMarks' | 'watch'
> {
  readonly layout: Layout;
  /** Reports that marks on charts or texts have changed. */
  readonly changed: () => void;
}

/** Panels that show a run's progress, and the CSS pixels of one that suffice to follow it. */
const SHOWING = [...instruments.filter(({ shows }) => shows).map(({ id }) => id), TAB_SECTION];
const ENOUGH = 240;

export class Page {
  /** Resolves once all panels exist, or the page is destroyed. */
  readonly made: Promise<void>;
  readonly #panels = new Map<string, Panel>();
  readonly #glossary: { destroy: () => void };
  readonly #context: PanelContext;
  readonly #layout: Layout;
  readonly #still: HoldStill;
  readonly #unwatchRun: () => void;
  #tour: Panel | null = null;
  #destroyed = false;

  constructor({ layout, changed, ...rest }: PageOptions) {
    const context: PanelContext = {
      ...rest,
      layers: new Layers(changed),
      sliderActions: signal({}),
      textMarks: new TextMarks(changed, rest.words.t('token.unreadable')),
      sections: loadSections,
      reveal: () => {
        const seen = SHOWING.some((one) => visibleHeight(layout.find(one)) >= ENOUGH);
        // A run bar that does not stay in sight, as in frames, must not be scrolled away.
        if (!seen) bringIntoView(layout.find(staysInSight(layout.find('run')) ? 'samples' : 'run'));
      },
      watch: (id, changed) => {
        const section = layout.find(id);
        return section === null ? null : watchPassing(section, changed);
      },
      goTo: (what, at) => {
        if (typeof what === 'string') this.#panels.get(what)?.focus?.('', at);
        else this.#panels.get('settings')?.focus?.(what.option);
      },
    };
    this.#glossary = createGlossary(layout.main, rest);
    this.#context = context;
    this.#layout = layout;
    const found = (ids: readonly string[]): HTMLElement[] =>
      ids.map(layout.find).filter((panel) => panel !== null);
    const columns = [...layout.main.querySelectorAll<HTMLElement>(':scope > .column')];
    this.#still = holdStill(found(SHOWING), layout.find(TAB_SECTION), columns);
    let shown: number | undefined;
    this.#unwatchRun = rest.changes.subscribe(() => {
      const run = rest.session()?.run?.number;
      if (run !== shown && shown !== undefined) this.#still.hold();
      shown = run;
    });
    const later: (() => void)[] = [];
    const add = (id: string, create: CreatePanel, isFirst = false): void => {
      const section = layout.find(id);
      if (section === null) return;
      const make = (): void => {
        this.#panels.set(id, makePanel(create, section, context));
      };
      if (isFirst) make();
      else later.push(make);
    };
    for (const { id, create, comes } of COLUMNS.flatMap(panelsOf))
      add(id, create, comes === 'first');
    if (TAB_PANELS.length > 0) add(TAB_SECTION, createTabSection);
    this.made = this.#makeAll(later).finally(beginWork());
  }

  async #makeAll(makers: readonly (() => void)[]): Promise<void> {
    const { session } = this.#context;
    const rest = makeRest();
    for (const make of makers) {
      // Messages of the engine have priority until Start can be pressed; then all panels are made
      // soon.
      await (isSettled(session()) ? yieldTask() : rest());
      if (this.#destroyed) return;
      make();
    }
  }

  /** Begins the tour, from its first stop. */
  showAround(): void {
    this.#context.kept(TourPlace).at.value = 0;
    this.#showTour(false);
  }

  /** Opens the tab that explains the model; null if the page has none, or a lesson hides it. */
  get showStory(): (() => void) | null {
    const { offers, actions, goTo } = this.#context;
    const id = TAB_PANELS.find(({ explains }) => explains === true)?.id ?? '';
    if (!offers(id)) return null;
    return () => {
      actions.onTab(id);
      goTo(TAB_SECTION);
      bringIntoView(this.#layout.find(TAB_SECTION));
    };
  }

  /** Continues the tour at its current stop, if it is open. */
  resumeTour(): void {
    if (this.#context.kept(TourPlace).at.peek() !== null) this.#showTour(true);
  }

  #showTour(resumed: boolean): void {
    if (!TOUR) return;
    Promise.all([
      import('./tour/tour-card.tsx'),
      loadAllWords(this.#context.words.lang),
      SITE ? import('../styles/later.css') : null,
    ]).then(
      ([tour, words]) => {
        if (this.#destroyed) return;
        this.#tour?.destroy();
        this.#tour = tour.showTour(this.#layout, { ...this.#context, words }, resumed);
      },
      // Loading fails without a network; another press tries again.
      () => {
        this.#context.kept(TourPlace).at.value = null;
      },
    );
  }

  resize(): void {
    for (const panel of this.#panels.values()) panel.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    // Memory leak in Chromium: named radio buttons removed from a shadow tree are retained,
    // together with everything around them.
    for (const radio of this.#layout.main.querySelectorAll('input[type=radio]')) {
      radio.removeAttribute('name');
    }
    this.#unwatchRun();
    this.#still.destroy();
    this.#glossary.destroy();
    this.#tour?.destroy();
    for (const panel of this.#panels.values()) panel.destroy();
  }
}
