/** The map of one head on a canvas, at whose cells pointer, finger and arrow keys point. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Cell } from '../base/cell.ts';
import type { AttentionToken } from '../data/attention-data.ts';
import { perFrame } from './dom.ts';
import { MapPicture } from './map-picture.ts';
import { listenForPointing } from './map-pointing.ts';
import { useResize } from './resize.ts';

export interface HeadMapProps {
  readonly tokens: readonly AttentionToken[];
  /** (tokens, tokens): rows look at columns. */
  readonly weights: Float32Array;
  readonly colour: (value: number) => string;
  /** The cell that is pointed at; null for none. */
  readonly pointed: Cell | null;
  readonly label: string;
  readonly onPoint: (cell: Cell | null) => void;
  /** A key moved the cell that is pointed at. */
  readonly onMove: (cell: Cell) => void;
}

/** A picture that draws in its turn, with the properties of the last rendering. */
interface Drawn {
  readonly picture: MapPicture;
  readonly turn: ReturnType<typeof perFrame>;
  props: HeadMapProps;
}

export function HeadMap(props: HeadMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const [drawn] = useState(() => make(props));
  drawn.props = props;
  const { picture, turn } = drawn;
  useLayoutEffect(() => {
    box.current?.append(picture.columns, picture.scroller);
    return turn.cancel;
  }, [picture, turn]);
  useLayoutEffect(() => {
    picture.canvas.setAttribute('aria-label', props.label);
    turn.request();
  });
  useResize(() => {
    picture.forget();
    turn.request();
  });
  return <div ref={box} class="map-box" translate={false} />;
}

function make(props: HeadMapProps): Drawn {
  const turn = perFrame(() => {
    const { tokens, weights, pointed } = drawn.props;
    picture.paint({ tokens, weights, read: pointed?.row ?? -1, pointed });
  });
  const picture = new MapPicture({
    colours: () => drawn.props.colour,
    wide: false,
    onScroll: turn.request,
  });
  const drawn: Drawn = { picture, turn, props };
  listenForPointing(picture.canvas, {
    onPlace: (x, y) => {
      const { row, column } = picture.cellAt(x, y);
      const isCell = row < drawn.props.tokens.length && column >= 0 && column <= row;
      drawn.props.onPoint(isCell ? { row, column } : null);
    },
    onMove: (move) => {
      const { tokens, pointed, onMove } = drawn.props;
      const last = tokens.length - 1;
      const from = pointed ?? { row: last - move.row, column: -move.column };
      const row = Math.min(last, Math.max(0, from.row + move.row));
      const cell = { row, column: Math.min(row, Math.max(0, from.column + move.column)) };
      onMove(cell);
      picture.bring(cell);
    },
    onLeave: () => drawn.props.onPoint(null),
  });
  return drawn;
}
