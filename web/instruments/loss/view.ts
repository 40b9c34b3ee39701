/**
 * The loss section: the curve with its legend and controls, a summary in words, the table behind
 * it, earlier runs, and files to take away.
 */
import type { Words } from '../../i18n/index.ts';
import { disclosure, el, keepInPlace, perFrame, setAttribute } from '../../kit/dom.ts';
import { setSteadyText, setText } from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { fileName } from '../../base/file-name.ts';
import { createExport } from '../../kit/export-picture.ts';
import { createLossControls } from './loss-controls.ts';
import type { LossControls } from './loss-controls.ts';
import { fairUnit, knownUnit, longestOf, PLAIN_CHOICE } from '../../data/loss-data.ts';
import { UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { LossChoice, LossState } from '../../data/loss-data.ts';
import { LossHistory } from '../../data/loss-history.ts';
import { LossLegend } from './loss-legend.ts';
import { LossNotes } from './loss-notes.ts';
import type { NotedData } from './loss-notes.ts';
import { longestSentence, runSentence } from './loss-sentences.ts';
import type { OpenedStart } from './loss-sentences.ts';
import { idle } from '../../kit/idle.ts';
import { loadable } from '../../kit/loadable.ts';
import type { Loadable } from '../../kit/loadable.ts';
import type { ChartMark } from '../../kit/layers.ts';
import type { EarlierList } from './earlier-list.ts';
import type { lossTable } from './loss-table.ts';
import type { LossPlot } from './plot/loss-plot.ts';

const EMPTY: LossChartData = {
  history: new LossHistory(),
  randomLoss: NaN,
  steps: 0,
  training: false,
  hasValidation: false,
  tokensPerCharacter: UNKNOWN_TOKENS,
  lines: [],
  choice: PLAIN_CHOICE,
  unheld: '',
  largeRate: null,
  opened: null,
  barred: false,
  marks: [],
  name: () => '',
  file: () => '',
};

export interface LossChartData extends NotedData {
  /** How the reader wants to see it. */
  readonly choice: LossChoice;
  /** The model that the run began with, where it was opened from a file; null for chance. */
  readonly opened: OpenedStart | null;
  /** Something stands in the way of the first step. */
  readonly barred: boolean;
  /** Steps that other instruments mark. */
  readonly marks: readonly ChartMark[];
}

export interface LossChartOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** The steps that are looked at, to begin with. */
  readonly window: LossState['window'];
  readonly onWindow: (window: LossState['window']) => void;
  readonly onChoice: (change: Partial<LossChoice>) => void;
  /** A step of the curve was pressed. */
  readonly onLookAt: (step: number) => void;
  readonly onShow: (id: number, shown: boolean) => void;
  readonly onRemove: (id: number) => void;
  /** The run begins anew with a smaller learning rate. */
  readonly onGentler: () => void;
  /** Shows what the model makes of text that it never saw; null if that cannot be shown here. */
  readonly onCompare: (() => void) | null;
}

