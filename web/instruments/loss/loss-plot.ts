/**
 * The curve itself, and, aligned beneath it, learning rate and gradient length: uPlot with what it
 * lacks (lines of other runs, zooming by keys and wheel). Draws what it is given, keeps no state of
 * the reader's but the place of the cursor.
 */
import type uPlot from 'uplot';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { el, keptValues, perFrame, setText } from '../../kit/dom.ts';
import { loadable } from '../../kit/loadable.ts';
import type { StepMark } from '../../kit/layers.ts';
import {
  longestOf,
  lossRange,
  dotsApart,
  lossesAbove,
  MOST_POINTS,
  partOf,
  pinched,
  normTopOf,
  stepRange,
  unitFactor,
  unitKey,
  zoomPlace,
} from '../../data/loss-data.ts';
import type { Hold, LossData, LossLook } from '../../data/loss-data.ts';
import type { LossColumns, LossHistory, LossPart } from '../../data/loss-history.ts';
import { drawLayers, drawMarks, drawMinor, drawOthers, drawRandom } from './plot-painting.ts';
import type { OtherCurve } from './plot-painting.ts';
import { axisTicks, fewTicks, tickDigits } from '../../kit/ticks.ts';

const MOST_OTHER_POINTS = 500;
/** A window never becomes narrower than this many steps. */
const NARROWEST = 5;
/** Pixels between the line of a step and its figures. */
const BESIDE = 10;
/** The place of the dots among the series of the chart. */
const DOTS = 1;
/** Pixels that a finger may slip and still tap. */
const SLIP = 8;

export interface LossPlotOptions {
  readonly words: Words;
  /** The reader wants to see these steps; null for all. */
  readonly onWindow: (window: readonly [number, number] | null) => void;
  /** A step is pointed at; null for none. `aloud` when it was done by keys. */
  readonly onPoint: (step: number | null, aloud: boolean) => void;
  /** Draws what was chosen since the last frame: a key goes on from there. */
  readonly settle: () => void;
  /** What stands in front of the curve, whatever is drawn beneath. */
  readonly front: HTMLElement;
  /** The figures of the step that is pointed at, which stand beside its line. */
  readonly tip: HTMLElement;
}

export interface LossPlot {
  /** Draws in the next frames; `marks` are the steps that other instruments mark. */
  update(data: LossData, look: LossLook, marks: readonly StepMark[]): void;
  /** Draws at once what it was given last, if that is not drawn yet. */
  settle(): void;
  /** Makes the window narrower (below 1) or wider, around what one is likely to look at. */
  zoom(factor: number): void;
  /** New size or colours. */
  resize(): void;
  destroy(): void;
}

interface Small {
  readonly box: HTMLElement;
  readonly chart: uPlot;
}

