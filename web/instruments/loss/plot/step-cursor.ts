/**
 * The step that is pointed at. The mouse passes over steps; a step at which keys or a finger have
 * stopped stays until the mouse moves or the focus leaves.
 */
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import type uPlot from 'uplot';
import { placeOn, scaleOf } from '../../../kit/scale.ts';
import type { PlotScene } from './plot-scene.ts';

/** Pixels between the line of a step and its figures. */
const BESIDE = 10;
/** Pixels after which a press is a drag. */
const DRAGGED = 4;

export class StepCursor {
  /** The step that is pointed at; null for none. */
  readonly pointed = signal<number | null>(null);
  /** Makes it the cursor of a chart. */
  readonly plugin: uPlot.Plugin;
  /** The figures of the step. */
  readonly tip = createRef<HTMLDivElement>();
  readonly #scene: PlotScene;
  #chart: uPlot | null = null;
  /** The step at which keys or a finger have stopped. */
  #stopped: number | null = null;
  /** The step that the mouse has clicked: keys go on from it. */
  #clicked: number | null = null;
  /** The position of the last press. */
  #pressedAt = 0;

  constructor(box: HTMLElement, scene: PlotScene, onChoose: (step: number) => void) {
    this.#scene = scene;
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
      // Neither the end of a drag nor the second press of two.
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

  /** The position on the axis of a place on the screen, as a share of the width. */
  shareUnder(x: number): number {
    const { left = 0, width = 1 } = this.#chart?.over.getBoundingClientRect() ?? {};
    return (x - left) / width;
  }

  walk(direction: 1 | -1): void {
    const [steps, at] = [this.#stepsInView(), this.chosen];
    const last = steps.length - 1;
    if (at === null) return this.#stopAt(steps.at(direction > 0 ? 0 : -1));
    // If another part of the curve is in view, goes on from the nearest step.
    const found = steps.findIndex((step) => step >= at);
    // A curve has many points: moves by a sixtieth of them.
    const by = direction * Math.max(1, Math.round(steps.length / 60));
    this.#stopAt(steps[Math.min(last, Math.max(0, (found < 0 ? last : found) + by))]);
  }

  /** Goes to the first or the last visible step. */
  walkToEnd(end: 0 | -1): void {
    this.#stopAt(this.#stepsInView().at(end));
  }

  /** Stops at the drawn step that is nearest to a place on the screen. */
  stopUnder(x: number): void {
    this.#stopAt(this.#stepUnder(x));
  }

  leave(): void {
    if (this.#stopped === null) return;
    this.#stopped = null;
    this.#chart?.setCursor({ left: -10, top: -10 }, false);
    this.pointed.value = null;
  }

  /** Keeps the line at its step when another part of the curve is shown, or leaves the step. */
  keep(): void {
    if (this.#stopped === null) return;
    const [low, high] = this.#scene.range;
    if (this.#stopped < low || this.#stopped > high) this.leave();
    else this.#putLine(this.#stopped);
  }

  /** Places the figures beside the line of the step, on the side with more room. */
  readonly placeTip = (): void => {
    const [chart, tip, step] = [this.#chart, this.tip.current, this.pointed.peek()];
    if (chart === null || tip === null || step === null) return;
    const { clientWidth } = chart.root;
    const line = chart.over.offsetLeft + chart.valToPos(step, 'x');
    const left = line < clientWidth / 2 ? line + BESIDE : line - BESIDE - tip.offsetWidth;
    const most = clientWidth - tip.offsetWidth;
    tip.style.left = `${String(Math.round(Math.max(0, Math.min(left, most))))}px`;
  };

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
          this.#scene.losses.show(null);
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
        draw: this.placeTip,
        setCursor: ({ cursor: { idx }, data: [steps] }) => {
          if (this.#stopped === null) this.pointed.value = steps[idx ?? -1] ?? null;
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

  #stopAt(step: number | undefined): void {
    if (step === undefined) return;
    this.#stopped = step;
    this.#putLine(step);
    this.pointed.value = step;
  }

  #putLine(step: number): void {
    this.#chart?.setCursor({ left: this.#chart.valToPos(step, 'x'), top: 10 }, false);
  }
}

/** The event without the scale that the host page gives the chart: uPlot knows of no scale. */
function unscaled({ over }: uPlot, event: MouseEvent): MouseEvent {
  if (scaleOf(over) === 1) return event;
  const { left, top } = over.getBoundingClientRect();
  const { x, y } = placeOn(over, event);
  const { type, button, buttons, movementX, movementY } = event;
  const place = { clientX: left + x, clientY: top + y };
  return new MouseEvent(type, { button, buttons, movementX, movementY, ...place });
}

/** Listens as uPlot does by itself, to unscaled events. */
const hearUnscaled: uPlot.Cursor.MouseListenerFactory = (u, target, take, onlyThere = true) => {
  return (event) =>
    event.button === 0 && (!onlyThere || event.target === target) ? take(unscaled(u, event)) : null;
};

/** Keeps the line at drawn steps, where the dot is. */
function onPoints(u: uPlot, left: number, top: number): [number, number] {
  const step = left < 0 ? undefined : u.data[0][u.posToIdx(left)];
  return [step === undefined ? left : u.valToPos(step, 'x'), top];
}
