/**
 * Fingers on the curve. A tap reads out its step. Drawn sideways, a finger goes along the curve, or
 * moves the part that is in view; two of them keep what they hold below them. Up and down a finger
 * scrolls the page, which the browser says by taking it away.
 */
import type { Hold, LossLook } from '../../data/loss-data.ts';
import type { LossCurve } from './loss-curve.ts';
import type { StepWindow } from './step-window.ts';

/** Pixels that a finger may slip and still tap. */
const SLIP = 8;

/** A finger that is alone so far. */
interface Lone {
  readonly id: number;
  readonly x: number;
  /** The steps in view when it came. */
  readonly window: LossLook['window'];
  drawn: boolean;
}

export class PlotFingers {
  readonly #curve: LossCurve;
  readonly #window: StepWindow;
  readonly #read: (x: number) => void;
  readonly #fingers = new Map<number, Hold>();
  #lone: Lone | null = null;

  /** `read` reads out the step at a place in the window. */
  constructor(box: HTMLElement, curve: LossCurve, window: StepWindow, read: (x: number) => void) {
    this.#curve = curve;
    this.#window = window;
    this.#read = read;
    box.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'touch') this.#down(event);
    });
    box.addEventListener('pointermove', (event) => {
      this.#move(event);
    });
    box.addEventListener('pointerup', (event) => {
      this.#up(event);
    });
    box.addEventListener('pointercancel', () => {
      this.#fingers.clear();
      this.#lone = null;
    });
  }

  #down({ isPrimary, pointerId, clientX }: PointerEvent): void {
    const window = this.#window;
    // Of a finger that another element heard leave, nothing may stay.
    if (isPrimary) this.#fingers.clear();
    for (const [id, { at }] of this.#fingers)
      this.#fingers.set(id, { at, step: window.stepAt(at) });
    const at = this.#curve.shareUnder(clientX);
    this.#fingers.set(pointerId, { at, step: window.stepAt(at) });
    // What one finger began ends with the second.
    const lone = { id: pointerId, x: clientX, window: window.look.window, drawn: false };
    this.#lone = isPrimary ? lone : null;
  }

  #move({ pointerId, clientX }: PointerEvent): void {
    const finger = this.#fingers.get(pointerId);
    if (finger !== undefined) {
      this.#fingers.set(pointerId, { ...finger, at: this.#curve.shareUnder(clientX) });
      const [one, other] = [...this.#fingers.values()];
      if (one && other) {
        this.#window.pinch(one, other);
        return;
      }
    }
    const lone = this.#lone;
    if (pointerId !== lone?.id) return;
    const by = clientX - lone.x;
    lone.drawn ||= Math.abs(by) > SLIP;
    if (!lone.drawn) return;
    if (lone.window === null) this.#read(clientX);
    else this.#window.pan(-by / this.#curve.width, lone.window);
  }

  #up({ pointerId, clientX }: PointerEvent): void {
    this.#fingers.delete(pointerId);
    const lone = this.#lone;
    if (pointerId !== lone?.id) return;
    this.#lone = null;
    if (!lone.drawn) this.#read(clientX);
  }
}
