/**
 * Touch on the curve. A tap reads its step out; a finger that moves sideways goes along the curve,
 * or moves the part in view. The browser takes the other gestures, to scroll and zoom the page.
 */
import type { LossState } from '../../../data/loss-data.ts';
import type { StepCursor } from './step-cursor.ts';
import type { PlotScene } from './plot-scene.ts';

/** Pixels that a finger may slip in a tap. */
const SLIP = 8;

/** A finger that has been alone so far, with the window when it came. */
interface Lone {
  readonly id: number;
  readonly x: number;
  readonly window: LossState['window'];
  isDrawn: boolean;
}

/** `read` reads out the step below a place on the screen. */
export function listenForFingers(
  box: HTMLElement,
  scene: PlotScene,
  cursor: StepCursor,
  read: (x: number) => void,
): void {
  let lone: Lone | null = null;
  box.addEventListener('pointerdown', ({ pointerType, isPrimary, pointerId: id, clientX: x }) => {
    if (pointerType !== 'touch') return;
    // A second finger ends what the first began.
    lone = isPrimary ? { id, x, window: scene.look.window, isDrawn: false } : null;
  });
  box.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (pointerId !== lone?.id) return;
    lone.isDrawn ||= Math.abs(clientX - lone.x) > SLIP;
    if (!lone.isDrawn) return;
    const share = cursor.shareUnder(lone.x) - cursor.shareUnder(clientX);
    if (lone.window === null) read(clientX);
    else scene.pan(share, lone.window);
  });
  box.addEventListener('pointerup', ({ pointerId, clientX }) => {
    if (pointerId !== lone?.id) return;
    if (!lone.isDrawn) read(clientX);
    lone = null;
  });
  box.addEventListener('pointercancel', () => {
    lone = null;
  });
}
