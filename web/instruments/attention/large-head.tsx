/**
 * One large head: its habit, its map and arcs, which highlight the same row, and further figures.
 */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Cell } from '../../base/cell.ts';
import type { Attention } from '../../engine/trainer.ts';
import { useLoaded } from '../../kit/use-loaded.ts';
import { KeptFold, useFirstInstrument } from '../component.tsx';
import { useHabits } from './habits.tsx';
import { MoreOfHead } from './more-of-head.tsx';
import { ColumnView, WideView } from './shown-head.ts';
import type { ShownHead } from './shown-head.ts';
import { standoutText } from './standout.ts';
import { WeightMap } from './weight-map.tsx';

interface LargeHeadProps {
  readonly shown: ShownHead;
  readonly attention: Attention;
  readonly isWide: boolean;
  /** The button that enlarges the panel. */
  readonly enlarge: ComponentChildren;
  /** Content below the pictures. */
  readonly children: ComponentChildren;
}

export function LargeHead({ shown, attention, isWide, enlarge, children }: LargeHeadProps) {
  const { words, kept } = useFirstInstrument();
  const { shape, row } = kept(isWide ? WideView : ColumnView);
  const size = attention.tokens.length;
  const read = row.value < 0 || row.value >= size ? size - 1 : row.value;
  const hasMap = isWide || shape.value === 'map';
  const hasArcs = isWide || shape.value === 'arcs';
  // The arcs load apart, because the map is shown at first.
  const Arcs = useLoaded(() => import('./head-arcs.tsx'), hasArcs)?.HeadArcs ?? null;
  const last = useRef<Cell | null>(null);
  const whole = useRef<(() => HTMLCanvasElement) | null>(null);
  const arcs = useRef<SVGSVGElement>(null);
  const habits = useHabits(shown);
  const onRow = (next: number): void => {
    row.value = next;
  };
  const head = { attention, chosen: shown.chosen, read, isWide };
  const more = () => (
    <MoreOfHead
      {...head}
      past={shown.past}
      habits={habits}
      shape={shape}
      pictures={{ map: hasMap ? whole : null, arcs: hasArcs ? arcs : null, last }}
    />
  );
  return (
    <>
      <p class="verdict" data-part="habit">
        {standoutText(attention, habits.first, shown.chosen, words)}
      </p>
      <div class="attention-pictures">
        <div>{hasMap ? <WeightMap {...head} onRow={onRow} last={last} whole={whole} /> : null}</div>
        <div>
          {hasArcs && Arcs !== null ? <Arcs {...head} onRow={onRow} element={arcs} /> : null}
        </div>
      </div>
      {children}
      {isWide ? (
        more()
      ) : (
        <KeptFold name="attention.more" kind="attention-more" title={words.t('attention.more')}>
          {() => (
            <>
              {enlarge}
              {more()}
            </>
          )}
        </KeptFold>
      )}
    </>
  );
}
