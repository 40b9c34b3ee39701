/**
 * Draws the card: large lines, below them names of the text and the model, in the colours and fonts
 * of the page. Long lines wrap; if the rows need too much height, the font gets smaller, and
 * finally lines end in an ellipsis.
 */
import { cssValue } from '../../kit/dom.ts';
import { shorten, wrapText } from './wrap-text.ts';

/** The size at which most sites show a picture. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

export interface PictureLine {
  readonly text: string;
  /** Beginning of `text` that the reader wrote. */
  readonly given: string;
  /** Label before the line; empty if a single step applies to all lines. */
  readonly step: string;
}

export interface CardPicture {
  readonly title: string;
  /** Address of the page; empty if others cannot open it. */
  readonly address: string;
  readonly lines: readonly PictureLine[];
  readonly learned: string;
  readonly model: string;
}

type Font = 'serif' | 'sans';

const MARGIN = 72;
const RIGHT = CARD_SIZE.width - MARGIN;
/** Top and bottom of the area for lines, and width of the step labels before the lines. */
const [TOP, BOTTOM, STEPS] = [128, 476, 210];
/** Font sizes of the lines; the largest that fits is used. */
const SIZES = [66, 60, 54, 48, 43, 38];
const LEADING = 1.3;
/** Space between two lines, as a multiple of the font size. */
const BETWEEN = 0.4;
const SMALL = '28px';
/** Position of the rule below the lines, and scale of the page's mark drawn large on the rule. */
const [GROUND, HOUSE] = [504, 14];
/** The mark of the page, in 32 units. */
const PANES = 'M5 29V13L16 4l11 9v16zM16 4v25M5 20h22';
const LEAVES = [
  'M16 25c0-6 3-9.5 8-10.5 0 6-3 9.5-8 10.5z',
  'M16 22c0-4-2-6.5-6-7.5 0 4.5 2 7 6 7.5z',
];
/** Matches a text whose first letter belongs to a right-to-left script. */
const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Draws the card with the CSS colours and fonts that apply to the canvas. */
export function drawCard(canvas: HTMLCanvasElement, card: CardPicture): void {
  [canvas.width, canvas.height] = [CARD_SIZE.width, CARD_SIZE.height];
  const context = canvas.getContext('2d');
  if (context === null) return;
  const drawing = new CardDrawing(context, (name) => cssValue(canvas, `--${name}`));
  drawing.ground();
  drawing.head(card);
  drawing.lines(card.lines);
  drawing.foot(card);
}

class CardDrawing {
  readonly #context: CanvasRenderingContext2D;
  readonly #value: (name: string) => string;

  constructor(context: CanvasRenderingContext2D, value: (name: string) => string) {
    this.#context = context;
    this.#value = value;
  }

  ground(): void {
    this.#context.fillStyle = this.#value('sheet');
    this.#context.fillRect(0, 0, CARD_SIZE.width, CARD_SIZE.height);
    // Draws the page's mark, large and faint, on the rule below the lines.
    this.#mark(RIGHT - 27 * HOUSE, GROUND - 29 * HOUSE, HOUSE, ['grid', 'accent-soft'], 0.6);
    this.#context.fillStyle = this.#value('leaf');
    this.#context.fillRect(0, 0, 12, CARD_SIZE.height);
  }

  head({ title, address }: CardPicture): void {
    this.#mark(MARGIN - 8, 42, 1.75, ['edge', 'leaf']);
    this.#font('600 34px', 'serif', 'ink');
    this.#context.fillText(title, MARGIN + 62, 85);
    this.#font(SMALL, 'sans', 'muted');
    this.#context.textAlign = 'right';
    this.#context.fillText(address, RIGHT, 84);
    this.#context.textAlign = 'left';
  }

