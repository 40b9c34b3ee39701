/** How pointer, finger and arrow keys point at a cell of a map that is drawn on a canvas. */
import type { Cell } from '../base/cell.ts';
import { placeOn } from './scale.ts';

export interface MapPointing {
  /** A place of the canvas, in CSS pixels; `pressed` unless a pointer only moves over it. */
  readonly onPlace: (x: number, y: number, pressed: boolean) => void;
  /** An arrow key: by how many rows and columns it moves. */
  readonly onMove: (move: Cell) => void;
  /** Nothing is pointed at any more. */
  readonly onLeave: () => void;
}

/** A finger that moves less than this many CSS pixels taps. */
const TAP = 10;

const MOVES: Readonly<Record<string, Cell>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** Tells what is pointed at on `canvas`. */
export function listenForPointing(canvas: HTMLCanvasElement, pointing: MapPointing): void {
  listenForPointer(canvas, pointing);
  canvas.addEventListener('blur', pointing.onLeave);
  canvas.addEventListener('keydown', (event) => {
    const move = MOVES[event.key];
    if (event.key === 'Escape') pointing.onLeave();
    if (move === undefined) return;
    event.preventDefault();
    pointing.onMove(move);
  });
}

/** A finger points by a tap: what scrolls the page or the map chooses nothing. */
function listenForPointer(canvas: HTMLCanvasElement, { onPlace, onLeave }: MapPointing): void {
  const tell = (event: PointerEvent): void => {
    const { x, y } = placeOn(canvas, event);
    onPlace(x, y, event.type !== 'pointermove');
  };
  let touched = { x: 0, y: 0 };
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') tell(event);
  });
  canvas.addEventListener('pointerdown', (event) => {
    touched = { x: event.clientX, y: event.clientY };
    if (event.pointerType !== 'touch') tell(event);
  });
  canvas.addEventListener('pointerup', (event) => {
    const way = Math.hypot(event.clientX - touched.x, event.clientY - touched.y);
    if (event.pointerType === 'touch' && way < TAP) tell(event);
  });
  canvas.addEventListener('pointerleave', ({ pointerType }) => {
    // A finger is lifted to read what it has pointed at.
    if (pointerType !== 'touch') onLeave();
  });
}
