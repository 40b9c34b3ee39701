/**
 * The step that is pointed at, with its figures beside it. The mouse only passes over steps; where
 * keys or a finger have stopped, the line stays until the mouse moves or the focus leaves.
 */
import type uPlot from 'uplot';
import { placeOn, scaleOf } from '../../../kit/scale.ts';
import { readingAt } from '../../../store/training/loss-reading.ts';
import { createLossTip, pointSentence } from './loss-tip.ts';
import type { LossTip } from './loss-tip.ts';
import type { PlotScene } from './plot-scene.ts';

/** Pixels between the line of a step and its figures. */
const BESIDE = 10;
/** Pixels after which a press is a drag. */
const DRAGGED = 4;

export class StepCursor {
  /** What makes it the cursor of a chart. */
  readonly plugin: uPlot.Plugin;
  readonly figures: LossTip;
  readonly #scene: PlotScene;
  readonly #onPoint: (aloud: boolean) => void;
  #chart: uPlot | null = null;
  /** The step that keys or a finger have stopped at. */
  #stopped: number | null = null;
  /** The step that the mouse has clicked: keys go on from it. */
  #clicked: number | null = null;
  /** Where the pointer went down last. */
  #pressedAt = 0;
  /** The step that is pointed at, however it came about. */
  #pointed: number | null = null;

