/** The tokens of a text with their losses as a picture that leaves the page. */
import type { AllWords } from '../../i18n/index.ts';
import { axisLabel } from '../../data/attention-data.ts';
import { colourScale } from '../../kit/weight-colour.ts';
import { svg } from '../../kit/dom.ts';
import { lossColour } from '../../kit/loss-colour.ts';
import { LIGHT, PICTURE_FONT } from '../../kit/palette.ts';
import {
  PICTURE_MARGIN as MARGIN,
  PICTURE_MONO as MONO,
  PICTURE_WIDTH as WIDTH,
  pictureFrame,
  pictureText,
} from '../../kit/picture-frame.ts';
import { characterMarks } from '../../kit/row-labels.ts';
import { comingLabel } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';

const TITLE = 64;
const CELL = 38;
const GAP = 3;
/** Widths of a letter of the Latin kind and of one that is as wide as high. */
const NARROW = 9;
const WIDE = 15;

export interface TokenPictureOptions {
  readonly tokens: readonly ScoredToken[];
  /** The loss of guessing, which sets the colours. */
  readonly guessing: number;
  readonly title: string;
  readonly words: AllWords;
}

/** Below bytes: the room for a line and the character that they are together. */
const BRACKET = 18;

/**
 * One cell a token, in lines as in the text; the number is the loss. Bytes have their character
 * below.
 */
export function tokenLossesPicture({
  tokens,
  guessing,
  title,
  words,
}: TokenPictureOptions): SVGSVGElement {
  const scale = colourScale(false);
  const cells: SVGElement[] = [];
  const characters = characterMarks(tokens.map(({ token }) => token));
  const below = characters.length > 0 ? BRACKET : 0;
  let [x, y] = [MARGIN, TITLE];
  const newLine = (): void => {
    x = MARGIN;
    y += CELL + below + GAP;
  };
  const labelOf = ({ token, score }: ScoredToken): string =>
    score === null ? axisLabel(token) : comingLabel(token);
  const widthOf = (token: ScoredToken): number => Math.max(28, textWidth(labelOf(token)) + 10);
  for (const [index, one] of tokens.entries()) {
    const { token, score } = one;
    const [label, width] = [labelOf(one), widthOf(one)];
    const character = characters.find(({ start }) => start === index);
    // The bytes of a character stay on a line.
    const parts = tokens.slice(index, character?.end ?? index + 1);
    const room = parts.reduce((sum, part) => sum + widthOf(part) + GAP, -GAP);
    // A document begins a line, and so does what comes after a line break.
    const begins = score === null && token.kind === 'bos' && index > 0;
    if (begins || x + room > WIDTH - MARGIN) newLine();
    if (character !== undefined) {
      const line = { x, y: y + CELL + 2, width: room, height: 1, fill: LIGHT.muted };
      cells.push(
        svg('rect', line),
        pictureText(character.label, {
          ...{ x: x + room / 2, y: y + CELL + BRACKET - 2, 'text-anchor': 'middle' },
          ...{ 'font-size': 13, fill: LIGHT.ink },
        }),
      );
    }
    const colour =
      score === null
        ? { background: LIGHT.paper, ink: LIGHT.ink }
        : lossColour(scale, score.loss, guessing);
    const text = (at: number, size: number, font: string, shown: string): SVGElement =>
      svg(
        'text',
        { x: width / 2, y: at, 'font-size': size, 'font-family': font, fill: colour.ink },
        shown,
      );
    cells.push(
      svg(
        'g',
        { transform: `translate(${String(x)} ${String(y)})`, 'text-anchor': 'middle' },
        svg('rect', {
          ...{ width, height: CELL, rx: 4, fill: colour.background, stroke: LIGHT.grid },
        }),
        text(17, 15, MONO, label),
        text(31, 11, PICTURE_FONT, score === null ? '·' : words.number(score.loss, 1)),
      ),
    );
    x += width + GAP;
    if (token.text === '\n') newLine();
  }
  const height = (x === MARGIN ? y : y + CELL + below) + MARGIN;
  return pictureFrame({ title, note: words.t('picture.tokens.key'), height }, ...cells);
}

/** About as wide as the letters of `text` are at 15 pixels. */
function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += (letter.codePointAt(0) ?? 0) > 0x2e80 ? WIDE : NARROW;
  return width;
}