/** Creates the plot in `container`. */
export function createLossPlot(container: HTMLElement, options: LossPlotOptions): LossPlot {
  const { words, onWindow, settle, front, tip } = options;
  const { t } = words;
  const main = el('div', { class: 'loss-plot', tabindex: '0', role: 'img' });
  main.setAttribute('aria-label', t('loss.chart'));
  const beneath = el('div', { class: 'loss-beneath', 'aria-hidden': 'true' });
  beneath.hidden = true;
  // What the charts beneath cannot draw, in words.
  const beneathNote = el('p', { class: 'note', 'data-part': 'loss-beneath-note' });
  beneathNote.hidden = true;
  container.append(el('div', { class: 'loss-main' }, main, front, tip), beneath, beneathNote);
  let shown: { data: LossData; look: LossLook } | null = null;
  /** Steps that other instruments mark. */
  let layers: readonly StepMark[] = [];
  let columns: LossColumns = {
    ...{ steps: [], losses: [], smoothed: [], validation: [], rates: [], norms: [] },
  };
  let others: OtherCurve[] = [];
  let Curves: typeof uPlot | null = null;
  let chart: uPlot | null = null;
  let smalls: Small[] = [];
  let normTop = 1;
  /** Steps in view whose gradient norm is above that. */
  let spikes: ReturnType<LossHistory['above']> = [];
  /** Steps in view whose losses are far above the picture, as it was drawn last. */
  let cut: ReturnType<LossHistory['above']> = [];
  let built = '';
  /**
   * The step that the keys have reached, or a finger has pointed at: it stays when that is lifted.
   */
  let keyStep: number | null = null;
  /** The step that the mouse has clicked: keys go on from it. */
  let clickedStep: number | null = null;
  /** The step that is pointed at, however it came about. */
  let pointedStep: number | null = null;

  const styles = keptValues(container);
  const colour = (property: string) => () => styles.of(property);
  const axis = (side: Partial<uPlot.Axis>): uPlot.Axis => ({
    stroke: colour('--muted'),
    font: `12px ${styles.of('--sans')}`,
    labelFont: `12px ${styles.of('--sans')}`,
    grid: { stroke: colour('--grid'), width: 1 },
    ticks: { show: false },
    labelSize: 18,
    filter: (_, splits) => splits,
    ...side,
  });
  const numbers = (splits: readonly number[]): string[] => {
    const digits = tickDigits(splits);
    return splits.map((value) => words.number(value, digits));
  };
  const size = (box: HTMLElement, least: number): { width: number; height: number } => ({
    width: Math.max(200, box.clientWidth),
    height: Math.max(least, box.clientHeight),
  });

  function xScale(look: LossLook): uPlot.Scale {
    return {
      time: false,
      distr: distribution(look.logSteps),
      range: () => (shown === null ? [0, 10] : stepRange(shown.data, shown.look)),
    };
  }

  /** The line stands where the dot does: at a step that is drawn, not between two. */
  const onPoints = (u: uPlot, left: number, top: number): [number, number] => {
    const step = left < 0 ? undefined : u.data[0][u.posToIdx(left)];
    return [step === undefined ? left : u.valToPos(step, 'x'), top];
  };

  const xSplits = (u: uPlot, _: number, low: number, high: number): number[] => {
    const logSteps = shown?.look.logSteps === true;
    const most = Math.max(3, u.bbox.width / devicePixelRatio / (logSteps ? 66 : 80));
    // There are no halves of steps.
    return axisTicks(logSteps ? Math.max(1, low) : low, high, Math.min(most, high - low), logSteps);
  };

  /** Other scales than before need another chart: uPlot keeps the kind of a scale. */
  function build(look: LossLook): void {
    if (Curves === null) return;
    chart?.destroy();
    const ySplits = (u: uPlot, _: number, low: number, high: number): number[] => {
      const most = Math.max(3, u.bbox.height / devicePixelRatio / 45);
      return axisTicks(low, high, most, look.logLoss);
    };
    chart = new Curves(
      {
        ...size(main, 160),
        legend: { show: false },
        cursor: {
          y: false,
          drag: { x: true, y: false, setScale: false, dist: 4 },
          move: onPoints,
          points: { size: 7 },
          bind: {
            dblclick: () => () => {
              onWindow(null);
              return null;
            },
            // After a tap the browser tells of a mouse that comes and goes: the line stays at its
            // step.
            mouseleave: (_, __, leaves) => (event) => (keyStep === null ? leaves(event) : null),
          },
        },
        scales: {
          x: xScale(look),
          y: { distr: distribution(look.logLoss), range: () => verticalRange() },
        },
        axes: [
          axis({
            label: t('loss.axis.steps'),
            size: 28,
            splits: xSplits,
            values: (_, splits) => numbers(splits),
          }),
          axis({
            label: t(unitKey(look.unit)),
            size: 44,
            splits: ySplits,
            values: (_, splits) => numbers(splits),
          }),
        ],
        series: [
          {},
          {
            stroke: colour('--loss-raw'),
            width: 0,
            paths: () => null,
            points: { show: true, size: 2.5, width: 0, fill: colour('--loss-raw') },
          },
          { stroke: colour('--accent'), width: 2 },
          {
            stroke: colour('--amber'),
            width: 1.5,
            dash: [5, 3],
            spanGaps: true,
            points: { show: roomForDots, size: 5, width: 0, fill: colour('--amber') },
          },
        ],
        hooks: {
          drawAxes: [
            (u) => {
              drawMinor(u, look, styles);
              if (shown !== null) drawRandom(u, randomOf(shown.data, shown.look), styles);
            },
          ],
          // Over the dots of the present run, which would hide them, and below its curve.
          drawSeries: [
            (u, index) => {
              if (index === DOTS) drawOthers(u, others, styles);
            },
          ],
          draw: [
            (u) => {
              if (shown !== null)
                cut = lossesAbove(shown.data, shown.look, u.scales['y']?.max ?? NaN);
              drawMarks(u, cut, styles);
              drawLayers(u, layers, styles);
              placeTip();
            },
          ],
          setCursor: [
            (u) => {
              if (keyStep !== null) return;
              const index = u.cursor.idx ?? null;
              onPoint(index === null ? null : (u.data[0][index] ?? null), false);
            },
          ],
          setSelect: [
            (u) => {
              const { left, width } = u.select;
              if (width < 4) return;
              const from = u.posToVal(left, 'x');
              const to = u.posToVal(left + width, 'x');
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              narrow(from, to);
            },
          ],
        },
      },
      [[], [], [], []],
      main,
    );
  }

  function buildSmall(look: LossLook): void {
    for (const small of smalls) small.chart.destroy();
    beneath.replaceChildren();
    if (Curves === null) return;
    const Chart = Curves;
    const make = (
      title: string,
      stroke: string,
      range: uPlot.Range.Function,
      over: (u: uPlot) => void = () => undefined,
    ): Small => {
      const box = el('div', { class: 'loss-small' });
      beneath.append(el('p', { class: 'axis-title' }, title), box);
      const made = new Chart(
        {
          ...size(box, 70),
          legend: { show: false },
          cursor: { show: false },
          scales: {
            x: xScale(look),
            y: { range },
          },
          axes: [
            axis({ size: 22, splits: xSplits, values: (_, splits) => splits.map(() => '') }),
            axis({
              // As wide as the axis with its label above, so that steps stand below each other.
              size: 62,
              splits: (_, __, low, high) => fewTicks(low, high),
              values: (_, splits) => splits.map((value) => words.short(value)),
            }),
          ],
          series: [{}, { stroke: colour(stroke), width: 1.25 }],
          hooks: { draw: [over] },
        },
        [[], []],
        box,
      );
      return { box, chart: made };
    };
    smalls = [
      make(t('loss.rate'), '--muted', (_, low, high) => smallRange(low, high)),
      make(
        t('loss.norm'),
        '--accent',
        () => [0, normTop],
        (u) => {
          drawMarks(u, spikes, styles);
        },
      ),
    ];
  }

  /** Holds all that is in view; the line of guessing only while all steps are. */
  function verticalRange(): [number, number] {
    if (shown === null || chart === null) return [0.1, 4];
    const { data, look } = shown;
    const values: number[] = [];
    const whole = look.window === null;
    const [, losses, smoothed, validation] = chart.data;
    for (const column of [whole ? losses : smoothed, validation]) {
      for (const value of column ?? []) if (typeof value === 'number') values.push(value);
    }
    // Close up, single noisy steps may leave the picture at the edges, but most must be seen.
    if (!whole) values.push(...middle((losses ?? []) as (number | null)[]));
    for (const other of others) {
      for (const value of other.columns.smoothed)
        if (value !== null) values.push(value * other.factor);
      for (const value of other.columns.validation)
        if (value !== null) values.push(value * other.heldOut);
    }
    if (whole) values.push(randomOf(data, look));
    return lossRange(values, look);
  }

  function narrow(from: number, to: number): void {
    if (shown === null) return;
    const whole = stepRange(shown.data, { ...shown.look, window: null });
    const [low, high] = whole;
    let begin = Math.max(low, from);
    let end = Math.min(high, to);
    if (end - begin < NARROWEST) {
      const centre = (begin + end) / 2;
      begin = Math.max(low, centre - NARROWEST / 2);
      end = Math.min(high, begin + NARROWEST);
      begin = Math.max(low, end - NARROWEST);
    }
    // Beyond the last step there is nothing yet to be seen.
    const last = Math.min(high, longestOf(shown.data));
    onWindow(begin <= low && end >= last ? null : [begin, end]);
  }

  /** Around a step, which stays where it is on screen. */
  function zoom(factor: number, step: number, [low, high]: readonly [number, number]): void {
    if (!shown?.look.logSteps) {
      narrow(step - (step - low) * factor, step + (high - step) * factor);
      return;
    }
    const [a, b, centre] = [low, high, step].map((at) => Math.log(Math.max(1, at)));
    if (a === undefined || b === undefined || centre === undefined) return;
    narrow(Math.exp(centre - (centre - a) * factor), Math.exp(centre + (b - centre) * factor));
  }

  /** The step at a share of the width. */
  function stepAt(at: number): number {
    if (shown === null) return 0;
    const [low, high] = stepRange(shown.data, shown.look);
    const [a, b] = [Math.log(Math.max(1, low)), Math.log(high)];
    return shown.look.logSteps ? Math.exp(a + at * (b - a)) : low + at * (high - low);
  }

  /** Around a share of the width: where the wheel is turned. */
  function zoomAt(factor: number, at: number): void {
    if (shown === null) return;
    zoom(factor, stepAt(at), stepRange(shown.data, shown.look));
  }

  /** Where nobody points: see `zoomPlace`. */
  function zoomAtPlace(factor: number): void {
    if (shown === null || longestOf(shown.data) === 0) return;
    const { step, range } = zoomPlace(shown.data, shown.look, keyStep ?? clickedStep);
    zoom(factor, step, range);
  }

  /** Moves the part in view, or what was in view, by a share of its width. */
  function pan(share: number, window = shown?.look.window ?? null): void {
    if (shown === null || window === null) return;
    const [from, to] = window;
    const [low, high] = stepRange(shown.data, { ...shown.look, window: null });
    const by = Math.min(high - to, Math.max(low - from, share * (to - from)));
    onWindow([from + by, to + by]);
  }

  function walk(direction: number): void {
    if (chart === null || columns.steps.length === 0) return;
    const steps = columns.steps;
    const [low, high] = shown === null ? [0, 0] : stepRange(shown.data, shown.look);
    const inside = steps.filter((step) => step >= low && step <= high);
    const at = keyStep ?? clickedStep;
    // In another part of the curve other steps have points: on from the nearest.
    const after = at === null ? -1 : inside.findIndex((step) => step >= at);
    const from = at !== null && after < 0 ? inside.length - 1 : after;
    // A curve has many points: a sixtieth of them at a time.
    const by = Math.max(1, Math.round(inside.length / 60));
    const start = direction > 0 ? 0 : inside.length - 1;
    const next = from < 0 ? start : Math.min(inside.length - 1, Math.max(0, from + direction * by));
    stopAt(inside[next], true);
  }

  /** To the first or the last step in sight. */
  function walkToEnd(end: 0 | -1): void {
    const [low, high] = shown === null ? [0, 0] : stepRange(shown.data, shown.look);
    stopAt(columns.steps.filter((step) => step >= low && step <= high).at(end), true);
  }

  function stopAt(step: number | undefined, aloud: boolean): void {
    if (step === undefined) return;
    keyStep = step;
    chart?.setCursor({ left: chart.valToPos(step, 'x'), top: 10 }, false);
    onPoint(step, aloud);
  }

  function onPoint(step: number | null, aloud: boolean): void {
    pointedStep = step;
    options.onPoint(step, aloud);
    placeTip();
  }

  /** Beside the line of the step that is pointed at, on the side where there is more room. */
  function placeTip(): void {
    if (chart === null || pointedStep === null || tip.hidden) return;
    const line = chart.over.offsetLeft + chart.valToPos(pointedStep, 'x');
    const right = line + BESIDE;
    const left = line < main.clientWidth / 2 ? right : line - BESIDE - tip.offsetWidth;
    const most = main.clientWidth - tip.offsetWidth;
    tip.style.left = `${String(Math.round(Math.max(0, Math.min(left, most))))}px`;
  }

  /** The step that is drawn nearest to this place in the window. */
  function stepUnder(x: number): number | undefined {
    if (chart === null) return undefined;
    const { left, width } = chart.over.getBoundingClientRect();
    const at = chart.posToVal(Math.min(width, Math.max(0, x - left)), 'x');
    const away = (step: number): number => Math.abs(step - at);
    const [first, ...rest] = columns.steps;
    if (first === undefined) return undefined;
    return rest.reduce((best, step) => (away(step) < away(best) ? step : best), first);
  }

  /** Where on the axis a place in the window is, as a share of its width. */
  function shareUnder(x: number): number {
    if (chart === null) return 0;
    const { left, width } = chart.over.getBoundingClientRect();
    return (x - left) / width;
  }

  /**
   * A tap reads out its step. Drawn sideways, a finger goes along the curve, or moves the part that
   * is in view; two of them keep what they hold below them. Up and down a finger scrolls the page,
   * which the browser says by taking it away.
   */
  function followFingers(): void {
    let began: { readonly id: number; readonly x: number; readonly window: LossLook['window'] };
    let [down, drawn] = [false, false];
    const fingers = new Map<number, Hold>();
    const read = (x: number): void => {
      // What fingers have just drawn apart or along is read as it is now.
      settle();
      turn.settle();
      stopAt(stepUnder(x), false);
    };
    main.addEventListener('pointerdown', ({ pointerType, isPrimary, pointerId, clientX }) => {
      if (pointerType !== 'touch' || chart === null) return;
      // Of a finger that another element heard leave, nothing may stay.
      if (isPrimary) fingers.clear();
      for (const [id, { at }] of fingers) fingers.set(id, { at, step: stepAt(at) });
      const at = shareUnder(clientX);
      fingers.set(pointerId, { at, step: stepAt(at) });
      // What one finger began ends with the second.
      down = isPrimary;
      if (!isPrimary) return;
      began = { id: pointerId, x: clientX, window: shown?.look.window ?? null };
      drawn = false;
    });
    main.addEventListener('pointermove', ({ pointerId, clientX }) => {
      const finger = fingers.get(pointerId);
      if (finger !== undefined) fingers.set(pointerId, { ...finger, at: shareUnder(clientX) });
      const [one, other] = [...fingers.values()];
      if (finger !== undefined && one && other && shown !== null) {
        const range = pinched(one, other, shown.look);
        if (range !== null) narrow(...range);
        return;
      }
      if (!down || pointerId !== began.id || chart === null) return;
      const by = clientX - began.x;
      drawn ||= Math.abs(by) > SLIP;
      if (!drawn) return;
      if (began.window === null) read(clientX);
      else pan(-by / chart.over.clientWidth, began.window);
    });
    main.addEventListener('pointerup', ({ pointerId, clientX }) => {
      fingers.delete(pointerId);
      if (!down || pointerId !== began.id) return;
      down = false;
      if (!drawn) read(clientX);
    });
    main.addEventListener('pointercancel', () => {
      fingers.clear();
      down = false;
    });
  }

  /** The line stays at its step when another part of the curve is shown; out of sight it goes. */
  function keepCursor(): void {
    if (keyStep === null || chart === null || shown === null) return;
    const [low, high] = stepRange(shown.data, shown.look);
    if (keyStep < low || keyStep > high) leave();
    else chart.setCursor({ left: chart.valToPos(keyStep, 'x'), top: 10 }, false);
  }

  function leave(): void {
    if (keyStep === null) return;
    keyStep = null;
    chart?.setCursor({ left: -10, top: -10 }, false);
    onPoint(null, false);
  }

  main.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => {
        if (event.shiftKey) pan(-0.25);
        else walk(-1);
      },
      ArrowRight: () => {
        if (event.shiftKey) pan(0.25);
        else walk(1);
      },
      '+': () => {
        zoomAtPlace(0.5);
      },
      '=': () => {
        zoomAtPlace(0.5);
      },
      '-': () => {
        zoomAtPlace(2);
      },
      '0': () => {
        onWindow(null);
      },
      Home: () => {
        walkToEnd(0);
      },
      End: () => {
        walkToEnd(-1);
      },
      Escape: leave,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    settle();
    turn.settle();
    move();
  });
  main.addEventListener('blur', () => {
    clickedStep = null;
    leave();
  });
  main.addEventListener('pointerdown', ({ pointerType, clientX }) => {
    if (pointerType !== 'touch') clickedStep = stepUnder(clientX) ?? null;
  });
  main.addEventListener('pointermove', ({ pointerType }) => {
    if (pointerType !== 'touch') keyStep = null;
  });
  followFingers();
  main.addEventListener(
    'wheel',
    (event) => {
      // Without a key the wheel scrolls the page, as everywhere.
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      if (chart === null) return;
      event.preventDefault();
      const left = chart.bbox.left / devicePixelRatio;
      const width = chart.bbox.width / devicePixelRatio;
      const at = (event.clientX - main.getBoundingClientRect().left - left) / width;
      const turned = event.deltaY === 0 ? event.deltaX : event.deltaY;
      zoomAt(turned < 0 ? 0.8 : 1.25, Math.min(1, Math.max(0, at)));
    },
    { passive: false },
  );

  /** Shows the charts beneath, as far as there is anything in them, and says what is missing. */
  function showBeneath(data: LossData, look: LossLook, part: LossPart): void {
    const { history } = data;
    const { measuredFrom } = history;
    const empty = measuredFrom === undefined || measuredFrom > (part.to ?? Infinity);
    beneath.hidden = !look.beneath || empty;
    if (!beneath.hidden) normTop = normTopOf(history, part, MOST_POINTS);
    spikes = beneath.hidden ? [] : history.above('norms', normTop, part);
    const said: string[] = [];
    if (history.length === 0) said.push(t('loss.beneath.before'));
    else if (measuredFrom === undefined) said.push(t('loss.beneath.none'));
    else if (measuredFrom > 1) {
      said.push(t('loss.beneath.from', { step: words.number(measuredFrom) }));
    }
    const highest = highestOf(spikes);
    if (highest !== null) {
      const [norm, step] = [words.short(highest.value), words.number(highest.step)];
      said.push(t('loss.norm.cut', { count: spikes.length, norm, step }));
    }
    if (!look.beneath) said.length = 0;
    const worst = highestOf(cut);
    if (worst !== null) {
      const value = worst.value * unitFactor(look, data.tokensPerCharacter.train);
      const [loss, step] = [words.number(value, 2), words.number(worst.step)];
      said.unshift(t('loss.cut', { count: cut.length, loss, step }));
    }
    beneathNote.hidden = said.length === 0;
    setText(beneathNote, sentences(said, words));
    if (!beneath.hidden && smalls.length === 0) buildSmall(look);
  }

  function fillSmall(): void {
    if (beneath.hidden) return;
    for (const [index, small] of smalls.entries()) {
      drawNow(small.chart, [columns.steps, index === 0 ? columns.rates : columns.norms]);
    }
  }

  function update(data: LossData, look: LossLook, marks: readonly StepMark[]): void {
    shown = { data, look };
    layers = marks;
    // An empty chart says little: it comes once Start can be pressed.
    if (Number.isFinite(data.randomLoss) || longestOf(data) > 0) coming.want();
    turn.request();
  }

  const turn = perFrame(() => {
    if (shown === null || Curves === null) return;
    const { data, look } = shown;
    const kind = [look.unit, look.logSteps, look.logLoss].join();
    if (kind !== built) {
      built = kind;
      build(look);
      if (smalls.length > 0) buildSmall(look);
    }
    const [from, to] = stepRange(data, look);
    const part = partOf(look, [from, to]);
    columns = data.history.columns(MOST_POINTS, part);
    others = data.lines
      .filter((line) => line.shown)
      .map((line) => ({
        id: line.id,
        columns: line.history.columns(MOST_OTHER_POINTS, part),
        factor: unitFactor(look, line.tokensPerCharacter.train),
        heldOut: unitFactor(look, line.tokensPerCharacter.validation),
      }));
    const factor = unitFactor(look, data.tokensPerCharacter.train);
    const heldOut = unitFactor(look, data.tokensPerCharacter.validation);
    drawNow(chart, [
      columns.steps,
      scaled(columns.losses, factor),
      scaled(columns.smoothed, factor),
      scaled(columns.validation, heldOut),
    ]);
    showBeneath(data, look, part);
    fillSmall();
    keepCursor();
  }, 'alone');

  const coming = loadable(
    () => import('./curves.ts'),
    (curves) => {
      Curves = curves.default;
      turn.request();
    },
  );

  return {
    update,
    settle: turn.settle,
    zoom: zoomAtPlace,
    resize() {
      styles.forget();
      if (chart === null) return;
      const next = size(main, 160);
      if (next.width !== chart.width || next.height !== chart.height) chart.setSize(next);
      else chart.redraw(false, true);
      if (beneath.hidden) return;
      for (const small of smalls) {
        const now = size(small.box, 70);
        if (now.width !== small.chart.width) small.chart.setSize(now);
        else small.chart.redraw(false, true);
      }
    },
    destroy() {
      coming.cancel();
      turn.cancel();
      chart?.destroy();
      for (const small of smalls) small.chart.destroy();
      container.replaceChildren();
    },
  };
}