  lines(lines: readonly PictureLine[]): void {
    const left = MARGIN + (lines.some(({ step }) => step !== '') ? STEPS : 0);
    const { size, rows } = this.#fit(lines, RIGHT - left);
    // Leaves slightly more space below than above, because the optical centre is higher.
    let y = TOP + 0.45 * (BOTTOM - TOP - heightOf(rows, size)) + size;
    for (const [at, line] of lines.entries()) {
      this.#font(SMALL, 'sans', 'muted');
      this.#context.fillText(line.step, MARGIN, y);
      this.#font(`${String(size)}px`, 'serif', 'ink');
      let { given } = line;
      for (const row of rows[at] ?? []) {
        const here = row.startsWith(given) ? given : given.startsWith(row) ? row : '';
        given = given.slice(here.length).trimStart();
        this.#row(row, here, { left, y, isRightToLeft: RIGHT_TO_LEFT.test(line.text) });
        y += size * LEADING;
      }
      y += size * BETWEEN;
    }
  }

  foot({ learned, model }: CardPicture): void {
    this.#context.fillStyle = this.#value('line');
    this.#context.fillRect(MARGIN, GROUND, RIGHT - MARGIN, 2);
    this.#font('34px', 'sans', 'ink');
    this.#context.fillText(this.#shortened(learned), MARGIN, 557);
    this.#font(SMALL, 'sans', 'muted');
    this.#context.fillText(this.#shortened(model), MARGIN, 599);
  }

  /** The largest font size at which all lines fit, and the rows of each line. */
  #fit(
    lines: readonly PictureLine[],
    width: number,
  ): { readonly size: number; readonly rows: readonly (readonly string[])[] } {
    let rows: (readonly string[])[] = [];
    for (const size of SIZES) {
      this.#font(`${String(size)}px`, 'serif', 'ink');
      rows = lines.map(({ text }) => wrapText(text, width, this.#measure));
      if (heightOf(rows, size) <= BOTTOM - TOP) return { size, rows };
    }
    const size = SIZES.at(-1) ?? 0;
    const all = Math.floor((BOTTOM - TOP) / (size * LEADING));
    const most = Math.max(1, Math.floor((all - (lines.length - 1) * BETWEEN) / lines.length));
    return {
      size,
      rows: rows.map((row) => {
        if (row.length <= most) return row;
        // Joins the last row and the first omitted one, so that the result ends in an ellipsis.
        const last = `${row[most - 1] ?? ''} ${row[most] ?? ''}`;
        return [...row.slice(0, most - 1), shorten(last, width, this.#measure)];
      }),
    };
  }

  /** Draws a row, with `given`, its beginning written by the reader, paler. */
  #row(
    row: string,
    given: string,
    at: { readonly left: number; readonly y: number; readonly isRightToLeft: boolean },
  ): void {
    const context = this.#context;
    const x = at.isRightToLeft ? RIGHT : at.left;
    context.direction = at.isRightToLeft ? 'rtl' : 'ltr';
    context.textAlign = 'start';
    context.fillText(row, x, at.y);
    if (given !== '') {
      const width = this.#measure(given);
      context.save();
      context.beginPath();
      context.rect(at.isRightToLeft ? x - width : x, at.y - 100, width, 140);
      context.clip();
      context.fillStyle = this.#value('sheet');
      context.fill();
      context.fillStyle = this.#value('muted');
      context.fillText(row, x, at.y);
      context.restore();
    }
    context.direction = 'ltr';
  }

  #mark(
    x: number,
    y: number,
    scale: number,
    colours: readonly [string, string],
    lineWidth = 1.5,
  ): void {
    const context = this.#context;
    context.save();
    context.translate(x, y);
    context.scale(scale, scale);
    context.lineWidth = lineWidth;
    context.lineJoin = 'round';
    context.strokeStyle = this.#value(colours[0]);
    context.stroke(new Path2D(PANES));
    context.fillStyle = this.#value(colours[1]);
    for (const leaf of LEAVES) context.fill(new Path2D(leaf));
    context.restore();
  }

  #font(size: string, family: Font, colour: string): void {
    this.#context.font = `${size} ${this.#value(family)}`;
    this.#context.fillStyle = this.#value(colour);
  }

  #shortened(text: string): string {
    return shorten(text, RIGHT - MARGIN, this.#measure);
  }

  readonly #measure = (text: string): number => this.#context.measureText(text).width;
}

function heightOf(rows: readonly (readonly string[])[], size: number): number {
  const count = rows.reduce((sum, { length }) => sum + length, 0);
  return size * (count * LEADING + (rows.length - 1) * BETWEEN);
}
