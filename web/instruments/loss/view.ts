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
  table,
} from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { fileName } from '../../base/file-name.ts';
import { createEarlierList, lineSample } from './earlier-list.ts';
import { createExport } from '../../kit/export-picture.ts';
import { createLossControls } from './loss-controls.ts';
import { lossCsv } from '../../store/training/loss-csv.ts';
import {
  fairUnit,
  knownUnit,
  longestOf,
  PLAIN_CHOICE,
  PLAIN_LOOK,
  randomKey,
  unitFactor,
  unitKey,
  UNKNOWN_TOKENS,
} from '../../data/loss-data.ts';
import type { LossChoice, LossData, LossLook } from '../../data/loss-data.ts';
import { LossHistory } from '../../data/loss-history.ts';
import { createLossPlot } from './loss-plot.ts';
import { longestSentence, pointSentence, runSentence } from './loss-sentences.ts';
import type { OpenedStart } from './loss-sentences.ts';
import { lossNotes, memorisingSince, readingAt } from '../../store/training/loss-reading.ts';
import type { StepMark } from '../../kit/layers.ts';
import { createLossTip } from './loss-tip.ts';
import { termButton } from '../../kit/term.ts';

const EMPTY: LossChartData = {
  ...{ history: new LossHistory(), randomLoss: NaN, steps: 0, training: false },
  ...{ hasValidation: false, tokensPerCharacter: UNKNOWN_TOKENS, lines: [], choice: PLAIN_CHOICE },
  ...{
    unheld: '',
    slower: null,
    largeRate: null,
    opened: null,
    barred: false,
    marks: [],
    name: () => '',
    file: () => '',
  },
};

export interface LossChartData extends LossData {
  /** How the reader wants to see it. */
  readonly choice: LossChoice;
  /** Why there is no validation loss although there was to be one; empty where that is not so. */
  readonly unheld: string;
  /** The first run, at a speed at which it can be watched; null where that is not to be offered. */
  readonly slower: SlowerRun | null;
  /**
   * The learning rate of a run that ended worse than guessing, above its preset's; null for any
   * other.
   */
  readonly largeRate: { readonly rate: number; readonly usual: number } | null;
  /** The model that the run began with, where it was opened from a file; null for chance. */
  readonly opened: OpenedStart | null;
  /** Something stands in the way of the first step. */
  readonly barred: boolean;
  /** Steps that other instruments mark. */
  readonly marks: readonly StepMark[];
}

/** A run at a slower speed. */
export interface SlowerRun {
  /** Steps a second. */
  readonly pace: number;
  /** It ended before anybody could watch it; otherwise there is only room kept to say so. */
  readonly wanted: boolean;
}

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
  /** Shows what the model makes of text that it never saw; null if that cannot be shown here. */
  readonly onCompare: (() => void) | null;
}

