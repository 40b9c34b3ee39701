/** The key of a loss picture: a name for each curve. */
import type { Words } from '../../i18n/index.ts';
import { randomKey } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';
import { svg } from '../dom.ts';
import { nameLeft } from '../picture-key.ts';
import type { PlacedKey } from '../picture-key.ts';
import type { Attributes, Curves, CurveStyles } from './loss-picture-curves.ts';
import { round } from './loss-picture-frame.ts';

/** Distance between lines of the key, in pixels. */
export const KEY_HEIGHT = 20;

/** An entry of the key. */
export interface KeyEntry {
  readonly name: string;
  readonly attributes: Attributes;
  /** Path of the swatch, from its left end; a line by default. */
  readonly swatch?: string;
}

const LINE = 'h24';
const DOTS = 'm2 0h0m10 -3h0m10 6h0';

export interface KeyOptions {
  readonly words: Words;
  /** Name of the run's curve; if undefined, made from the run's name and the smoothing. */
  readonly name: string | undefined;
  readonly paired: boolean;
}

/** The entries of the key. */
export function keyEntries(
  data: LossData,
  state: LossState,
  { raw, validation }: Curves,
  styles: CurveStyles,
  { words, name, paired }: KeyOptions,
): KeyEntry[] {
  const { t } = words;
  // A smoothed curve needs an extra entry for the raw losses.
  const scattered = state.smoothing > 0 && raw.length > 0;
  const curve = t(state.smoothing === 0 ? 'loss.train' : 'loss.smoothed');
  const run = data.name();
  const ours = name ?? (run === '' ? curve : t('loss.key', { name: run, curve }));
  const heldOut = (of: string): string =>
    paired ? `${of} · ${t('loss.validation')}` : t('loss.validation');
  const dots = { name: t('loss.train'), attributes: styles.scattered, swatch: DOTS };
  return [
    { name: ours, attributes: styles.main },
    ...(scattered ? [dots] : []),
    ...(validation.length > 0 ? [{ name: heldOut(ours), attributes: styles.heldOut }] : []),
    ...styles.others.flatMap((other): KeyEntry[] => {
      if (!paired || other.dots.length === 0) return [other];
      return [other, { name: heldOut(other.name), attributes: other.dashed }];
    }),
    { name: t(randomKey(state.unit)), attributes: styles.random },
  ];
}

/** Draws the entries at their places; `top` is the baseline of the first line. */
export function drawKey(
  keys: readonly PlacedKey[],
  entries: readonly KeyEntry[],
  top: number,
  text: (content: string, left: number, at: number) => SVGElement,
): SVGGElement {
  const key = svg('g', { 'font-size': 13 });
  for (const placed of keys) {
    const at = (row: number): number => top + row * KEY_HEIGHT;
    const { left, line: row, parts } = placed;
    const { swatch = LINE, attributes = {} } = entries[placed.index] ?? {};
    const d = `M${round(left)} ${String(at(row) - 4)}${swatch}`;
    key.append(
      svg('path', { d, fill: 'none', ...attributes }),
      ...parts.map((part, index) => text(part, nameLeft(placed), at(row + index))),
    );
  }
  return key;
}
