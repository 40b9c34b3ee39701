/**
 * Colour scale of weights from 0 to 1: a single green hue whose lightness changes evenly (in
 * OKLCH), so that it needs no colour vision. 0 is the paper in both themes; 1 is nearly ink in the
 * light theme and bright in the dark one.
 */

/** 256 colours as RGBA bytes. */
export type ColourScale = Uint8ClampedArray;

export interface CellColour {
  readonly background: string;
  /** Black or white, with a contrast of at least 4.5 : 1. */
  readonly ink: string;
}

const scales = new Map<boolean, ColourScale>();

/** The scale for the dark or the light theme. */
export function colourScale(dark: boolean): ColourScale {
  let scale = scales.get(dark);
  if (scale === undefined) {
    scale = new Uint8ClampedArray(256 * 4);
    for (let index = 0; index < 256; index++) {
      const x = index / 255;
      const lightness = dark ? 0.235 + 0.7 * x : 0.968 - 0.7 * x;
      const chroma = 0.012 + 0.42 * x * (1 - x) ** 1.1 * (dark ? 0.75 : 1) + 0.035 * x;
      const hue = dark ? 165 - 45 * x : 120 + 40 * x;
      scale.set([...oklchToRgb(lightness, chroma, hue), 255], index * 4);
    }
    scales.set(dark, scale);
  }
  return scale;
}

/** Weights that a colour key labels. */
export const WEIGHT_TICKS = [0, 0.05, 0.25, 0.5, 1] as const;

/** Position on the scale (0 to 1) of a weight. */
export const placeOfWeight = (weight: number): number => Math.sqrt(weight);

/** Index of a weight in the scale: its square root, so that small weights differ visibly. */
export function shade(weight: number): number {
  return Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, weight))));
}

/** CSS colour of a weight. */
export function cssColour(scale: ColourScale, weight: number): string {
  const at = shade(weight) * 4;
  return `rgb(${String(scale[at])} ${String(scale[at + 1])} ${String(scale[at + 2])})`;
}

/** CSS colours of a cell with a weight as text. */
export function weightCell(scale: ColourScale, weight: number): CellColour {
  const at = shade(weight) * 4;
  return inked([scale[at] ?? 0, scale[at + 1] ?? 0, scale[at + 2] ?? 0]);
}

/** The CSS colours of a cell with this background. */
export function inked([r, g, b]: readonly [number, number, number]): CellColour {
  const background = `rgb(${String(r)} ${String(g)} ${String(b)})`;
  return { background, ink: luminance(r, g, b) > 0.18 ? '#000' : '#fff' };
}

/** The scale as a CSS gradient. */
export function scaleGradient(scale: ColourScale): string {
  const stops = Array.from({ length: 17 }, (_, index) => {
    const at = Math.round((255 * index) / 16) * 4;
    return `rgb(${String(scale[at])} ${String(scale[at + 1])} ${String(scale[at + 2])})`;
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** Converts OKLCH to sRGB (0 to 255, unrounded). Clips below 0 only: canvas and CSS clip above. */
export function oklchToRgb(
  lightness: number,
  chroma: number,
  hue: number,
): [number, number, number] {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (x: number): number =>
    255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
  return [
    gamma(Math.max(0, 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
    gamma(Math.max(0, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
    gamma(Math.max(0, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)),
  ];
}

/** Relative luminance of an sRGB colour (WCAG 2). */
function luminance(r: number, g: number, b: number): number {
  const linear = (value: number): number => {
    const x = value / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