export class LossChart implements View<LossChartData> {
  readonly #container: HTMLElement;
  readonly #options: LossChartOptions;
  #data = EMPTY;
  #state: LossState;
  #plot: LossPlot | null = null;
  readonly #title: HTMLElement;
  readonly #legend: LossLegend;
  readonly #curve = el('div', { class: 'loss-plot', tabindex: '0', role: 'application' });
  /** Over an empty chart: what to do first. */
  readonly #hint = el('p', { class: 'loss-hint' });
  readonly #frame = el('div', {}, el('div', { class: 'loss-main' }, this.#curve, this.#hint));
  readonly #summary = el('span', {});
  readonly #summaryLine: HTMLElement;
  #summaryWidth = 0;
  /** Follows the keyboard aloud; the pointer is quiet, since it moves too fast to be read out. */
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #notes: LossNotes;
  readonly #controls: LossControls;
  #earlier: EarlierList | null = null;
  readonly #earlierPlace = el('div', { hidden: true });
  /** Without earlier runs there is nothing in it. */
  readonly #earlierComing: Loadable;
  readonly #tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  readonly #table: Disclosure;
  /** Comes with the curve. */
  #tableOf: typeof lossTable | null = null;
  readonly #turn = perFrame(() => {
    this.#draw();
  });
  /** An empty chart says little: it comes once Start can be pressed. */
  readonly #coming = loadable(
    () => import('./plot/loss-plot.ts'),
    ({ LossPlot: Plot, lossTable: made }) => {
      this.#tableOf = made;
      const { words, onLookAt } = this.#options;
      const [data, look, settle] = [this.#data, this.#state, this.#turn.settle];
      const heard = { onWindow: this.#show, onPoint: this.#point, onLookAt, settle };
      this.#plot = new Plot(this.#curve, this.#frame, { words, data, look, ...heard });
      this.#turn.request();
    },
  );

  /** Creates the loss section in `container`. */
  constructor(container: HTMLElement, options: LossChartOptions) {
    const { words, window, onShow, onRemove } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#state = { ...PLAIN_CHOICE, window };
    this.#title = el('h2', { tabindex: '-1' }, t('loss.title'));
    this.#legend = new LossLegend(words);
    this.#curve.setAttribute('aria-label', t('loss.chart'));
    const attributes = { class: 'summary', 'data-part': 'loss-summary' };
    this.#summaryLine = el('p', attributes, this.#summary);
    this.#notes = new LossNotes(words, this.#spoken, this.#followAdvice, options.onCompare);
    this.#table = this.#createTable();
    this.#controls = this.#createControls();
    const events = { onShow, onRemove, onLeave: this.#focusTitle };
    this.#earlierComing = loadable(
      () => import('./earlier-list.ts'),
      ({ createEarlierList }) => {
        this.#earlier = createEarlierList(this.#legend.earlier, { words, ...events });
        this.#earlierPlace.replaceWith(this.#earlier.root);
        this.#turn.request();
      },
    );
    container.append(
      this.#title,
      this.#legend.root,
      el('div', { class: 'loss-frame' }, this.#frame),
      this.#summaryLine,
      ...this.#notes.roots,
      this.#controls.heldOut,
      this.#earlierPlace,
      this.#controls.more,
    );
  }

  update(next: LossChartData): void {
    // A run begun anew is seen from its first step, not only once it reaches what was in view.
    const isAnother = next.history !== this.#data.history;
    this.#data = next;
    const reach = isAnother ? next.history.length : longestOf(next);
    if (this.#state.window !== null && this.#state.window[0] > reach) this.#show(null);
    if (Number.isFinite(next.randomLoss) || longestOf(next) > 0) this.#coming.want();
    this.#turn.request();
  }

  resize(): void {
    // In another width the words take other lines.
    if (this.#summary.offsetWidth !== this.#summaryWidth) this.#summary.style.minHeight = '';
    this.#summaryWidth = this.#summary.offsetWidth;
    this.#plot?.resize();
    this.#turn.request();
  }

  destroy(): void {
    this.#coming.cancel();
    this.#earlierComing.cancel();
    this.#turn.cancel();
    this.#plot?.destroy();
    this.#container.replaceChildren();
  }

  #createControls(): LossControls {
    const { words, folds } = this.#options;
    return createLossControls({
      words,
      folds,
      onChoice: this.#choose,
      onZoom: (factor) => {
        // Two presses within one frame are two.
        this.#turn.settle();
        this.#plot?.zoom(factor);
      },
      onAll: () => {
        this.#show(null);
      },
      further: [this.#table.root, this.#createExport()],
    });
  }

  #createTable(): Disclosure {
    const title = this.#options.words.t('loss.table');
    this.#tableBox.setAttribute('aria-label', title);
    const fold = disclosure('data', title, this.#turn.request, this.#tableBox);
    return this.#options.folds.keep('loss.table', fold);
  }

  #createExport(): HTMLElement {
    const { words } = this.#options;
    return createExport({
      words,
      what: words.t('export.what.loss'),
      name: () => fileName('loss', this.#data.file(), this.#data.history.length),
      asSvg: true,
      draw: async () => {
        // Nobody presses this before Start: the first visit does not wait for it.
        const { lossPicture } = await import('../../kit/pictures/loss-picture.ts');
        const { length } = this.#data.history;
        if (length === 0) return null;
        const title = words.t('loss.picture', { step: length });
        return lossPicture(this.#data, this.#state, { words, title });
      },
      csv: async () => {
        const { lossCsv } = await import('../../store/training/loss-csv.ts');
        return lossCsv(this.#data.history, this.#state.smoothing);
      },
    });
  }

  readonly #choose = (change: Partial<LossChoice>): void => {
    // A drawing that is due before the page has taken it up must not take it back.
    this.#data = { ...this.#data, choice: { ...this.#data.choice, ...change } };
    this.#options.onChoice(change);
    // The charts beneath stand above the box that brings them.
    keepInPlace(this.#controls.more, () => {
      this.#turn.request();
      this.#turn.settle();
      this.#plot?.settle();
    });
  };

  readonly #show = (window: LossState['window']): void => {
    this.#state = { ...this.#state, window };
    this.#options.onWindow(window);
    this.#turn.request();
  };

  readonly #point = (aloud: boolean): void => {
    const text = this.#describe();
    setSteadyText(this.#summary, text);
    if (aloud) setText(this.#spoken, text);
  };

  readonly #followAdvice = (): void => {
    // It goes with the press, and the focus must not be lost with it.
    this.#focusTitle();
    this.#options.onGentler();
  };

  readonly #focusTitle = (): void => {
    this.#title.focus({ preventScroll: true });
  };

  /** What is pointed at, or else how the run goes. */
  #describe(): string {
    const { words } = this.#options;
    const pointed = this.#plot?.sentence;
    return pointed ?? runSentence(this.#data, this.#state, this.#data.opened, words);
  }

  #draw(): void {
    const { words } = this.#options;
    const data = this.#data;
    const look = { ...data.choice, unit: fairUnit(data.choice.unit, data) };
    this.#state = { ...look, window: this.#state.window };
    const forced = look.unit !== knownUnit(data.choice.unit, data.tokensPerCharacter);
    this.#plot?.update(data, this.#state, data.marks);
    if (data.lines.length > 0) this.#earlierComing.want();
    else void idle().then(() => this.#earlierComing.want());
    this.#earlier?.update(data.lines, this.#state, forced);
    this.#controls.update(this.#state, data.tokensPerCharacter);
    this.#showHint();
    this.#legend.update(data, this.#state);
    setText(this.#summary, this.#describe());
    setAttribute(this.#summaryLine, 'data-longest', longestSentence(data, this.#state, words));
    this.#notes.update(data, this.#state);
    if (!this.#table.isOpen() || this.#tableOf === null) return;
    this.#tableBox.replaceChildren(...this.#tableOf(data, this.#state, words));
  }

  #showHint(): void {
    const { history, lines, randomLoss, opened } = this.#data;
    // Only over an empty chart: curves of earlier runs may lie there already.
    const drawn = history.length > 0 || lines.some(({ shown }) => shown);
    const writes = opened?.trains === false;
    const canBegin = Number.isFinite(randomLoss);
    const barred = this.#data.barred && !canBegin;
    this.#hint.hidden = drawn || writes || !(barred || canBegin);
    const begins = opened === null ? 'loss.empty' : 'loss.empty.opened';
    setText(this.#hint, this.#options.words.t(barred ? 'loss.empty.barred' : begins));
  }
}
