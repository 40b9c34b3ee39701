/**
 * Labels along both axes of a map: one per token next to the cells; further out, over a bracket,
 * each character that consists of several tokens.
 */
import type { AttentionToken } from '../data/attention-data.ts';
import type { KeptValues } from './dom.ts';
import { axisMarks, characterMarks, marksThatFit } from './row-labels.ts';
import type { AxisMark } from './row-labels.ts';

/** Geometry of a map on its canvas, in CSS pixels. */
export interface MapGrid {
  /** Space for row labels, left of the cells. */
  readonly margin: number;
  /** Distance between the left edges of neighbouring cells. */
  readonly cell: number;
}

/** Space between neighbouring column labels, and between labels and cells. */
const LABEL_GAP = 3;
export const CELL_GAP = 5;
/**
 * Smallest cell that labels both byte tokens and their character; smaller cells label the character
 * only.
 */
const BYTE_CELL = 13;
/** Largest font size, and width above which a label is cut, in CSS pixels. */
export const MOST_FONT = 14;
const MOST_LABEL = 72;

export class MapAxes {
  /** Space for row labels. */
  readonly margin: number;
  readonly #styles: KeptValues;
  readonly #font: number;
  /** Every n-th token gets a label. */
  readonly #every: number;
  readonly #near: readonly AxisMark[];
  readonly #far: readonly AxisMark[];
  /** Width of the longest label of `#near`, the labels next to the cells. */
  readonly #nearWidth: number;

