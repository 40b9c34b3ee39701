/** Input of the loss chart, its picture and its table: settings, units, scales and zoom. */
import type { LossHistory, LossPart } from './loss-history.ts';

/** Target tokens per character of each part of the text; NaN if unknown. */
export interface TokensPerCharacter {
  readonly train: number;
  readonly validation: number;
}

export const UNKNOWN_TOKENS: TokensPerCharacter = { train: NaN, validation: NaN };

/** An earlier run, drawn as a thin line. */
export interface LossLine {
  readonly id: number;
  readonly name: string;
  readonly history: LossHistory;
  readonly tokensPerCharacter: TokensPerCharacter;
  readonly shown: boolean;
  /** The page hides the line, because text or tokens differ from the current run. */
  readonly aside: boolean;
  /** Its text differs from that of the current run. */
  readonly otherText: boolean;
}

export interface LossData {
  /**
   * Names of the run on the page and in file names; '' without a run. Functions, because only
   * pictures need the names, while this object is created for every update.
   */
  readonly name: () => string;
  readonly file: () => string;
  readonly history: LossHistory;
  /** ln V; NaN if unknown. */
  readonly randomLoss: number;
  readonly steps: number;
  /** Whether the run is training now. */
  readonly training: boolean;
  readonly hasValidation: boolean;
  readonly tokensPerCharacter: TokensPerCharacter;
  /** Earlier runs, oldest first. */
  readonly lines: readonly LossLine[];
}

/** Nats per token, or bits per character; only bits compare different tokenizers fairly. */
export type LossUnit = 'nats' | 'bits';

/** View settings that are saved. */
export interface LossChoice {
  readonly unit: LossUnit;
  /** Factor on the default span of the running mean; 0 draws no mean. */
  readonly smoothing: number;
  readonly logSteps: boolean;
  readonly logLoss: boolean;
  /** Whether learning rate and gradient norm are drawn below the losses. */
  readonly beneath: boolean;
}

/** All view settings. */
export interface LossState extends LossChoice {
  /** First and last visible step; null shows all. */
  readonly window: readonly [number, number] | null;
}

/** The selectable values of `smoothing`. */
export const SMOOTHINGS: readonly number[] = [0, 0.4, 1, 2.5, 6];

export const PLAIN_CHOICE: LossChoice = {
  unit: 'nats',
  smoothing: 1,
  logSteps: false,
  logLoss: false,
  beneath: false,
};

export const PLAIN_LOOK: LossState = { ...PLAIN_CHOICE, window: null };

/**
 * The engine adds this to a probability before taking the logarithm: losses stay below −ln of it.
 */
export const LEAST_PROBABILITY = 1e-30;

/** Largest possible loss of a token, in nats. */
export const LARGEST_LOSS = -Math.log(LEAST_PROBABILITY);

/**
 * Relative difference of two values of tokens per character above which their curves visibly shift.
 */
const NOTABLE = 0.02;

/** `unit`, or nats if tokens per character are unknown. */
export function knownUnit(unit: LossUnit, { train }: TokensPerCharacter): LossUnit {
  return Number.isFinite(train) ? unit : 'nats';
}

/** The tokens per character of all curves in one chart. */
export interface Tokenized {
  readonly tokensPerCharacter: TokensPerCharacter;
  readonly lines: readonly Pick<LossLine, 'shown' | 'tokensPerCharacter'>[];
}

/**
 * The unit for curves in one chart: bits per character if their tokens differ in length, because
 * losses per token would not compare; otherwise `unit`.
 */
export function fairUnit(unit: LossUnit, { tokensPerCharacter: ours, lines }: Tokenized): LossUnit {
  const others = lines.filter(({ shown }) => shown).map((line) => line.tokensPerCharacter.train);
  const differ = others.some((train) => Math.abs(train / ours.train - 1) > NOTABLE);
  return differ ? knownUnit('bits', ours) : knownUnit(unit, ours);
}

/** Factor from nats per token to `unit`. */
export function unitFactor({ unit }: { unit: LossUnit }, tokensPerCharacter: number): number {
  return unit === 'nats' ? 1 : tokensPerCharacter / Math.LN2;
}

/**
 * Catalogue key for how bits per character move the validation curve against the training curve;
 * null if the shift is below NOTABLE.
 */
export function heldOutKey({
  train,
  validation,
}: TokensPerCharacter): 'loss.bits.higher' | 'loss.bits.lower' | null {
  const apart = validation / train - 1;
  if (!(Math.abs(apart) > NOTABLE)) return null;
  return apart > 0 ? 'loss.bits.higher' : 'loss.bits.lower';
}

/** Catalogue key of a unit. */
export function unitKey(unit: LossUnit): 'loss.axis.loss' | 'loss.axis.bits' {
  return unit === 'nats' ? 'loss.axis.loss' : 'loss.axis.bits';
}

/** Catalogue key of the line at the loss of random guessing; ln V holds in nats only. */
export function randomKey(unit: LossUnit): 'loss.random' | 'loss.random.bits' {
  return unit === 'nats' ? 'loss.random' : 'loss.random.bits';
}

/** Radius in pixels of the dot for a validation loss of an earlier run. */
export const HELD_OUT_DOT = 2;

/** Smallest distance between the centres of two dots, in pixels. */
const DOTS_APART = 12;

/** Whether `count` dots fit on a line of `width` pixels without touching. */
export function dotsApart(width: number, count: number): boolean {
  return width >= DOTS_APART * (count - 1);
}

