/**
 * The step that is pointed at. The mouse only passes over steps; where keys or a finger have
 * stopped, the line stays until the mouse moves or the focus leaves.
 */
import type { LossCurve } from './loss-curve.ts';

/** Pixels between the line of a step and its figures. */
const BESIDE = 10;

export class StepCursor {
  readonly #box: HTMLElement;
  readonly #curve: LossCurve;
  readonly #tip: HTMLElement;
  readonly #onPoint: (step: number | null, aloud: boolean) => void;
  /** The step that keys or a finger have stopped at. */
  #stopped: number | null = null;
  /** The step that the mouse has clicked: keys go on from it. */
  #clicked: number | null = null;
  /** The step that is pointed at, however it came about. */
  #pointed: number | null = null;

  /** `tip` has the figures of the step, which stand beside its line. */
  constructor(
    box: HTMLElement,
    curve: LossCurve,
    tip: HTMLElement,
    onPoint: (step: number | null, aloud: boolean) => void,
  ) {
    this.#box = box;
    this.#curve = curve;
    this.#tip = tip;
    this.#onPoint = onPoint;
    box.addEventListener('blur', () => {
      this.#clicked = null;
      this.leave();
    });
    box.addEventListener('pointerdown', ({ pointerType, clientX }) => {
      if (pointerType !== 'touch') this.#clicked = curve.stepUnder(clientX) ?? null;
    });
    box.addEventListener('pointermove', ({ pointerType }) => {
      if (pointerType !== 'touch') this.#stopped = null;
    });
  }

  /** The step from which keys go on; null if none was chosen. */
  get chosen(): number | null {
    return this.#stopped ?? this.#clicked;
  }

  get isStopped(): boolean {
    return this.#stopped !== null;
  }

  hover(step: number | null): void {
    if (!this.isStopped) this.#point(step, false);
  }

  walk(direction: 1 | -1): void {
    const steps = this.#curve.stepsInView;
    const at = this.chosen;
    // In another part of the curve other steps have points: on from the nearest.
    const after = at === null ? -1 : steps.findIndex((step) => step >= at);
    const from = at !== null && after < 0 ? steps.length - 1 : after;
    // A curve has many points: a sixtieth of them at a time.
    const by = Math.max(1, Math.round(steps.length / 60));
    const start = direction > 0 ? 0 : steps.length - 1;
    const next = Math.min(steps.length - 1, Math.max(0, from + direction * by));
    this.stopAt(steps[from < 0 ? start : next], true);
  }

  /** To the first or the last step in sight. */
  walkToEnd(end: 0 | -1): void {
    this.stopAt(this.#curve.stepsInView.at(end), true);
  }

  /** `aloud` when it is done by keys. */
  stopAt(step: number | undefined, aloud: boolean): void {
    if (step === undefined) return;
    this.#stopped = step;
    this.#curve.putLine(step);
    this.#point(step, aloud);
  }

  leave(): void {
    if (!this.isStopped) return;
    this.#stopped = null;
    this.#curve.putLine(null);
    this.#point(null, false);
  }

  /** The line stays at its step when another part of the curve is shown; out of sight it goes. */
  keep([low, high]: readonly [number, number]): void {
    if (this.#stopped === null) return;
    if (this.#stopped < low || this.#stopped > high) this.leave();
    else this.#curve.putLine(this.#stopped);
  }

  /** Beside the line of the step that is pointed at, on the side where there is more room. */
  placeTip(): void {
    const tip = this.#tip;
    if (this.#pointed === null || tip.hidden) return;
    const { clientWidth } = this.#box;
    const line = this.#curve.placeOf(this.#pointed);
    const left = line < clientWidth / 2 ? line + BESIDE : line - BESIDE - tip.offsetWidth;
    const most = clientWidth - tip.offsetWidth;
    tip.style.left = `${String(Math.round(Math.max(0, Math.min(left, most))))}px`;
  }

  #point(step: number | null, aloud: boolean): void {
    this.#pointed = step;
    this.#onPoint(step, aloud);
    this.placeTip();
  }
}
