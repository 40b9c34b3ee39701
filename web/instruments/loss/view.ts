/**
 * The loss section: the curve with its legend and controls, a summary in words, the table behind
 * it, earlier runs, and files to take away.
 */
import type { Words } from '../../i18n/index.ts';
import {
  disclosure,
  el,
  keepInPlace,
  perFrame,
  setAttribute,
  setSteadyText,
  setText,
} from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { fileName } from '../../base/file-name.ts';
import { createEarlierList } from './earlier-list.ts';
import type { EarlierListData } from './earlier-list.ts';
import { createExport } from '../../kit/export-picture.ts';
import { LossAdvice } from './loss-advice.ts';
import type { Advised } from './loss-advice.ts';
import { LossControls } from './loss-controls.ts';
import { lossCsv } from '../../store/training/loss-csv.ts';
import {
  EMPTY_LOSS,
  fairUnit,
  knownUnit,
  longestOf,
  PLAIN_CHOICE,
  PLAIN_LOOK,
} from '../../data/loss-data.ts';
import type { LossChoice, LossData, LossLook } from '../../data/loss-data.ts';
import { LossLegend } from './loss-legend.ts';
import { LossNotes } from './loss-notes.ts';
import { LossPlot } from './loss-plot.ts';
import { longestSentence, pointSentence, runSentence } from './loss-sentences.ts';
import type { OpenedStart } from './loss-sentences.ts';
import { lossTable } from './loss-table.ts';
import { readingAt } from '../../store/training/loss-reading.ts';
import type { StepMark } from '../../kit/layers.ts';
import { createLossTip } from './loss-tip.ts';
import type { LossTip } from './loss-tip.ts';

export interface LossChartData extends LossData, Advised {
  /** How the reader wants to see it. */
  readonly choice: LossChoice;
  /** Why there is no validation loss although there was to be one; empty where that is not so. */
  readonly unheld: string;
  /** The model that the run began with, where it was opened from a file; null for chance. */
  readonly opened: OpenedStart | null;
  /** Something stands in the way of the first step. */
  readonly barred: boolean;
  /** Steps that other instruments mark. */
  readonly marks: readonly StepMark[];
}

const EMPTY: LossChartData = {
  ...EMPTY_LOSS,
  choice: PLAIN_CHOICE,
  ...{ unheld: '', slower: null, largeRate: null, opened: null, barred: false, marks: [] },
};

export interface LossChartOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** The steps that are looked at, to begin with. */
  readonly window: LossLook['window'];
  readonly onWindow: (window: LossLook['window']) => void;
  readonly onChoice: (change: Partial<LossChoice>) => void;
  readonly onShow: (id: number, shown: boolean) => void;
  readonly onRemove: (id: number) => void;
  /** The run begins anew, at this many steps a second. */
  readonly onSlower: (pace: number) => void;
  /** The run begins anew with a smaller learning rate. */
  readonly onGentler: () => void;
}