/** Creates the loss section in `container`. */
export function createLossChart(
  container: HTMLElement,
  options: LossChartOptions,
): View<LossChartData> {
  const { words, folds, onChoice, onWindow, onShow, onRemove, onSlower, onGentler } = options;
  const { t } = words;
  let data = EMPTY;
  let look: LossLook = { ...PLAIN_LOOK, window: options.window };
  /** The step that is pointed at. */
  let pointed: number | null = null;

  const legend = el('ul', { class: 'legend' });
  const plotBox = el('div', {});
  const hint = el('p', { class: 'loss-hint' });
  const tip = createLossTip(words);
  const frame = el('div', { class: 'loss-frame' }, plotBox);
  const summary = el('span', {});
  const summaryLine = el('p', { class: 'summary', 'data-part': 'loss-summary' }, summary);
  const notes = el('p', { class: 'note', 'data-part': 'loss-notes' });
  const advice = el('span', {});
  const adviceButton = el('button', { type: 'button', class: 'link' });
  const adviceLine = el(
    'p',
    { class: 'note', 'data-part': 'loss-advice' },
    advice,
    ' ',
    adviceButton,
  );
  // What the rising curve is called can be looked up there.
  const risen = el('span', {});
  const compare = el('button', { type: 'button', class: 'link' }, t('loss.memorising.compare'));
  compare.hidden = options.onCompare === null;
  compare.addEventListener('click', () => options.onCompare?.());
  const memorising = el(
    'p',
    { class: 'note', 'data-part': 'loss-memorising', hidden: true },
    ...[risen, ' ', compare, ' ', termButton('memorising', t('glossary.more'))],
  );
  const unheld = el('p', { class: 'note', 'data-part': 'loss-unheld' });
  // Follows the keyboard aloud; the pointer is quiet, since it moves too fast to be read out.
  const spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  tableBox.setAttribute('aria-label', t('loss.table'));
  const details = folds.keep(
    'loss.table',
    disclosure('data', t('loss.table'), () => draw.request(), tableBox),
  );
  const earlierBox = el('div', {});
  const save = createExport({
    words,
    what: t('export.what.loss'),
    name: () => fileName('loss', data.file(), data.history.length),
    draw: async () => {
      // Nobody presses this before Start: the first visit does not wait for it.
      const { lossPicture } = await import('../../kit/pictures/loss-picture.ts');
      if (data.history.length === 0) return null;
      const title = t('loss.picture', { step: data.history.length });
      return lossPicture(data, look, { words, title });
    },
    csv: () => lossCsv(data.history, look.smoothing),
  });
  const controls = createLossControls({
    words,
    folds,
    onChoice: (change) => {
      // A drawing that is due before the page has taken it up must not take it back.
      data = { ...data, choice: { ...data.choice, ...change } };
      onChoice(change);
      // The charts beneath stand above the box that brings them.
      keepInPlace(controls.more, () => {
        draw.request();
        draw.settle();
        plot.settle();
      });
    },
    onZoom: (factor) => {
      // Two presses within one frame are two.
      draw.settle();
      plot.zoom(factor);
    },
    onAll: () => {
      show(null);
    },
  });
  const title = el('h2', { tabindex: '-1' }, t('loss.title'));
  const head = el('div', { class: 'head-row' }, title, controls.zoom);
  adviceButton.addEventListener('click', () => {
    // It goes with the press, and the focus must not be lost with it.
    title.focus({ preventScroll: true });
    if (data.largeRate !== null) onGentler();
    else if (data.slower !== null) onSlower(data.slower.pace);
  });
  container.append(
    ...[
      head,
      legend,
      frame,
      summaryLine,
      adviceLine,
      spoken,
      memorising,
      unheld,
      notes,
      controls.heldOut,
      earlierBox,
    ],
    ...[controls.more, details.root, save],
  );

  const entry = (kind: string, text: string | HTMLElement): HTMLLIElement =>
    el('li', { class: `key key-${kind}` }, text);
  const trainEntry = entry('train', t('loss.train'));
  const smoothedEntry = entry('smoothed', termButton('smoothed_loss', t('loss.smoothed')));
  const validationEntry = entry('validation', termButton('validation', t('loss.validation')));
  // Until there is something to draw they stand as they do for a run without either.
  validationEntry.hidden = true;
  const units = (['nats', 'bits'] as const).map((unit) => ({
    unit,
    button: termButton(unit === 'nats' ? 'nat' : 'bits_per_character', t(unitKey(unit))),
    random: entry('random', termButton('random_guessing', t(randomKey(unit)))),
  }));
  for (const { unit, button, random } of units) button.hidden = random.hidden = unit !== 'nats';
  // By their numbers: their names are long, and stand at the boxes below.
  const earlierEntries = el('li', { class: 'key-earlier' });
  let earlierShown = '';
  legend.append(
    trainEntry,
    smoothedEntry,
    validationEntry,
    earlierEntries,
    ...units.map(({ random }) => random),
    // The unit stands at the axis too, where nothing can be pressed.
    el('li', { class: 'key-unit' }, ...units.map(({ button }) => button)),
  );
  const earlier = createEarlierList(earlierBox, {
    words,
    onShow,
    onRemove,
    onLeave: () => {
      title.focus({ preventScroll: true });
    },
  });
  const plot = createLossPlot(plotBox, {
    words,
    front: hint,
    tip: tip.root,
    onWindow: show,
    onPoint: (step, aloud) => {
      pointed = step;
      const text = describe();
      setSteadyText(summary, text);
      showTip();
      if (aloud) setText(spoken, text);
    },
    settle: () => {
      draw.settle();
    },
  });

  function show(window: LossLook['window']): void {
    look = { ...look, window };
    onWindow(window);
    draw.request();
  }

  function showTip(): void {
    tip.show(pointed === null ? null : readingAt(data, look, pointed), look);
  }

  /** What is pointed at, or else how the run goes. */
  function describe(): string {
    const pointedAt = pointed === null ? null : pointSentence(data, look, pointed, words);
    return pointedAt ?? runSentence(data, look, data.opened, words);
  }

  function showEarlierEntries(): void {
    const beside = data.lines.filter(({ shown }) => shown).map(({ id }) => id);
    earlierEntries.hidden = beside.length === 0;
    if (beside.join() === earlierShown) return;
    earlierShown = beside.join();
    earlierEntries.replaceChildren(
      ...beside.map((id) => el('span', {}, lineSample(id), t('earlier.short', { number: id + 1 }))),
    );
  }

  function showMemorising(): void {
    const best = memorisingSince(data.history);
    memorising.hidden = best === null;
    if (best === null) return;
    const loss = best.loss * unitFactor(look, data.tokensPerCharacter.validation);
    const said = { loss: words.number(loss, 2), step: words.number(best.step) };
    setText(risen, t('loss.memorising', said));
  }

  let advised = '';
  /**
   * Has room from the start: nothing moves down when it is said. Said aloud once, when it comes.
   */
  function showAdvice(): void {
    const { slower, largeRate } = data;
    const wanted = largeRate !== null || slower?.wanted === true;
    adviceLine.hidden = largeRate === null && slower === null;
    adviceLine.style.visibility = wanted ? '' : 'hidden';
    if (largeRate !== null) {
      const { rate, usual } = largeRate;
      setText(advice, t('runs.good.rate', { rate: words.short(rate), usual: words.short(usual) }));
      setText(adviceButton, t('run.gentler'));
    } else if (slower !== null) {
      setText(advice, t('loss.slower'));
      setText(adviceButton, t('loss.slower.again', { pace: slower.pace }));
    }
    const said = wanted ? advice.textContent : '';
    if (said === advised) return;
    if (said !== '' || spoken.textContent === advised) setText(spoken, said);
    advised = said;
  }

  function fillTable(): void {
    const { history, hasValidation, tokensPerCharacter } = data;
    const factor = unitFactor(look, tokensPerCharacter.train);
    const heldOut = unitFactor(look, tokensPerCharacter.validation);
    const blocks = history.blocks(history.blockSize());
    const heads = [t('loss.col.steps'), t('loss.col.mean'), t('loss.col.low'), t('loss.col.high')];
    if (hasValidation) heads.push(t('loss.validation'));
    const rows = blocks.map((block) => {
      const cells = [
        [...new Set([block.from, block.to])].map((step) => words.number(step)).join('–'),
        words.number(block.mean * factor, 4),
        words.number(block.lowest * factor, 4),
        words.number(block.highest * factor, 4),
      ];
      const validation = history.validationIn(block.from - 1, block.to);
      if (hasValidation) {
        cells.push(validation === undefined ? '–' : words.number(validation * heldOut, 4));
      }
      return cells;
    });
    // All digits: the same text, settings and seed must give exactly these again.
    const exact = el('p', {}, t('loss.first'), ' ');
    const digits = el('code', { 'data-part': 'first-loss' }, String(history.first ?? '–'));
    exact.append(digits);
    tableBox.replaceChildren(
      exact,
      table(t('loss.table.caption', { unit: t(unitKey(look.unit)) }), heads, rows),
    );
  }

  let summaryWidth = 0;
  const draw = perFrame(() => {
    const { choice, tokensPerCharacter } = data;
    look = { ...choice, unit: fairUnit(choice.unit, data), window: look.window };
    const forced = look.unit !== knownUnit(choice.unit, tokensPerCharacter);
    // Before the plot puts it where the step is now.
    showTip();
    plot.update(data, look, data.marks);
    controls.update(look, tokensPerCharacter);
    earlier.update({ lines: data.lines, look, forced });
    const writes = data.opened?.trains === false;
    // Only over an empty chart: curves of earlier runs may lie there already.
    const drawn = data.history.length > 0 || data.lines.some(({ shown }) => shown);
    const barred = data.barred && !Number.isFinite(data.randomLoss);
    hint.hidden = drawn || writes || !(barred || Number.isFinite(data.randomLoss));
    const begins = data.opened === null ? 'loss.empty' : 'loss.empty.opened';
    setText(hint, t(barred ? 'loss.empty.barred' : begins));
    validationEntry.hidden = !data.hasValidation;
    showEarlierEntries();
    // Without smoothing the line joins the very losses of the steps.
    smoothedEntry.hidden = look.smoothing === 0;
    trainEntry.className = `key key-${look.smoothing === 0 ? 'smoothed' : 'train'}`;
    setText(unheld, data.unheld);
    unheld.hidden = data.unheld === '';
    for (const { unit, button, random } of units) {
      button.hidden = unit !== look.unit;
      random.hidden = unit !== look.unit;
    }
    setText(summary, describe());
    setAttribute(summaryLine, 'data-longest', longestSentence(data, look, words));
    showAdvice();
    showMemorising();
    setText(notes, lossNotes(data, look, words));
    notes.hidden = notes.textContent === '';
    if (details.isOpen()) fillTable();
  });

  return {
    update(next) {
      // A run begun anew is seen from its first step, not only once it reaches what was in view.
      const isAnother = next.history !== data.history;
      data = next;
      const reach = isAnother ? data.history.length : longestOf(data);
      if (look.window !== null && look.window[0] > reach) show(null);
      draw.request();
    },
    resize() {
      // In another width the words take other lines.
      if (summary.offsetWidth !== summaryWidth) summary.style.minHeight = '';
      summaryWidth = summary.offsetWidth;
      plot.resize();
      draw.request();
    },
    destroy() {
      draw.cancel();
      plot.destroy();
      container.replaceChildren();
    },
  };
}
