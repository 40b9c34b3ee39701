/** Tokens of a written text in boxes, in the colour of their loss. */
import { Fragment } from 'preact';
import { axisLabel, characterLabel } from '../../data/attention-data.ts';
import { groupBytes } from '../../data/byte-groups.ts';
import { LEAST_PROBABILITY } from '../../data/loss-data.ts';
import { chanceText, comingLabel } from '../../data/token-data.ts';
import { lossColour } from '../../kit/loss-colour.ts';
import { colourScale } from '../../kit/weight-colour.ts';
import type { ColourScale } from '../../kit/weight-colour.ts';
import { useWords } from '../component.tsx';
import { tokensOf, unseenTokens } from './sentences.ts';
import type { WrittenText, WrittenToken } from './written-text.ts';

export interface TokenBoxesProps {
  readonly text: WrittenText;
  /** Names of all tokens, prompt first. */
  readonly names: readonly string[];
  /** ln V: the loss of guessing. */
  readonly guessing: number;
  readonly isDark: boolean;
}

export function TokenBoxes({ text, names, guessing, isDark }: TokenBoxesProps) {
  const { prompt } = text.now;
  const scale = colourScale(isDark);
  const tokens = tokensOf(text);
  const unseen = unseenTokens(text);
  const boxes = tokens.map((token, index) => {
    const written = text.tokens[index - prompt.length];
    if (written === undefined) {
      return (
        <span key={index} class="piece given">
          {axisLabel(token)}
        </span>
      );
    }
    const name = names[index] ?? '';
    return <WrittenBox key={index} token={written} name={name} scale={scale} guessing={guessing} />;
  });
  return (
    <div class="written-tokens" translate={false} aria-hidden="true">
      {groupBytes(tokens).map(({ start, end, text: character }) => {
        const group = boxes.slice(start, end);
        const first = tokens[start];
        return (
          <Fragment key={start}>
            {end - start > 1 || first?.kind === 'bytes' ? (
              // Boxes of the bytes of one character, which is named below them.
              <span class="byte-group">
                <span>{group}</span>
                <span class="group-name">{character === '' ? '…' : characterLabel(character)}</span>
              </span>
            ) : (
              group
            )}
            {start < unseen && end >= unseen ? <span class="context-edge" /> : null}
            {first?.text === '\n' ? <span class="line-break" /> : null}
          </Fragment>
        );
      })}
    </div>
  );
}

interface WrittenBoxProps {
  readonly token: WrittenToken;
  readonly name: string;
  readonly scale: ColourScale;
  readonly guessing: number;
}

function WrittenBox({ token: { choice, taken }, name, scale, guessing }: WrittenBoxProps) {
  const words = useWords();
  const loss = -Math.log(Math.max(choice.probability, LEAST_PROBABILITY));
  const { background, ink } = lossColour(scale, loss, guessing);
  return (
    <span
      class={taken ? 'piece taken' : 'piece'}
      style={{ backgroundColor: background, color: ink }}
      title={`${name} ${chanceText(choice.probability, words)}`}
    >
      {comingLabel(choice.token)}
    </span>
  );
}
