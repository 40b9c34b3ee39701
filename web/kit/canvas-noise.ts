/**
 * Whether pictures can be read from a canvas. Browsers that resist fingerprinting return random or
 * blank pixels until their user allows canvas data for the page. Others change only the lowest bits
 * of a pixel, which nobody sees: that does not count as noise.
 */
import { el } from './dom.ts';

/** Side of the square that is drawn and read, in pixels, and its colour as RGBA. */
const SIDE = 4;
const COLOUR = [40, 120, 200, 255] as const;
/** Largest mean difference of a channel, from 0 to 255, that is not seen in a picture. */
const UNSEEN = 8;

/** Thrown in place of a picture of noise. */
export class CanvasNoise extends Error {}

/** Draws a few pixels and reads them: true if they are others. Asked anew for each picture. */
export function returnsNoise(): boolean {
  const context = el('canvas', { width: SIDE, height: SIDE }).getContext('2d');
  if (context === null) return false;
  context.fillStyle = `rgb(${COLOUR.slice(0, 3).join(' ')})`;
  context.fillRect(0, 0, SIDE, SIDE);
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  const differences = Array.from(data, (value, at) => Math.abs(value - (COLOUR[at % 4] ?? 0)));
  return differences.reduce((sum, one) => sum + one, 0) / data.length > UNSEEN;
}
