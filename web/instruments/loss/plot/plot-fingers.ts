/**
 * A finger on the curve. A tap reads out its step. Drawn sideways, a finger goes along the curve,
 * or moves the part that is in view. Up and down a finger scrolls the page, and two fingers zoom
 * it, which the browser says by taking them away.
 */
import type { LossState } from '../../../data/loss-data.ts';
import type { StepCursor } from './step-cursor.ts';
import type { PlotScene } from './plot-scene.ts';

/** Pixels that a finger may slip and still tap. */
const SLIP = 8;

/** A finger that is alone so far, with the steps that were in view when it came. */
interface Lone {
  readonly id: number;
  readonly x: number;
  readonly window: LossState['window'];
  drawn: boolean;
}

export class PlotFingers {
  readonly #scene: PlotScene;
  readonly #cursor: StepCursor;
  readonly #read: (x: number) => void;
  #lone: Lone | null = null;

  /** `read` reads out the step below a place on the screen. */
  constructor(box: HTMLElement, scene: PlotScene, cursor: StepCursor, read: (x: number) => void) {
    this.#scene = scene;
    this.#cursor = cursor;
    this.#read = read;
    box.addEventListener('pointerdown', this.#down);
    box.addEventListener('pointermove', this.#move);
    box.addEventListener('pointerup', this.#up);
    box.addEventListener('pointercancel', () => {
      this.#lone = null;
    });
  }

  readonly #down = ({ pointerType, isPrimary, pointerId: id, clientX: x }: PointerEvent): void => {
    if (pointerType !== 'touch') return;
    const { window } = this.#scene.look;
    // What one finger began ends with the second.
    this.#lone = isPrimary ? { id, x, window, drawn: false } : null;
  };

  readonly #move = ({ pointerId, clientX }: PointerEvent): void => {
    if (pointerId === this.#lone?.id) this.#draw(this.#lone, clientX);
  };

  #draw(lone: Lone, x: number): void {
    lone.drawn ||= Math.abs(x - lone.x) > SLIP;
    if (!lone.drawn) return;
    if (lone.window === null) this.#read(x);
    else this.#scene.pan(this.#cursor.shareUnder(lone.x) - this.#cursor.shareUnder(x), lone.window);
  }

  readonly #up = ({ pointerId, clientX }: PointerEvent): void => {
    const lone = this.#lone;
    if (pointerId !== lone?.id) return;
    this.#lone = null;
    if (!lone.drawn) this.#read(clientX);
  };
}
