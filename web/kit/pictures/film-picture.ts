/** A frame of the film of a run: step, curve so far, written texts, one head. */
import { axisLabel, headWeights } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { LIGHT, PICTURE_FONT } from '../palette.ts';
import { colourScale, cssColour } from '../weight-colour.ts';

export const FILM_SIZE = { width: 960, height: 540 } as const;

export interface FilmFrame {
  readonly step: number;
  /** Heading of the frame. */
  readonly title: string;
  readonly loss: string;
  /** Texts that the model wrote at this step. */
  readonly texts: readonly string[];
  readonly attention: AttentionData;
}

export interface FilmScene {
  readonly head: HeadPlace;
  /** Smoothed losses of the whole run. */
  readonly curve: readonly { readonly step: number; readonly loss: number }[];
  readonly steps: number;
  /** Caption below the map of the head. */
  readonly caption: string;
}

const [LEFT, TOP, GAP] = [48, 48, 48];
const MAP = 400;
const CURVE = { width: FILM_SIZE.width - 2 * LEFT - GAP - MAP, height: 190 };
const TEXTS = TOP + 92 + CURVE.height + 24;
const ROWS = 5;

/** Draws the frame with its top left corner at (0, 0). */
export function drawFrame(
  context: CanvasRenderingContext2D,
  frame: FilmFrame,
  scene: FilmScene,
): void {
  const { paper, ink, muted } = LIGHT;
  context.fillStyle = paper;
  context.fillRect(0, 0, FILM_SIZE.width, FILM_SIZE.height);
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.fillStyle = ink;
  context.font = `600 34px ${PICTURE_FONT}`;
  context.fillText(frame.title, LEFT, TOP + 30, CURVE.width);
  context.fillStyle = muted;
  context.font = `18px ${PICTURE_FONT}`;
  context.fillText(frame.loss, LEFT, TOP + 62, CURVE.width);
  drawCurve(context, frame.step, scene);
  context.fillStyle = ink;
  context.font = '20px ui-monospace, monospace';
  for (const [row, text] of frame.texts.slice(0, ROWS).entries()) {
    context.fillText(fitted(context, text), LEFT, TEXTS + 20 + 30 * row);
  }
  drawHead(context, frame.attention, scene);
}

/** Cuts a text to the width of its row. */
function fitted(context: CanvasRenderingContext2D, text: string): string {
  const letters = Array.from(text.replaceAll(/\s+/gu, ' '));
  const isFit = (): boolean => context.measureText(letters.join('')).width <= CURVE.width;
  if (isFit()) return letters.join('');
  letters.push('…');
  while (letters.length > 1 && !isFit()) letters.splice(-2, 1);
  return letters.join('');
}

function drawCurve(
  context: CanvasRenderingContext2D,
  step: number,
  { curve, steps }: FilmScene,
): void {
  const top = TOP + 92;
  const losses = curve.map(({ loss }) => loss);
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const at = (one: { step: number; loss: number }): [number, number] => [
    LEFT + (CURVE.width * one.step) / steps,
    top + CURVE.height * (1 - (one.loss - low) / Math.max(1e-9, high - low)),
  ];
  const draw = (points: typeof curve, colour: string, width: number): void => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const point of points) context.lineTo(...at(point));
    context.stroke();
  };
  draw(curve, LIGHT.grid, 2);
  const done = curve.filter((point) => point.step <= step);
  draw(done, LIGHT.accent, 3);
  const last = done.at(-1);
  if (last === undefined) return;
  context.fillStyle = LIGHT.accent;
  context.beginPath();
  context.arc(...at(last), 5, 0, 2 * Math.PI);
  context.fill();
}

function drawHead(
  context: CanvasRenderingContext2D,
  attention: AttentionData,
  { head, caption }: FilmScene,
): void {
  const { tokens } = attention;
  const weights = headWeights(attention, head);
  const scale = colourScale(false);
  const [left, top] = [FILM_SIZE.width - LEFT - MAP + 24, TOP + 24];
  const side = (MAP - 24) / tokens.length;
  for (let row = 0; row < tokens.length; row++) {
    for (let column = 0; column <= row; column++) {
      context.fillStyle = cssColour(scale, weights[row * tokens.length + column] ?? 0);
      context.fillRect(left + column * side, top + row * side, side - 1, side - 1);
    }
  }
  context.fillStyle = LIGHT.muted;
  context.font = `${String(Math.min(18, Math.max(9, side * 0.6)))}px ui-monospace, monospace`;
  // Skips labels that would overlap.
  const every = Math.ceil(11 / side);
  for (const [index, token] of tokens.entries()) {
    if (index % every !== 0) continue;
    context.textAlign = 'right';
    context.fillText(axisLabel(token).slice(0, 3), left - 6, top + (index + 0.7) * side);
    context.textAlign = 'center';
    context.fillText(axisLabel(token).slice(0, 3), left + (index + 0.5) * side, top - 6);
  }
  context.textAlign = 'left';
  context.font = `16px ${PICTURE_FONT}`;
  context.fillText(caption, left, top + MAP, MAP);
}
