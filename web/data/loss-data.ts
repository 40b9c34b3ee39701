/** What the loss chart, its picture and its table are drawn from, and how one looks at it. */
import type { LossHistory, LossPart } from './loss-history.ts';

/** Targets of the loss over the characters that they stand for; NaN when it is not known. */
export interface TokensPerCharacter {
  readonly train: number;
  readonly validation: number;
}

export const UNKNOWN_TOKENS: TokensPerCharacter = { train: NaN, validation: NaN };

/** An earlier run, as a thin line. */
export interface LossLine {
  readonly id: number;
  readonly name: string;
  readonly history: LossHistory;
  readonly tokensPerCharacter: TokensPerCharacter;
  readonly shown: boolean;
  /** Hidden, and of another text or other tokens than the run of now. */
  readonly aside: boolean;
  /** Its text is not that of the curve of now. */
  readonly otherText: boolean;
}

export interface LossData {
  /**
   * What the run is called, and the same as a part of file names: only pictures ask, and steps come
   * in all the time. Empty until the first loss.
   */
  readonly name: () => string;
  readonly file: () => string;
  readonly history: LossHistory;
  /** ln V, or NaN when it is not known. */
  readonly randomLoss: number;
  readonly steps: number;
  /** Whether steps are coming in. */
  readonly training: boolean;
  readonly hasValidation: boolean;
  readonly tokensPerCharacter: TokensPerCharacter;
  /** Earlier runs, the oldest first. */
  readonly lines: readonly LossLine[];
}

/** Nats per token, or bits per character, with which tokenizers compare fairly. */
export type LossUnit = 'nats' | 'bits';

/** What a reader chooses for good. */
export interface LossChoice {
  readonly unit: LossUnit;
  /** Times the usual span of the running mean; 0 for none. */
  readonly smoothing: number;
  readonly logSteps: boolean;
  readonly logLoss: boolean;
  /** Learning rate and gradient below the curve. */
  readonly beneath: boolean;
}

/** How one looks at it. */
export interface LossState extends LossChoice {
  /** The steps in view, from and to; null for all. */
  readonly window: readonly [number, number] | null;
}

/** Strengths of smoothing to choose from, times the usual span. */
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
 * What the engine adds to a probability before it takes the logarithm: no loss is above −ln of it.
 */
export const LEAST_PROBABILITY = 1e-30;

/** The loss of a token at most, in nats. */
export const LARGEST_LOSS = -Math.log(LEAST_PROBABILITY);

/** By such a share do the tokens of a character differ when it is seen in the curves. */
const NOTABLE = 0.02;

/**
 * The unit that can be shown: where nobody knows how long tokens are, there are no bits per
 * character.
 */
export function knownUnit(unit: LossUnit, { train }: TokensPerCharacter): LossUnit {
  return Number.isFinite(train) ? unit : 'nats';
}

/** What is known of the tokens of curves that are drawn together. */
export interface Tokenized {
  readonly tokensPerCharacter: TokensPerCharacter;
  readonly lines: readonly Pick<LossLine, 'shown' | 'tokensPerCharacter'>[];
}

/**
 * The unit in which curves that are drawn together are shown: the wanted one, if it is known, but
 * bits per character where their tokens are not alike. By token, such losses cannot be compared.
 */
export function fairUnit(unit: LossUnit, { tokensPerCharacter: ours, lines }: Tokenized): LossUnit {
  const others = lines.filter(({ shown }) => shown).map((line) => line.tokensPerCharacter.train);
  const differ = others.some((train) => Math.abs(train / ours.train - 1) > NOTABLE);
  return differ ? knownUnit('bits', ours) : knownUnit(unit, ours);
}

/** What a loss in nats per token is to be multiplied with to be shown in `unit`. */
export function unitFactor({ unit }: { unit: LossUnit }, tokensPerCharacter: number): number {
  return unit === 'nats' ? 1 : tokensPerCharacter / Math.LN2;
}

/**
 * Which way bits per character set the validation curve off from the training curve; null for
 * neither.
 */
export function heldOutKey({
  train,
  validation,
}: TokensPerCharacter): 'loss.bits.higher' | 'loss.bits.lower' | null {
  const apart = validation / train - 1;
  if (!(Math.abs(apart) > NOTABLE)) return null;
  return apart > 0 ? 'loss.bits.higher' : 'loss.bits.lower';
}

/** The name of a unit in the catalogue. */
export function unitKey(unit: LossUnit): 'loss.axis.loss' | 'loss.axis.bits' {
  return unit === 'nats' ? 'loss.axis.loss' : 'loss.axis.bits';
}

/** What the line of guessing is called: ln V are nats. */
export function randomKey(unit: LossUnit): 'loss.random' | 'loss.random.bits' {
  return unit === 'nats' ? 'loss.random' : 'loss.random.bits';
}

/** The radius in pixels of a validation loss of an earlier run. */
export const HELD_OUT_DOT = 2;

/** Pixels from one dot to the next, at least. */
const DOTS_APART = 12;

/** Whether this many dots on a line so wide stand apart. */
export function dotsApart(width: number, count: number): boolean {
  return width >= DOTS_APART * (count - 1);
}

/** Dashes of earlier lines, in CSS pixels: told apart without colour. */
const DASHES = [
  [8, 3],
  [2, 3],
  [8, 3, 2, 3],
  [14, 4],
  [4, 4],
  [12, 3, 2, 3, 2, 3],
] as const;
/** The theme has as many colours for them, `--line-1` and on. */
const COLOURS = 4;