/** Dash patterns of earlier runs in CSS pixels, so that colour is not the only difference. */
const DASHES = [
  [8, 3],
  [2, 3],
  [8, 3, 2, 3],
  [14, 4],
  [4, 4],
  [12, 3, 2, 3, 2, 3],
] as const;
/** Number of line colours in the theme (`--line-1` …). */
const COLOURS = 4;

/** Dash pattern, and number of the theme colour from 1, for the earlier run `id`. */
export function lineStyle(id: number): { dash: readonly number[]; colour: number } {
  return { dash: DASHES[id % DASHES.length] ?? [], colour: 1 + (id % COLOURS) };
}

/** Last step of the longest visible curve, including the current run's. */
export function longestOf({ history, lines }: LossData): number {
  const shown = lines.filter((line) => line.shown);
  return Math.max(history.length, ...shown.map((line) => line.history.length));
}

/**
 * Default centre of a zoom, and the visible steps that have a curve. The centre is `chosen` if
 * visible, else the newest step while training, else the middle of the axis (linear or
 * logarithmic).
 */
export function zoomPlace(
  data: LossData,
  state: LossState,
  chosen: number | null,
): { readonly step: number; readonly range: readonly [number, number] } {
  const [low, end] = stepRange(data, state);
  const newest = data.history.length;
  // The axis may extend beyond the curve.
  const high = Math.min(end, Math.max(longestOf(data), low + 1));
  const range = [low, high] as const;
  if (chosen !== null && chosen >= low && chosen <= high) return { step: chosen, range };
  if (data.training && newest >= low && newest <= high) return { step: newest, range };
  return { step: middleOf(range, state), range };
}

function middleOf([low, high]: readonly [number, number], { logSteps }: LossState): number {
  return logSteps ? Math.sqrt(Math.max(1, low) * high) : (low + high) / 2;
}

/**
 * First and last step of the axis: `window`, else the whole run; but after the first step no
 * further than 100, or than the next 1, 2 or 5 times a power of ten if a curve is longer.
 */
export function stepRange(data: LossData, state: LossState): [number, number] {
  if (state.window !== null) return [state.window[0], state.window[1]];
  const { steps } = data;
  const longest = longestOf(data);
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(100, longest)));
  const rungs = [1, 2, 5, 10].map((rung) => rung * magnitude);
  const ahead = rungs.find((rung) => rung >= longest) ?? longest;
  const end = longest === 0 ? steps : Math.min(Math.max(steps, longest), ahead);
  return [state.logSteps ? 1 : 0, Math.max(end, longest, 10)];
}

/** The part of a curve to draw for a range of the step axis. */
export function partOf(state: LossState, [from, to]: readonly [number, number]): LossPart {
  const { smoothing, logSteps } = state;
  return { from: Math.max(1, from), to, smoothing, logSteps };
}

/** Minimum number of values to distinguish a spike from usual values. */
const FEWEST_USUAL = 10;
/** A maximum above this multiple of the maximum without the highest 2 % is a spike. */
const SPIKE = 2.5;

/**
 * Top of a chart that begins at 0: just above the highest value, or above all but the highest 2 %
 * if the highest value is a spike.
 */
export function readableTop(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  const sorted = known.filter(Number.isFinite).sort((a, b) => a - b);
  const highest = sorted.at(-1) ?? 0;
  if (!(highest > 0)) return 1;
  // At least one value, or a short run could have no spike.
  const few = Math.max(1, Math.ceil(sorted.length / 50));
  const usual = sorted.at(-1 - few) ?? highest;
  const spiky = sorted.length >= FEWEST_USUAL && usual > 0 && highest > SPIKE * usual;
  return (spiky ? 1.5 * usual : highest) * 1.1;
}

/**
 * Top of the gradient-norm chart. Computed from about `most` evenly spaced steps even on a
 * logarithmic axis, so that both kinds of axis have the same top.
 */
export function normTopOf(history: LossHistory, part: LossPart, most: number): number {
  return readableTop(history.columns(most, { ...part, logSteps: false }).norms);
}

/** Most points of a curve: more would not be visible. */
export const MOST_POINTS = 1500;
/** A loss above this multiple of the chart's top gets a mark at the top. */
const FAR_ABOVE = 1.15;

/**
 * Visible steps with losses far above `top`, the top of the chart, including steps without a point.
 */
export function lossesAbove(
  data: LossData,
  state: LossState,
  top: number,
): ReturnType<LossHistory['above']> {
  const highest = (FAR_ABOVE * top) / unitFactor(state, data.tokensPerCharacter.train);
  const { history } = data;
  // Nearly every run stays below, which saves the search.
  if (!(history.highest > highest)) return [];
  return history.above('losses', highest, partOf(state, stepRange(data, state)));
}

/** Range that contains all values and a margin; positive on a logarithmic axis. */
export function lossRange(values: readonly number[], state: LossState): [number, number] {
  const known = values.filter((value) => Number.isFinite(value) && (!state.logLoss || value > 0));
  if (known.length === 0) return state.logLoss ? [1, 4] : [0, 4];
  let bottom = Infinity;
  let top = -Infinity;
  for (const value of known) {
    bottom = Math.min(bottom, value);
    top = Math.max(top, value);
  }
  if (state.logLoss) {
    const air = Math.max(1.03, (top / bottom) ** 0.06);
    return [bottom / air, top * air];
  }
  const zoomed = state.window !== null;
  // Before the first loss there is only the line of random guessing: leave room below it.
  if (!zoomed && top - bottom < 0.5) return [Math.max(0, bottom - top * 0.4), top * 1.15];
  const air = Math.max(1e-6, (top - bottom) * 0.06);
  return [Math.max(0, bottom - air), top + air];
}
