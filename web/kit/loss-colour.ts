/** The colour of a loss: the one scale of weights, from 0 to half as much again as guessing. */
import { valueColours } from './value-colour.ts';
import type { ColourScale } from './weight-colour.ts';

/** Where the scale ends, in parts of ln V; what is worse looks the same. */
const END = 1.5;

export interface CellColour {
  readonly background: string;
  /** Black or white, whichever reads better on it: at least 4.5 : 1. */
  readonly ink: string;
}

/** The loss at the strong end of the scale, for a vocabulary in which guessing costs `guessing`. */
export function strongestLoss(guessing: number): number {
  return END * guessing;
}

/** The colour of `loss`, in nats. */
export function lossColour(scale: ColourScale, loss: number, guessing: number): CellColour {
  const share = Math.min(1, Math.max(0, loss / strongestLoss(guessing)));
  const at = Math.round(255 * (Number.isNaN(share) ? 0 : share)) * 4;
  return inked([scale[at] ?? 0, scale[at + 1] ?? 0, scale[at + 2] ?? 0]);
}

/** The colour of how much better than another a token was guessed, in nats: violet if worse. */
export function gainColour(gain: number, guessing: number, isDark: boolean): CellColour {
  return inked(valueColours(-guessing, guessing, isDark).of(gain));
}

function inked([r, g, b]: readonly [number, number, number]): CellColour {
  const background = `rgb(${String(r)} ${String(g)} ${String(b)})`;
  return { background, ink: luminance(r, g, b) > 0.18 ? '#000' : '#fff' };
}

/** The scale as a gradient for CSS. */
export function scaleGradient(scale: ColourScale): string {
  const stops = Array.from({ length: 17 }, (_, index) => {
    const at = Math.round((255 * index) / 16) * 4;
    return `rgb(${String(scale[at])} ${String(scale[at + 1])} ${String(scale[at + 2])})`;
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** The colours of gains, from `-guessing` to `guessing`, as a gradient for CSS. */
export function gainGradient(isDark: boolean): string {
  const { of } = valueColours(-1, 1, isDark);
  const stops = Array.from({ length: 17 }, (_, index) => `rgb(${of(index / 8 - 1).join(' ')})`);
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** Relative luminance of an sRGB colour (WCAG 2). */
function luminance(r: number, g: number, b: number): number {
  const linear = (value: number): number => {
    const x = value / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
