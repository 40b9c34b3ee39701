/** The attention map of one head on a canvas; pointer, touch and arrow keys select cells. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Cell } from '../base/cell.ts';
import type { AttentionToken } from '../data/attention-data.ts';
import { perFrame } from './dom.ts';
import { MapPicture } from './map-picture.ts';
import { listenForPointing } from './map-pointing.ts';
import { drawChanges } from './render.ts';
import { useResize } from './resize.ts';

export interface HeadMapProps {
  readonly tokens: readonly AttentionToken[];
  /** (tokens, tokens): row = query token, column = key token. */
  readonly weights: Float32Array;
  readonly colour: (value: number) => string;
  /** The selected cell; null for none. */
  readonly pointed: Cell | null;
  /** The highlighted row; the row of the selected cell by default. */
  readonly read?: number;
  readonly label: string;
  /** Whether cells stay large enough for fingers, so that the map may scroll sideways. */
  readonly isWide?: boolean;
  /** Receives a function that returns a copy of the whole map with its labels, for a file. */
  readonly whole?: RefObject<(() => HTMLCanvasElement) | null>;
  /**
   * Called when the pointer selects a cell or leaves the map. A press on a row label selects the
   * strongest cell of the row.
   */
  readonly onPoint: (cell: Cell | null, isPressed: boolean) => void;
  /** Called when an arrow key selects another cell. */
  readonly onMove: (cell: Cell) => void;
  /** Called after each drawing with whether the map is wider than its box. */
  readonly onDrawn?: (goesSideways: boolean) => void;
  /** Content above the column labels, which stays in view with them. */
  readonly children?: ComponentChildren;
}

/** A picture drawn in the next frames, with the properties of the last rendering. */
interface Drawn {
  readonly picture: MapPicture;
  readonly turn: ReturnType<typeof perFrame>;
  readonly whole: () => HTMLCanvasElement;
  props: HeadMapProps;
}

export function HeadMap(props: HeadMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const [drawn] = useState(() => make(props));
  drawn.props = props;
  const { picture, turn, whole } = drawn;
  useLayoutEffect(() => {
    above.current?.append(picture.columns);
    box.current?.append(picture.scroller);
    return turn.cancel;
  }, [picture, turn]);
  useLayoutEffect(() => {
    picture.canvas.setAttribute('aria-label', props.label);
    if (props.whole !== undefined) props.whole.current = whole;
    turn.request();
  });
  useResize(() => {
    picture.forget();
    turn.request();
  });
  return (
    <div ref={box}>
      <div ref={above} class="map-above" translate={false}>
        {props.children}
      </div>
    </div>
  );
}

function make(props: HeadMapProps): Drawn {
  const data = (pointed = drawn.props.pointed) => {
    const { tokens, weights, read = pointed?.row ?? -1 } = drawn.props;
    return { tokens, weights, read, pointed };
  };
  const draw = (): void => {
    picture.paint(data());
    drawn.props.onDrawn?.(picture.goesSideways);
  };
  const turn = perFrame(draw);
  const picture = new MapPicture({
    colours: () => drawn.props.colour,
    wide: props.isWide ?? false,
    onScroll: turn.request,
  });
  const whole = (): HTMLCanvasElement => {
    draw();
    const copy = picture.wholeCanvas(data(null));
    draw();
    return copy;
  };
  const drawn: Drawn = { picture, turn, whole, props };
  listenForPointing(picture.canvas, {
    onPlace: (x, y, isPressed) => {
      const { tokens, weights, onPoint } = drawn.props;
      const { row, column } = picture.cellAt(x, y);
      const isCell = row >= 0 && row < tokens.length && column <= row;
      if (isCell && column >= 0) onPoint({ row, column }, isPressed);
      else onPoint(isCell && isPressed ? strongestCell(weights, tokens.length, row) : null, false);
    },
    onMove: (move) => {
      const { tokens, pointed, read, onMove } = drawn.props;
      const last = tokens.length - 1;
      const from = pointed ?? { row: (read ?? last) - move.row, column: -move.column };
      const row = Math.min(last, Math.max(0, from.row + move.row));
      const cell = { row, column: Math.min(row, Math.max(0, from.column + move.column)) };
      onMove(cell);
      picture.bring(cell);
      // The next key, perhaps before the next frame, must start at this cell.
      drawChanges();
    },
    onLeave: () => {
      const { pointed, onPoint } = drawn.props;
      onPoint(null, false);
      return pointed !== null;
    },
  });
  return drawn;
}

/** The cell with the largest absolute weight of a row. */
export function strongestCell(weights: Float32Array, size: number, row: number): Cell {
  const sizes = weights.subarray(row * size, row * size + row + 1).map(Math.abs);
  return { row, column: sizes.indexOf(Math.max(...sizes)) };
}
