/**
 * Detects browsers that resist fingerprinting: they return random or blank canvas pixels until
 * their user allows canvas data for the page. Some change only the lowest bits of a pixel, which is
 * invisible and does not count.
 */
import { el } from './dom.ts';

/** Side in pixels, and RGBA colour, of the test square. */
const SIDE = 4;
const COLOUR = [40, 120, 200, 255] as const;
/** Largest mean channel difference (0 to 255) that is invisible. */
const UNSEEN = 8;

/** Thrown instead of saving a picture of noise. */
export class CanvasNoise extends Error {}

/**
 * Draws a square and reads it back; true if the pixels differ from those drawn. Not cached: the
 * user may allow canvas data at any time.
 */
export function returnsNoise(): boolean {
  const context = el('canvas', { width: SIDE, height: SIDE }).getContext('2d');
  if (context === null) return false;
  context.fillStyle = `rgb(${COLOUR.slice(0, 3).join(' ')})`;
  context.fillRect(0, 0, SIDE, SIDE);
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  const differences = Array.from(data, (value, at) => Math.abs(value - (COLOUR[at % 4] ?? 0)));
  return differences.reduce((sum, one) => sum + one, 0) / data.length > UNSEEN;
}
