/**
 * Colours of numbers of either sign: green above zero, violet below, paper at zero. The hues differ
 * for any kind of colour vision, and lightness changes evenly (in OKLCH). Numbers that are never
 * negative use the scale of attention weights.
 */
import { colourScale, oklchToRgb } from './weight-colour.ts';

export interface ValueColours {
  /** Colour as RGB from 0 to 255. NaN is amber, which no number has. */
  readonly of: (value: number) => readonly [number, number, number];
  /** Numbers at both ends of the scale; `least` is 0 if no number is negative, else -`most`. */
  readonly most: number;
  readonly least: number;
}

const HUES = { positive: 150, negative: 310 } as const;
const tables = new Map<string, readonly (readonly [number, number, number])[]>();

/** Colours of numbers from `min` to `max`. */
export function valueColours(min: number, max: number, dark: boolean): ValueColours {
  const most = Math.max(Math.abs(min), Math.abs(max)) || 1;
  const wrong: readonly [number, number, number] = dark ? [226, 169, 76] : [176, 106, 0];
  if (min >= 0) {
    const scale = colourScale(dark);
    return {
      most,
      least: 0,
      of: (value) => {
        if (Number.isNaN(value)) return wrong;
        const at = 4 * Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, value / most))));
        return [scale[at] ?? 0, scale[at + 1] ?? 0, scale[at + 2] ?? 0];
      },
    };
  }
  const above = hueTable('positive', dark);
  const below = hueTable('negative', dark);
  return {
    most,
    least: -most,
    of: (value) => {
      if (Number.isNaN(value)) return wrong;
      const at = Math.round(255 * Math.sqrt(Math.min(1, Math.abs(value) / most)));
      return (value < 0 ? below : above)[at] ?? wrong;
    },
  };
}

function hueTable(
  side: keyof typeof HUES,
  dark: boolean,
): readonly (readonly [number, number, number])[] {
  const key = `${side} ${String(dark)}`;
  let found = tables.get(key);
  if (found === undefined) {
    found = Array.from({ length: 256 }, (_, index) => {
      const x = index / 255;
      const lightness = dark ? 0.235 + 0.6 * x : 0.98 - 0.6 * x;
      return oklchToRgb(lightness, 0.004 + 0.15 * Math.sqrt(x), HUES[side]);
    });
    tables.set(key, found);
  }
  return found;
}