  /**
   * `onPoint`: another step is pointed at, or none; `aloud` if keys have done it. `onChoose`: a
   * step was clicked.
   */
  constructor(
    box: HTMLElement,
    scene: PlotScene,
    onPoint: (aloud: boolean) => void,
    onChoose: (step: number) => void,
  ) {
    this.figures = createLossTip(scene.words);
    this.#scene = scene;
    this.#onPoint = onPoint;
    this.plugin = this.#makePlugin();
    box.addEventListener('blur', () => {
      this.#clicked = null;
      this.leave();
    });
    box.addEventListener('pointerdown', ({ pointerType, clientX }) => {
      this.#pressedAt = clientX;
      if (pointerType !== 'touch') this.#clicked = this.#stepUnder(clientX) ?? null;
    });
    box.addEventListener('click', ({ clientX, detail }) => {
      const step = this.#stepUnder(clientX);
      // Neither what a drag chose to see nor the second press of two.
      const isPress = detail === 1 && Math.abs(clientX - this.#pressedAt) < DRAGGED;
      if (isPress && step !== undefined) onChoose(step);
    });
    box.addEventListener('pointermove', ({ pointerType }) => {
      if (pointerType !== 'touch') this.#stopped = null;
    });
  }

  /** The step from which keys go on; null if none was chosen. */
  get chosen(): number | null {
    return this.#stopped ?? this.#clicked;
  }

  /** What is known of the step that is pointed at; null if no step is. */
  get sentence(): string | null {
    const { data, look, words } = this.#scene;
    return this.#pointed === null ? null : pointSentence(data, look, this.#pointed, words);
  }

  /** Where on the axis a place on the screen is, as a share of its width. */
  shareUnder(x: number): number {
    const { left = 0, width = 1 } = this.#chart?.over.getBoundingClientRect() ?? {};
    return (x - left) / width;
  }

  walk(direction: 1 | -1): void {
    const steps = this.#stepsInView();
    const at = this.chosen;
    // In another part of the curve other steps have points: on from the nearest.
    const after = at === null ? -1 : steps.findIndex((step) => step >= at);
    const from = at !== null && after < 0 ? steps.length - 1 : after;
    // A curve has many points: a sixtieth of them at a time.
    const by = Math.max(1, Math.round(steps.length / 60));
    const start = direction > 0 ? 0 : steps.length - 1;
    const next = Math.min(steps.length - 1, Math.max(0, from + direction * by));
    this.#stopAt(steps[from < 0 ? start : next], true);
  }

  /** To the first or the last step in sight. */
  walkToEnd(end: 0 | -1): void {
    this.#stopAt(this.#stepsInView().at(end), true);
  }

  /** Stops at the step that is drawn nearest to a place on the screen. */
  stopUnder(x: number): void {
    this.#stopAt(this.#stepUnder(x), false);
  }

  leave(): void {
    if (this.#stopped === null) return;
    this.#stopped = null;
    this.#chart?.setCursor({ left: -10, top: -10 }, false);
    this.#point(null, false);
  }

  /** The line stays at its step when another part of the curve is shown; out of sight it goes. */
  keep(): void {
    if (this.#stopped === null) return;
    const [low, high] = this.#scene.range;
    if (this.#stopped < low || this.#stopped > high) this.leave();
    else this.#putLine(this.#stopped);
  }

  /** Shows the figures as they are now. */
  showTip(): void {
    const { data, look } = this.#scene;
    this.figures.show(this.#pointed === null ? null : readingAt(data, look, this.#pointed), look);
  }

  #makePlugin(): uPlot.Plugin {
    const cursor: uPlot.Cursor = {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: DRAGGED },
      move: onPoints,
      points: { size: 7 },
      bind: {
        mousemove: hearUnscaled,
        mousedown: hearUnscaled,
        mouseup: hearUnscaled,
        dblclick: () => () => {
          this.#scene.all();
          return null;
        },
        // After a tap the browser tells of a mouse that comes and goes: the line stays at its step.
        mouseleave: (_, __, leaves) => (event) => (this.#stopped === null ? leaves(event) : null),
      },
    };
    return {
      opts: (u, options) => {
        this.#chart = u;
        return { ...options, cursor };
      },
      hooks: {
        draw: this.#placeTip,
        setCursor: ({ cursor: { idx }, data: [steps] }) => {
          if (this.#stopped === null) this.#point(steps[idx ?? -1] ?? null, false);
        },
        setSelect: this.#select,
      },
    };
  }

  readonly #select = (u: uPlot): void => {
    const { left, width } = u.select;
    if (width < DRAGGED) return;
    const [from, to] = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.#scene.narrow(from, to);
  };

  /** The steps that are drawn. */
  #stepsInView(): number[] {
    const [low, high] = this.#scene.range;
    return [...(this.#chart?.data[0] ?? [])].filter((step) => step >= low && step <= high);
  }

  #stepUnder(x: number): number | undefined {
    const at = this.#scene.stepAt(Math.min(1, Math.max(0, this.shareUnder(x))));
    const away = (step: number): number => Math.abs(step - at);
    const [first, ...rest] = this.#chart?.data[0] ?? [];
    if (first === undefined) return undefined;
    return rest.reduce((best, step) => (away(step) < away(best) ? step : best), first);
  }

  #stopAt(step: number | undefined, aloud: boolean): void {
    if (step === undefined) return;
    this.#stopped = step;
    this.#putLine(step);
    this.#point(step, aloud);
  }

  #putLine(step: number): void {
    this.#chart?.setCursor({ left: this.#chart.valToPos(step, 'x'), top: 10 }, false);
  }

  #point(step: number | null, aloud: boolean): void {
    this.#pointed = step;
    this.#onPoint(aloud);
    this.showTip();
    this.#placeTip();
  }

  /** Beside the line of the step that is pointed at, on the side where there is more room. */
  readonly #placeTip = (): void => {
    const [chart, tip] = [this.#chart, this.figures.root];
    if (chart === null || this.#pointed === null || tip.hidden) return;
    const { clientWidth } = chart.root;
    const line = chart.over.offsetLeft + chart.valToPos(this.#pointed, 'x');
    const left = line < clientWidth / 2 ? line + BESIDE : line - BESIDE - tip.offsetWidth;
    const most = clientWidth - tip.offsetWidth;
    tip.style.left = `${String(Math.round(Math.max(0, Math.min(left, most))))}px`;
  };
}

/** The event as it would be if no page scaled the chart: uPlot knows of no scale. */
function unscaled({ over }: uPlot, event: MouseEvent): MouseEvent {
  if (scaleOf(over) === 1) return event;
  const { left, top } = over.getBoundingClientRect();
  const { x, y } = placeOn(over, event);
  const { type, button, buttons, movementX, movementY } = event;
  const place = { clientX: left + x, clientY: top + y };
  return new MouseEvent(type, { button, buttons, movementX, movementY, ...place });
}

/** As uPlot listens by itself, to such events. */
const hearUnscaled: uPlot.Cursor.MouseListenerFactory = (u, target, take, onlyThere = true) => {
  return (event) =>
    event.button === 0 && (!onlyThere || event.target === target) ? take(unscaled(u, event)) : null;
};

/** The line stands where the dot does: at a step that is drawn, not between two. */
function onPoints(u: uPlot, left: number, top: number): [number, number] {
  const step = left < 0 ? undefined : u.data[0][u.posToIdx(left)];
  return [step === undefined ? left : u.valToPos(step, 'x'), top];
}
