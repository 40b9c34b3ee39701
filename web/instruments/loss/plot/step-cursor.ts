/**
 * The selected step. The mouse passes over steps; a step selected by keys or a finger stays until
 * the mouse moves or the focus leaves.
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

export type StepCursor = ReturnType<typeof cursorOf>;

export function cursorOf(box: HTMLElement, scene: PlotScene, onChoose: (step: number) => void) {
  /** The selected step; null if none is selected. */
  const pointed = signal<number | null>(null);
  /** The element with the figures of the selected step. */
  const tip = createRef<HTMLDivElement>();
  let chart: uPlot | null = null;
  /** The step selected by keys or a finger; null for none. */
  let stopped: number | null = null;
  /** The step last clicked by the mouse, where arrow keys start; null for none. */
  let clicked: number | null = null;
  /** Screen x of the last press, to tell a click from a drag. */
  let pressedAt = 0;

  /** The step from which arrow keys move and buttons zoom; null if none is selected or clicked. */
  const chosen = (): number | null => stopped ?? clicked;

  /** Position of the screen coordinate `x` on the step axis, as a share of its width. */
  function shareUnder(x: number): number {
    const { left = 0, width = 1 } = chart?.over.getBoundingClientRect() ?? {};
    return (x - left) / width;
  }

  function stepsInView(): number[] {
    const [low, high] = scene.range;
    return [...(chart?.data[0] ?? [])].filter((step) => step >= low && step <= high);
  }

  function stepUnder(x: number): number | undefined {
    const at = scene.stepAt(Math.min(1, Math.max(0, shareUnder(x))));
    const away = (step: number): number => Math.abs(step - at);
    const [first, ...rest] = chart?.data[0] ?? [];
    if (first === undefined) return undefined;
    return rest.reduce((best, step) => (away(step) < away(best) ? step : best), first);
  }

  function stopAt(step: number | undefined): void {
    if (step === undefined) return;
    stopped = step;
    putLine(step);
    pointed.value = step;
  }

  function putLine(step: number): void {
    chart?.setCursor({ left: chart.valToPos(step, 'x'), top: 10 }, false);
  }

  function walk(direction: 1 | -1): void {
    const [steps, at] = [stepsInView(), chosen()];
    const last = steps.length - 1;
    if (at === null) return stopAt(steps.at(direction > 0 ? 0 : -1));
    // If the chosen step is out of view, continues from the nearest visible one.
    const found = steps.findIndex((step) => step >= at);
    // A key moves by a sixtieth of the visible points, because a curve has many.
    const by = direction * Math.max(1, Math.round(steps.length / 60));
    stopAt(steps[Math.min(last, Math.max(0, (found < 0 ? last : found) + by))]);
  }

  function leave(): void {
    if (stopped === null) return;
    stopped = null;
    chart?.setCursor({ left: -10, top: -10 }, false);
    pointed.value = null;
  }

  /** After a redraw, moves the line to the selected step, or deselects a step out of view. */
  function keep(): void {
    if (stopped === null) return;
    const [low, high] = scene.range;
    if (stopped < low || stopped > high) leave();
    else putLine(stopped);
  }

  /** Places the figures beside the line of the step, on the side with more room. */
  function placeTip(): void {
    const [figures, step] = [tip.current, pointed.peek()];
    if (chart === null || figures === null || step === null) return;
    const { clientWidth } = chart.root;
    const line = chart.over.offsetLeft + chart.valToPos(step, 'x');
    const left = line < clientWidth / 2 ? line + BESIDE : line - BESIDE - figures.offsetWidth;
    const most = clientWidth - figures.offsetWidth;
    figures.style.left = `${String(Math.round(Math.max(0, Math.min(left, most))))}px`;
  }

  function select(u: uPlot): void {
    const { left, width } = u.select;
    if (width < DRAGGED) return;
    const [from, to] = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    scene.narrow(from, to);
  }

  box.addEventListener('blur', () => {
    clicked = null;
    leave();
  });
  box.addEventListener('pointerdown', ({ pointerType, clientX }) => {
    pressedAt = clientX;
    if (pointerType !== 'touch') clicked = stepUnder(clientX) ?? null;
  });
  box.addEventListener('click', ({ clientX, detail }) => {
    const step = stepUnder(clientX);
    // Ignores the end of a drag, and the second click of a double click.
    const isPress = detail === 1 && Math.abs(clientX - pressedAt) < DRAGGED;
    if (isPress && step !== undefined) onChoose(step);
  });
  box.addEventListener('pointermove', ({ pointerType }) => {
    if (pointerType !== 'touch') stopped = null;
  });
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
        scene.show(null);
        return null;
      },
      // After a tap the browser simulates a mouse that enters and leaves; the line stays at its
      // step.
      mouseleave: (_, __, leaves) => (event) => (stopped === null ? leaves(event) : null),
    },
  };
  /** Sets `cursor` in the options of a chart. */
  const plugin: uPlot.Plugin = {
    opts: (u, options) => {
      chart = u;
      return { ...options, cursor };
    },
    hooks: {
      draw: placeTip,
      setCursor: ({ cursor: { idx }, data: [steps] }) => {
        if (stopped === null) pointed.value = steps[idx ?? -1] ?? null;
      },
      setSelect: select,
    },
  };
  return {
    chosen,
    keep,
    isStopped: () => stopped !== null,
    leave,
    placeTip,
    plugin,
    pointed,
    shareUnder,
    tip,
    walk,
    /** Selects the drawn step nearest to a screen position. */
    stopUnder: (x: number): void => stopAt(stepUnder(x)),
    /** Selects the first (0) or the last (-1) visible step. */
    walkToEnd: (end: 0 | -1): void => stopAt(stepsInView().at(end)),
  };
}

/** Undoes the CSS scale of a host page in the position of an event: uPlot ignores that scale. */
function unscaled({ over }: uPlot, event: MouseEvent): MouseEvent {
  if (scaleOf(over) === 1) return event;
  const { left, top } = over.getBoundingClientRect();
  const { x, y } = placeOn(over, event);
  const { type, button, buttons, movementX, movementY } = event;
  const place = { clientX: left + x, clientY: top + y };
  return new MouseEvent(type, { button, buttons, movementX, movementY, ...place });
}

/** uPlot's default mouse listener, but with `unscaled` events. */
const hearUnscaled: uPlot.Cursor.MouseListenerFactory = (u, target, take, onlyThere = true) => {
  return (event) =>
    event.button === 0 && (!onlyThere || event.target === target) ? take(unscaled(u, event)) : null;
};

/** Snaps the line to the nearest drawn step, where uPlot draws the dot. */
function onPoints(u: uPlot, left: number, top: number): [number, number] {
  const step = left < 0 ? undefined : u.data[0][u.posToIdx(left)];
  return [step === undefined ? left : u.valToPos(step, 'x'), top];
}