  /** Measures the labels for cells of about `cell` pixels. */
  constructor(
    context: CanvasRenderingContext2D,
    tokens: readonly AttentionToken[],
    cell: number,
    styles: KeptValues,
  ) {
    this.#styles = styles;
    const characters = characterMarks(tokens);
    // Byte tokens in small cells are labelled by their character.
    const joined = characters.length > 0 && cell < BYTE_CELL;
    this.#font = Math.max(7, Math.min(MOST_FONT, cell * (joined ? 1 : 0.72)));
    this.#every = Math.max(1, Math.ceil(9 / cell));
    this.#setFont(context);
    const width = (label: string): number => context.measureText(label).width;
    const widest = (marks: readonly AxisMark[]): number =>
      Math.max(0, ...marks.map(({ label }) => width(label)));
    this.#near = axisMarks(tokens, joined).map((mark) => cut(mark, width));
    this.#far = joined ? [] : characters.map((mark) => cut(mark, width));
    this.#nearWidth = widest(this.#near);
    const beyond = this.#far.length === 0 ? 0 : widest(this.#far) + 3 * LABEL_GAP;
    this.margin = Math.ceil(CELL_GAP + 1 + this.#nearWidth + beyond + 2);
  }

  /** Space for column labels, above the cells. */
  columnSpace(context: CanvasRenderingContext2D, cell: number): number {
    return this.#columnPlace(context, cell).near + CELL_GAP;
  }

  /** Paints row labels, always including row `pointed`; row `read` is highlighted. */
  paintRows(
    context: CanvasRenderingContext2D,
    { margin, cell }: MapGrid,
    read: number,
    pointed: number | undefined,
  ): void {
    this.#setFont(context);
    const { of } = this.#styles;
    const [muted, amber, edge] = [of('--muted'), of('--amber'), of('--edge')];
    context.textAlign = 'right';
    const label = (mark: AxisMark, right: number): void => {
      context.fillStyle = holds(mark, read) ? amber : muted;
      context.fillText(mark.label, right, ((mark.start + mark.end) / 2) * cell);
    };
    const right = margin - CELL_GAP - 1;
    for (const mark of this.#shown(pointed)) label(mark, right);
    const bracket = right - this.#nearWidth - 1.5 * LABEL_GAP;
    for (const mark of this.#far) {
      label(mark, bracket - 1.5 * LABEL_GAP);
      context.fillStyle = edge;
      const length = (mark.end - mark.start) * cell - LABEL_GAP;
      context.fillRect(bracket, mark.start * cell + LABEL_GAP / 2, 1, length);
    }
  }

  /** Paints column labels, always including column `pointed`, which is highlighted. */
  paintColumns(
    context: CanvasRenderingContext2D,
    grid: MapGrid,
    pointed: number | undefined,
  ): void {
    const { margin, cell } = grid;
    const { near, bracket } = this.#columnPlace(context, cell);
    const { of } = this.#styles;
    const [ink, muted, edge] = [of('--ink'), of('--muted'), of('--edge')];
    const label = (mark: AxisMark, bottom: number, every: number): void => {
      context.fillStyle = holds(mark, pointed) ? ink : muted;
      const centre = margin + ((mark.start + mark.end) / 2) * cell;
      this.#paintColumn(context, mark.label, centre, bottom, isUpright(context, mark, every, cell));
    };
    for (const mark of this.#shown(pointed)) label(mark, near, this.#every);
    for (const mark of this.#far) {
      label(mark, bracket - 1.5 * LABEL_GAP, 1);
      context.fillStyle = edge;
      const left = margin + mark.start * cell + LABEL_GAP / 2;
      context.fillRect(left, bracket, (mark.end - mark.start) * cell - LABEL_GAP, 1);
    }
  }

  #paintColumn(
    context: CanvasRenderingContext2D,
    label: string,
    centre: number,
    bottom: number,
    upright: boolean,
  ): void {
    context.save();
    if (upright) {
      context.textAlign = 'center';
      context.fillText(label, centre, bottom - this.#font / 2);
    } else {
      context.translate(centre, bottom);
      context.rotate(-Math.PI / 2);
      context.textAlign = 'left';
      context.fillText(label, 0, 0);
    }
    context.restore();
  }

  /** Bottom of the column labels, and position of the bracket above them. */
  #columnPlace(
    context: CanvasRenderingContext2D,
    cell: number,
  ): { readonly near: number; readonly bracket: number } {
    this.#setFont(context);
    const height = (marks: readonly AxisMark[], every: number): number =>
      Math.max(
        this.#font,
        ...marks.map((mark) =>
          isUpright(context, mark, every, cell)
            ? this.#font
            : context.measureText(mark.label).width,
        ),
      );
    const hasFar = this.#far.length > 0;
    const bracket = hasFar ? Math.ceil(height(this.#far, 1) + 1.5 * LABEL_GAP) : 0;
    const gap = hasFar ? 1.5 * LABEL_GAP : 2;
    return { near: Math.ceil(bracket + gap + height(this.#near, this.#every)), bracket };
  }

  /** The near labels that fit, always including the label of token `at`. */
  #shown(at: number | undefined): readonly AxisMark[] {
    const shown = marksThatFit(this.#near, this.#every);
    return this.#near.filter((mark) => mark.start === at || shown.includes(mark));
  }

  #setFont(context: CanvasRenderingContext2D): void {
    context.font = `${String(this.#font)}px ${this.#styles.of('--mono')}`;
    context.textBaseline = 'middle';
  }
}

/** Shortens a label that is too wide. */
function cut(mark: AxisMark, width: (label: string) => number): AxisMark {
  if (width(mark.label) <= MOST_LABEL) return mark;
  const letters = Array.from(mark.label);
  while (width(`${letters.join('')}…`) > MOST_LABEL) letters.pop();
  return { ...mark, label: `${letters.join('')}…` };
}

function holds({ start, end }: AxisMark, index: number | undefined): boolean {
  return index !== undefined && index >= start && index < end;
}

/** Whether a label fits upright above its columns; a single character always does. */
function isUpright(
  context: CanvasRenderingContext2D,
  { label, start, end }: AxisMark,
  every: number,
  cell: number,
): boolean {
  if (Array.from(label).length === 1) return true;
  const most = Math.max(every, end - start) * cell - LABEL_GAP;
  return context.measureText(label).width <= most;
}