/** Draws in this frame, not behind it, where it would be nobody's time. */
function drawNow(chart: uPlot | null, data: uPlot.AlignedData): void {
  chart?.batch(() => {
    chart.setData(data);
  });
}

/** Whether dots stand apart: side by side they would hide what lies beneath them. */
function roomForDots(u: uPlot, series: number, from: number, to: number): boolean {
  const steps = u.data[0].slice(from, to + 1);
  const known = steps.filter((_, at) => typeof u.data[series]?.[from + at] === 'number');
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return true;
  const width = u.valToPos(last, 'x') - u.valToPos(first, 'x');
  return dotsApart(width, known.length);
}

function scaled(values: readonly (number | null)[], factor: number): (number | null)[] {
  if (factor === 1) return [...values];
  return values.map((value) => (value === null || Number.isNaN(factor) ? null : value * factor));
}

/** All but the highest and lowest fiftieth. */
function middle(values: readonly (number | null)[]): number[] {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 50);
  return sorted.slice(cut, sorted.length - cut);
}

/** From 0 up, with a little air. */
function smallRange(low: number | null, high: number | null): [number, number] {
  const top = high ?? 1;
  return [Math.min(0, low ?? 0), top > 0 ? top * 1.1 : 1];
}

/** The loss of guessing in the unit that is shown. */
function randomOf({ randomLoss, tokensPerCharacter }: LossData, look: LossLook): number {
  return randomLoss * unitFactor(look, tokensPerCharacter.train);
}

/** The kind of a scale, as uPlot numbers them: logarithmic or linear. */
function distribution(logarithmic: boolean): uPlot.Scale.Distr {
  // The names are in a const enum, which does not exist when types are only erased.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  return logarithmic ? 3 : 1;
}

/** The highest of these; null of none. */
function highestOf(marked: ReturnType<LossHistory['above']>): (typeof marked)[number] | null {
  const [first, ...rest] = marked;
  if (first === undefined) return null;
  return rest.reduce((best, one) => (one.value > best.value ? one : best), first);
}
