/** Pointer, touch and arrow keys on a map that is drawn on a canvas. */
import type { Cell } from '../base/cell.ts';
import { keyOf } from './keys.ts';
import { placeOn } from './scale.ts';

export interface MapPointing {
  /** Called with a canvas position in CSS pixels; `pressed` is false for a moving pointer. */
  readonly onPlace: (x: number, y: number, pressed: boolean) => void;
  /** Called for an arrow key with the rows and columns to move by. */
  readonly onMove: (move: Cell) => void;
  /**
   * Called when pointer or focus leaves the map, and on Escape. Returns whether a cell was
   * selected.
   */
  readonly onLeave: () => boolean;
}

/** A touch that moves less than this many CSS pixels is a tap. */
const TAP = 10;

const MOVES: Readonly<Record<string, Cell>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** Adds the listeners to `canvas`. */
export function listenForPointing(canvas: HTMLCanvasElement, pointing: MapPointing): void {
  listenForPointer(canvas, pointing);
  canvas.addEventListener('blur', pointing.onLeave);
  canvas.addEventListener('keydown', (event) => {
    const key = keyOf(event);
    const move = MOVES[key];
    if (key === 'Escape' && pointing.onLeave()) event.preventDefault();
    if (move === undefined) return;
    event.preventDefault();
    pointing.onMove(move);
  });
}

/** A touch selects only by a tap, so that scrolling selects nothing. */
function listenForPointer(canvas: HTMLCanvasElement, { onPlace, onLeave }: MapPointing): void {
  const report = (event: PointerEvent): void => {
    const { x, y } = placeOn(canvas, event);
    onPlace(x, y, event.type !== 'pointermove');
  };
  let touched = { x: 0, y: 0 };
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') report(event);
  });
  canvas.addEventListener('pointerdown', (event) => {
    touched = { x: event.clientX, y: event.clientY };
    if (event.pointerType !== 'touch') report(event);
  });
  canvas.addEventListener('pointerup', (event) => {
    const distance = Math.hypot(event.clientX - touched.x, event.clientY - touched.y);
    if (event.pointerType === 'touch' && distance < TAP) report(event);
  });
  canvas.addEventListener('pointerleave', ({ pointerType }) => {
    // The selected cell stays selected after a finger is lifted.
    if (pointerType !== 'touch') onLeave();
  });
}
