/** Colours of losses: the scale of weights, from 0 to 1.5 ln V. */
import { valueColours } from './value-colour.ts';
import { inked } from './weight-colour.ts';
import type { CellColour, ColourScale } from './weight-colour.ts';

/** End of the scale as a multiple of ln V; larger losses have the same colour. */
const END = 1.5;

/** Loss at the end of the scale; `guessing` is ln V. */
export function strongestLoss(guessing: number): number {
  return END * guessing;
}

/** Colour of a loss in nats. */
export function lossColour(scale: ColourScale, loss: number, guessing: number): CellColour {
  const share = Math.min(1, Math.max(0, loss / strongestLoss(guessing)));
  const at = Math.round(255 * (Number.isNaN(share) ? 0 : share)) * 4;
  return inked([scale[at] ?? 0, scale[at + 1] ?? 0, scale[at + 2] ?? 0]);
}

/** Colour of a loss difference in nats: green if better, violet if worse. */
export function gainColour(gain: number, guessing: number, isDark: boolean): CellColour {
  return inked(valueColours(-guessing, guessing, isDark).of(gain));
}

/** The colours from `-guessing` to `guessing` as a CSS gradient. */
export function gainGradient(isDark: boolean): string {
  const { of } = valueColours(-1, 1, isDark);
  const stops = Array.from({ length: 17 }, (_, index) => `rgb(${of(index / 8 - 1).join(' ')})`);
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