/** The dash and the number of the colour of an earlier line. */
export function lineStyle(id: number): { dash: readonly number[]; colour: number } {
  return { dash: DASHES[id % DASHES.length] ?? [], colour: 1 + (id % COLOURS) };
}

/** The last step of the longest line that is shown. */
export function longestOf({ history, lines }: LossData): number {
  const shown = lines.filter((line) => line.shown);
  return Math.max(history.length, ...shown.map((line) => line.history.length));
}

/**
 * Around which step to zoom when nobody says where, and what to take for the part in view now:
 * around `chosen` where it is in view; else the newest step while the run trains, and otherwise the
 * middle of what is drawn, on a logarithmic axis too.
 */
export function zoomPlace(
  data: LossData,
  look: LossState,
  chosen: number | null,
): { readonly step: number; readonly range: readonly [number, number] } {
  const [low, end] = stepRange(data, look);
  const newest = data.history.length;
  // The axis may reach ahead of the curve.
  const high = Math.min(end, Math.max(longestOf(data), low + 1));
  const range = [low, high] as const;
  if (chosen !== null && chosen >= low && chosen <= high) return { step: chosen, range };
  if (data.training && newest >= low && newest <= high) return { step: newest, range };
  return { step: middleOf(range, look), range };
}

function middleOf([low, high]: readonly [number, number], { logSteps }: LossState): number {
  return logSteps ? Math.sqrt(Math.max(1, low) * high) : (low + high) / 2;
}

/** The steps on the axis: those in view, or all up to a round one not far ahead. */
export function stepRange(data: LossData, look: LossState): [number, number] {
  if (look.window !== null) return [look.window[0], look.window[1]];
  const { steps } = data;
  const longest = longestOf(data);
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(100, longest)));
  const rungs = [1, 2, 5, 10].map((rung) => rung * magnitude);
  const ahead = rungs.find((rung) => rung >= longest) ?? longest;
  const end = longest === 0 ? steps : Math.min(Math.max(steps, longest), ahead);
  return [look.logSteps ? 1 : 0, Math.max(end, longest, 10)];
}

/** The part of a curve to draw for these steps on the axis. */
export function partOf(look: LossState, [from, to]: readonly [number, number]): LossPart {
  const { smoothing, logSteps } = look;
  return { from: Math.max(1, from), to, smoothing, logSteps };
}

/** Fewer values than these have no usual height. */
const FEWEST_USUAL = 10;
/** A loss that many times the usual height is a spike that would flatten all else. */
const SPIKE = 2.5;

/**
 * The top of a chart that begins at 0: just above the highest value, or, where a fiftieth of them
 * stand far above all others, above those others.
 */
export function readableTop(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  const sorted = known.filter(Number.isFinite).sort((a, b) => a - b);
  const highest = sorted.at(-1) ?? 0;
  if (!(highest > 0)) return 1;
  // At least one of them may be a spike.
  const few = Math.max(1, Math.ceil(sorted.length / 50));
  const usual = sorted.at(-1 - few) ?? highest;
  const spiky = sorted.length >= FEWEST_USUAL && usual > 0 && highest > SPIKE * usual;
  return (spiky ? 1.5 * usual : highest) * 1.1;
}

/**
 * The top of the chart of gradient norms: the same on either axis, though a logarithmic one draws
 * few of the later steps. `most` steps, each as far from the next, tell what is usual.
 */
export function normTopOf(history: LossHistory, part: LossPart, most: number): number {
  return readableTop(history.columns(most, { ...part, logSteps: false }).norms);
}

/** Points on screen: more would not be seen, and would be drawn in vain. */
export const MOST_POINTS = 1500;
/** Losses this many times above the top of the picture are marked there. */
const FAR_ABOVE = 1.15;

/**
 * Steps in view whose losses are far above the top of the picture: not every one of many has a dot.
 */
export function lossesAbove(
  data: LossData,
  look: LossState,
  top: number,
): ReturnType<LossHistory['above']> {
  const highest = (FAR_ABOVE * top) / unitFactor(look, data.tokensPerCharacter.train);
  const { history } = data;
  // Nearly all runs: nothing to look for.
  if (!(history.highest > highest)) return [];
  return history.above('losses', highest, partOf(look, stepRange(data, look)));
}

/** A range that holds all these values with a little air; positive on a logarithmic axis. */
export function lossRange(values: readonly number[], look: LossState): [number, number] {
  const known = values.filter((value) => Number.isFinite(value) && (!look.logLoss || value > 0));
  if (known.length === 0) return look.logLoss ? [1, 4] : [0, 4];
  let bottom = Infinity;
  let top = -Infinity;
  for (const value of known) {
    bottom = Math.min(bottom, value);
    top = Math.max(top, value);
  }
  if (look.logLoss) {
    const air = Math.max(1.03, (top / bottom) ** 0.06);
    return [bottom / air, top * air];
  }
  const zoomed = look.window !== null;
  // Before the first loss there is only the line: leave room for the curve below it.
  if (!zoomed && top - bottom < 0.5) return [Math.max(0, bottom - top * 0.4), top * 1.15];
  const air = Math.max(1e-6, (top - bottom) * 0.06);
  return [Math.max(0, bottom - air), top + air];
}