export class LossChart implements View<LossChartData> {
  readonly #container: HTMLElement;
  readonly #options: LossChartOptions;
  #data = EMPTY;
  #look: LossLook;
  /** The step that is pointed at. */
  #pointed: number | null = null;
  readonly #title: HTMLElement;
  readonly #legend: LossLegend;
  readonly #plot: LossPlot;
  /** Over an empty chart: what to do first. */
  readonly #hint = el('p', { class: 'loss-hint' });
  readonly #tip: LossTip;
  readonly #summary = el('span', {});
  readonly #summaryLine: HTMLElement;
  #summaryWidth = 0;
  /** Follows the keyboard aloud; the pointer is quiet, since it moves too fast to be read out. */
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #advice: LossAdvice;
  readonly #notes: LossNotes;
  readonly #controls: LossControls;
  readonly #earlier: { update(data: EarlierListData): void };
  readonly #table: Disclosure;
  readonly #tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  readonly #turn = perFrame(() => {
    this.#draw();
  });

  /** Creates the loss section in `container`. */
  constructor(container: HTMLElement, options: LossChartOptions) {
    const { words, window, onShow, onRemove } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#look = { ...PLAIN_LOOK, window };
    this.#title = el('h2', { tabindex: '-1' }, t('loss.title'));
    this.#legend = new LossLegend(words);
    this.#tip = createLossTip(words);
    const attributes = { class: 'summary', 'data-part': 'loss-summary' };
    this.#summaryLine = el('p', attributes, this.#summary);
    this.#advice = new LossAdvice(words, this.#spoken, () => {
      this.#followAdvice();
    });
    this.#notes = new LossNotes(words);
    this.#controls = this.#createControls();
    this.#table = this.#createTable();
    const [plotBox, earlierBox] = [el('div', {}), el('div', {})];
    container.append(
      el('div', { class: 'head-row' }, this.#title, this.#controls.zoom),
      this.#legend.root,
      el('div', { class: 'loss-frame' }, plotBox),
      ...[this.#summaryLine, this.#advice.root, this.#spoken, ...this.#notes.roots],
      ...[this.#controls.heldOut, earlierBox, this.#controls.more, this.#table.root],
      this.#createExport(),
    );
    this.#earlier = createEarlierList(earlierBox, {
      words,
      onShow,
      onRemove,
      onLeave: () => {
        this.#title.focus({ preventScroll: true });
      },
    });
    this.#plot = this.#createPlot(plotBox);
  }

  update(next: LossChartData): void {
    // A run begun anew is seen from its first step, not only once it reaches what was in view.
    const isAnother = next.history !== this.#data.history;
    this.#data = next;
    const reach = isAnother ? next.history.length : longestOf(next);
    if (this.#look.window !== null && this.#look.window[0] > reach) this.#show(null);
    this.#turn.request();
  }

  resize(): void {
    // In another width the words take other lines.
    if (this.#summary.offsetWidth !== this.#summaryWidth) this.#summary.style.minHeight = '';
    this.#summaryWidth = this.#summary.offsetWidth;
    this.#plot.resize();
    this.#turn.request();
  }

  destroy(): void {
    this.#turn.cancel();
    this.#plot.destroy();
    this.#container.replaceChildren();
  }

  #createControls(): LossControls {
    const { words, folds } = this.#options;
    return new LossControls({
      words,
      folds,
      onChoice: (change) => {
        this.#choose(change);
      },
      onZoom: (factor) => {
        // Two presses within one frame are two.
        this.#turn.settle();
        this.#plot.zoom(factor);
      },
      onAll: () => {
        this.#show(null);
      },
    });
  }

  #createPlot(box: HTMLElement): LossPlot {
    return new LossPlot(box, {
      words: this.#options.words,
      front: this.#hint,
      tip: this.#tip.root,
      onWindow: (window) => {
        this.#show(window);
      },
      onPoint: (step, aloud) => {
        this.#point(step, aloud);
      },
      settle: this.#turn.settle,
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
      draw: async () => {
        // Nobody presses this before Start: the first visit does not wait for it.
        const { lossPicture } = await import('../../kit/pictures/loss-picture.ts');
        const { length } = this.#data.history;
        if (length === 0) return null;
        const title = words.t('loss.picture', { step: length });
        return lossPicture(this.#data, this.#look, { words, title });
      },
      csv: () => lossCsv(this.#data.history, this.#look.smoothing),
    });
  }

  #choose(change: Partial<LossChoice>): void {
    // A drawing that is due before the page has taken it up must not take it back.
    this.#data = { ...this.#data, choice: { ...this.#data.choice, ...change } };
    this.#options.onChoice(change);
    // The charts beneath stand above the box that brings them.
    keepInPlace(this.#controls.more, () => {
      this.#turn.request();
      this.#turn.settle();
      this.#plot.settle();
    });
  }

  #show(window: LossLook['window']): void {
    this.#look = { ...this.#look, window };
    this.#options.onWindow(window);
    this.#turn.request();
  }

  #point(step: number | null, aloud: boolean): void {
    this.#pointed = step;
    const text = this.#describe();
    setSteadyText(this.#summary, text);
    this.#showTip();
    if (aloud) setText(this.#spoken, text);
  }

  #followAdvice(): void {
    const { largeRate, slower } = this.#data;
    // It goes with the press, and the focus must not be lost with it.
    this.#title.focus({ preventScroll: true });
    if (largeRate !== null) this.#options.onGentler();
    else if (slower !== null) this.#options.onSlower(slower.pace);
  }

  /** What is pointed at, or else how the run goes. */
  #describe(): string {
    const { words } = this.#options;
    const pointed =
      this.#pointed === null ? null : pointSentence(this.#data, this.#look, this.#pointed, words);
    return pointed ?? runSentence(this.#data, this.#look, this.#data.opened, words);
  }

  #draw(): void {
    const { words } = this.#options;
    const data = this.#data;
    const { choice, tokensPerCharacter, lines } = data;
    const look = { ...choice, unit: fairUnit(choice.unit, data), window: this.#look.window };
    this.#look = look;
    const forced = look.unit !== knownUnit(choice.unit, tokensPerCharacter);
    // Before the plot puts it where the step is now.
    this.#showTip();
    this.#plot.update(data, look, data.marks);
    this.#controls.update(look, tokensPerCharacter);
    this.#earlier.update({ lines, look, forced });
    this.#showHint();
    this.#legend.update(data, look);
    setText(this.#summary, this.#describe());
    setAttribute(this.#summaryLine, 'data-longest', longestSentence(data, look, words));
    this.#advice.update(data);
    this.#notes.update(data, look, data.unheld);
    if (this.#table.isOpen()) this.#tableBox.replaceChildren(...lossTable(data, look, words));
  }

  #showTip(): void {
    const step = this.#pointed;
    this.#tip.show(step === null ? null : readingAt(this.#data, this.#look, step), this.#look);
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
