/** A matrix of numbers in their colours, as a picture that leaves the page. */
import type { AllWords } from '../../i18n/index.ts';
import { svg } from '../../kit/dom.ts';
import { LIGHT } from '../../kit/palette.ts';
import {
  PICTURE_MARGIN,
  PICTURE_WIDTH,
  pictureFrame,
  pictureNumber,
  pictureText,
} from '../../kit/picture-frame.ts';
import { numberText, placeIn } from '../../kit/tensor-map.ts';
import type { MatrixPart, TensorMapData } from '../../kit/tensor-map.ts';
import { valueColours } from '../../kit/value-colour.ts';
import type { ValueColours } from '../../kit/value-colour.ts';

const TOP = 88;
const HEIGHT = { cell: 10, most: 540 };
const SCALE = { width: 160, steps: 64 };

export interface TensorPictureOptions {
  readonly title: string;
  readonly words: AllWords;
}

/** Draws what the map shows, with its ends named and the scale of its colours. */
export function tensorPicture(
  data: TensorMapData,
  part: MatrixPart,
  { title, words }: TensorPictureOptions,
): SVGSVGElement {
  const width = PICTURE_WIDTH - 2 * PICTURE_MARGIN;
  const square = width / part.columns;
  const height = Math.min(HEIGHT.most, Math.max(HEIGHT.cell, square) * part.rows);
  const colours = valueColours(data.range.min, data.range.max, false);
  const scaleTop = TOP + height + 34;
  const end = { row: part.rows - 1, column: part.columns - 1 };
  const first = placeIn(part, { row: 0, column: 0 });
  const last = placeIn(part, end);
  const right = PICTURE_WIDTH - PICTURE_MARGIN;
  const between = words.t('list.separator');
  const [above, below] = [TOP - 8, TOP + height + 16];
  return pictureFrame(
    { title, note: data.name, height: scaleTop + 28 },
    pictureText(`${data.rowName(first.row)}${between}${data.columnName(first.column)}`, {
      ...{ x: PICTURE_MARGIN, y: above },
    }),
    pictureText(`${data.rowName(last.row)}${between}${data.columnName(last.column)}`, {
      ...{ x: right, y: pictureNumber(below), 'text-anchor': 'end' },
    }),
    cells(part, colours, { width, height }),
    scale(colours, scaleTop, words),
  );
}

/** The cells, all of one colour as one shape: a picture of every cell would be ten times longer. */
function cells(
  part: MatrixPart,
  colours: ValueColours,
  size: { readonly width: number; readonly height: number },
): SVGElement {
  const shapes = new Map<string, string>();
  for (let row = 0; row < part.rows; row++) {
    for (let column = 0; column < part.columns; column++) {
      const colour = colourOf(colours, part.values[row * part.columns + column] ?? NaN);
      const box = `M${String(column)} ${String(row)}h1v1h-1z`;
      shapes.set(colour, (shapes.get(colour) ?? '') + box);
    }
  }
  const stretch = [size.width / part.columns, size.height / part.rows].map(String).join(' ');
  return svg(
    'g',
    {
      transform: `translate(${String(PICTURE_MARGIN)} ${String(TOP)}) scale(${stretch})`,
      // Neighbours would show the paper between them.
      'shape-rendering': 'crispEdges',
    },
    ...[...shapes].map(([fill, d]) => svg('path', { fill, d })),
  );
}

function scale(colours: ValueColours, top: number, words: AllWords): SVGElement {
  const { least, most } = colours;
  const step = SCALE.width / SCALE.steps;
  const labels = numberText(least, words);
  const from = PICTURE_MARGIN + 7.5 * labels.length + 8;
  const text = (x: number, content: string): SVGElement =>
    pictureText(content, { x: pictureNumber(x), y: pictureNumber(top + 11) });
  return svg(
    'g',
    {},
    text(PICTURE_MARGIN, labels),
    svg('rect', {
      ...{ x: from - 0.5, y: top - 0.5, width: SCALE.width + 1, height: 13 },
      ...{ fill: 'none', stroke: LIGHT.grid },
    }),
    ...Array.from({ length: SCALE.steps }, (_, index) =>
      svg('rect', {
        x: pictureNumber(from + index * step),
        y: pictureNumber(top),
        width: pictureNumber(step),
        height: 12,
        fill: colourOf(colours, least + ((most - least) * (index + 0.5)) / SCALE.steps),
        'shape-rendering': 'crispEdges',
      }),
    ),
    text(from + SCALE.width + 8, numberText(most, words)),
  );
}

function colourOf(colours: ValueColours, value: number): string {
  // Colours of OKLCH may lie a little outside what a screen can show.
  const parts = Uint8ClampedArray.from(colours.of(value));
  return `#${Array.from(parts, (part) => part.toString(16).padStart(2, '0')).join('')}`;
}
