/**
 * Touch on the curve. A tap selects a step; a sideways move selects step after step or, when zoomed
 * in, pans. The browser handles other gestures, to scroll and zoom the page.
 */
import type { LossState } from '../../../data/loss-data.ts';
import type { StepCursor } from './step-cursor.ts';
import type { PlotScene } from './plot-scene.ts';

/** Maximum pixels that a finger moves in a tap. */
const SLIP = 8;

/** A single finger on the curve, with the window at its first contact. */
interface Lone {
  readonly id: number;
  readonly x: number;
  readonly window: LossState['window'];
  isDrawn: boolean;
}

/** Adds the listeners; `read` selects the step at a screen position. */
export function listenForFingers(
  box: HTMLElement,
  scene: PlotScene,
  cursor: StepCursor,
  read: (x: number) => void,
): void {
  let lone: Lone | null = null;
  box.addEventListener('pointerdown', ({ pointerType, isPrimary, pointerId: id, clientX: x }) => {
    if (pointerType !== 'touch') return;
    // A second finger cancels the gesture of the first.
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
