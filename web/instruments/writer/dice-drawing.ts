/** The line of the dice as a picture that leaves the page. */
import type { AllWords } from '../../i18n/index.ts';
import type { DicePart } from './dice-strip.ts';
import { svg } from '../../kit/dom.ts';
import { LIGHT } from '../../kit/palette.ts';
import {
  PICTURE_MARGIN,
  PICTURE_MONO,
  PICTURE_WIDTH,
  pictureFrame,
  pictureNumber,
  pictureText,
} from '../../kit/picture-frame.ts';
import { comingLabel } from '../../data/token-data.ts';

const TOP = 84;
const HEIGHT = 44;
const PART = '#cde3c7';
/** Parts that are narrower than this many pixels have no room for a name. */
const NAMED = 14;

export interface DiceDrawingData {
  /** In the order of their places. */
  readonly parts: readonly DicePart[];
  /** The id of the token that was hit; -1 for none. */
  readonly hit: number;
  /** Where the number fell; NaN when none was drawn. */
  readonly uniform: number;
  /** What happened, in a sentence. */
  readonly sentence: string;
}

/** The parts of the line, and the place where the number fell. */
export function diceDrawing(
  { parts, hit, uniform, sentence }: DiceDrawingData,
  words: AllWords,
): SVGSVGElement {
  const width = PICTURE_WIDTH - 2 * PICTURE_MARGIN;
  const x = (share: number): string => pictureNumber(PICTURE_MARGIN + share * width);
  const shapes: SVGElement[] = [
    svg('rect', { x: x(0), y: TOP, width, height: HEIGHT, fill: LIGHT.grid }),
  ];
  for (const { token, start, adjusted } of parts) {
    const isHit = token.id === hit;
    const wide = adjusted * width;
    shapes.push(
      svg('rect', {
        ...{ x: x(start), y: TOP, height: HEIGHT, fill: isHit ? LIGHT.accent : PART },
        width: pictureNumber(Math.max(0.25, wide - Math.min(1, wide / 4))),
      }),
    );
    const label = comingLabel(token);
    if (wide >= NAMED * Math.max(1, label.length * 0.7)) {
      shapes.push(
        pictureText(label, {
          ...{ x: x(start + adjusted / 2), y: TOP + 27, 'text-anchor': 'middle' },
          ...{ 'font-family': PICTURE_MONO, 'font-size': 14 },
          fill: isHit ? LIGHT.paper : LIGHT.ink,
        }),
      );
    }
  }
  if (!Number.isNaN(uniform)) {
    const at = PICTURE_MARGIN + uniform * width;
    const corner = (along: number, y: number): string =>
      `${pictureNumber(at + along)} ${String(y)}`;
    shapes.push(
      svg('rect', {
        ...{ x: pictureNumber(at - 1.5), y: TOP - 6, width: 3, height: HEIGHT + 12 },
        ...{ fill: LIGHT.ink, stroke: LIGHT.paper, 'stroke-width': 0.5 },
      }),
      svg('path', {
        d: `M${corner(-6, TOP - 14)}L${corner(6, TOP - 14)}L${corner(0, TOP - 5)}z`,
        fill: LIGHT.ink,
      }),
    );
  }
  const below = TOP + HEIGHT + 20;
  shapes.push(
    pictureText('0', { x: x(0), y: below }),
    pictureText('1', { x: x(1), y: below, 'text-anchor': 'end' }),
  );
  const title = words.t('write.dice');
  return pictureFrame({ title, note: sentence, height: below + PICTURE_MARGIN }, ...shapes);
}
