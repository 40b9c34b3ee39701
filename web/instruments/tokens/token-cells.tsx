/** Tokens of one page as a group of radio buttons, each in the colour of its loss. */
import { Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import { TRACES } from '../../base/form.ts';
import { axisLabel, characterLabel } from '../../data/attention-data.ts';
import { groupBytes } from '../../data/byte-groups.ts';
import { comingLabel } from '../../data/token-data.ts';
import type { AllWords } from '../../i18n/index.ts';
import { gainColour, lossColour } from '../../kit/loss-colour.ts';
import type { CellColour } from '../../kit/weight-colour.ts';
import { drawChanges } from '../../kit/render.ts';
import { colourScale } from '../../kit/weight-colour.ts';
import { useWords } from '../component.tsx';
import { gainOf } from './named-token.ts';
import type { NamedToken } from './named-token.ts';

export interface TokenCellsProps {
  /** All tokens; those from `start` to `end` are shown. */
  readonly tokens: readonly NamedToken[];
  readonly start: number;
  readonly end: number;
  readonly chosen: number;
  /** The loss of guessing. */
  readonly guessing: number;
  readonly isDark: boolean;
  /** Id of the instructions for the cells. */
  readonly describedBy: string;
  readonly onChoose: (index: number) => void;
}

export function TokenCells(props: TokenCellsProps) {
  const { tokens, start, end, chosen, guessing, isDark, describedBy, onChoose } = props;
  const { t } = useWords();
  const root = useRef<HTMLDivElement>(null);
  const shown = tokens.slice(start, end);
  const scale = colourScale(isDark);
  const colourOf = (one: NamedToken): CellColour | null => {
    const gain = gainOf(one);
    if (TRACES && gain !== null) return gainColour(gain, guessing, isDark);
    return one.score === null ? null : lossColour(scale, one.score.loss, guessing);
  };
  /** Key handling of radio groups: one Tab stop, arrows move the choice. */
  const press = (event: KeyboardEvent): void => {
    const cells = [...root.current!.querySelectorAll<HTMLElement>('[role=radio]')];
    const moves: Readonly<Record<string, () => number>> = {
      ArrowRight: () => Math.min(tokens.length - 1, chosen + 1),
      ArrowLeft: () => Math.max(0, chosen - 1),
      ArrowDown: () => start + neighbour(cells, chosen - start, 1),
      ArrowUp: () => start + neighbour(cells, chosen - start, -1),
      Home: () => 0,
      End: () => tokens.length - 1,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    onChoose(move());
    drawChanges();
    root.current?.querySelector<HTMLElement>('[aria-checked=true]')?.focus();
  };
  return (
    <div
      ref={root}
      class="token-cells"
      translate={false}
      role="radiogroup"
      aria-label={t('tokens.cells')}
      aria-describedby={describedBy}
      onKeyDown={press}
    >
      {groupBytes(shown.map(({ token }) => token)).map((group) => {
        const cells = shown
          .slice(group.start, group.end)
          .map((one, at) => (
            <Cell
              key={at}
              one={one}
              colour={colourOf(one)}
              isChosen={start + group.start + at === chosen}
              onChoose={() => onChoose(start + group.start + at)}
            />
          ));
        const { token, score } = shown[group.start]!;
        const begins = token.kind === 'bos' && score === null && group.start > 0;
        return (
          <Fragment key={group.start}>
            {begins ? <LineBreak /> : null}
            {cells.length === 1 && token.kind !== 'bytes' ? (
              cells
            ) : (
              // One cell per byte of a character, and the character below the cells.
              <span class="byte-group">
                <span>{cells}</span>
                <span class="group-name" aria-hidden="true">
                  {group.text === '' ? '�' : characterLabel(group.text)}
                </span>
              </span>
            )}
            {token.text === '\n' ? <LineBreak /> : null}
          </Fragment>
        );
      })}
    </div>
  );
}

interface CellProps {
  readonly one: NamedToken;
  readonly colour: CellColour | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Cell({ one, colour, isChosen, onChoose }: CellProps) {
  const words = useWords();
  const { number } = words;
  const { token, score } = one;
  const gain = gainOf(one);
  const loss = score === null ? '·' : number(score.loss, 1);
  return (
    <button
      type="button"
      role="radio"
      class="token-cell"
      aria-label={cellName(one, words)}
      aria-checked={isChosen}
      tabIndex={isChosen ? 0 : -1}
      style={colour === null ? {} : { backgroundColor: colour.background, color: colour.ink }}
      onClick={onChoose}
    >
      <span class="glyph">{score === null ? axisLabel(token) : comingLabel(token)}</span>
      <span class="cell-loss">{TRACES && gain !== null ? signed(gain, words) : loss}</span>
    </button>
  );
}

function cellName({ name, score, byTable }: NamedToken, { t, number }: AllWords): string {
  if (score === null) return t('tokens.cell.first', { name });
  const loss = number(score.loss, 2);
  if (byTable === null) return t('tokens.cell', { loss, name });
  return t('tokens.cell.table', { loss, table: number(byTable, 2), name });
}

/** Starts a new line. */
function LineBreak() {
  return <span class="line-break" aria-hidden="true" />;
}

/** Index of the nearest cell in the line above (-1) or below (1); `index` if there is no line. */
function neighbour(cells: readonly HTMLElement[], index: number, direction: 1 | -1): number {
  const at = cells[index]?.getBoundingClientRect();
  let best = index;
  if (at === undefined) return best;
  let distance = Infinity;
  for (const [other, cell] of cells.entries()) {
    const box = cell.getBoundingClientRect();
    const down = (box.top - at.top) * direction;
    if (down < box.height / 2) continue;
    const far = down * 1000 + Math.abs(box.left + box.width / 2 - at.left - at.width / 2);
    if (far < distance) [best, distance] = [other, far];
  }
  return best;
}

/** A difference with its sign; unsigned for 0. */
function signed(gain: number, { number }: AllWords): string {
  const tenths = Math.round(10 * gain) / 10;
  return `${tenths > 0 ? '+' : ''}${number(tenths === 0 ? 0 : tenths, 1)}`;
}
