/** The map of the large head, with the weight of the selected cell and the colour key. */
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Cell } from '../../base/cell.ts';
import { headWeights } from '../../data/attention-data.ts';
import { capitalised, sentences } from '../../i18n/index.ts';
import { HeadMap } from '../../kit/head-map.tsx';
import { hint } from '../../kit/hint.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import { SteadyText } from '../../kit/steady-text.tsx';
import {
  colourScale,
  cssColour,
  placeOfWeight,
  scaleGradient,
  WEIGHT_TICKS,
} from '../../kit/weight-colour.ts';
import { useFirstInstrument } from '../component.tsx';
import { headName } from './shown-head.ts';
import type { HeadProps } from './shown-head.ts';

interface WeightMapProps extends HeadProps {
  readonly onRow: (row: number) => void;
  /** Set to the cell selected last. */
  readonly last: RefObject<Cell | null>;
  /** See HeadMap. */
  readonly whole: RefObject<(() => HTMLCanvasElement) | null>;
}

export function WeightMap({ attention, chosen, read, isWide, ...rest }: WeightMapProps) {
  const { words, actions, isDark } = useFirstInstrument();
  const { t, number, short } = words;
  const [cell, setCell] = useState<Cell | null>(null);
  const [spoken, speak] = useState('');
  const [goesSideways, setSideways] = useState(false);
  const { tokens } = attention;
  const weights = headWeights(attention, chosen);
  const scale = colourScale(isDark());
  // The arcs may have selected another row since.
  const pointed =
    cell === null || cell.row >= tokens.length
      ? null
      : { row: read, column: Math.min(cell.column, read) };
  const point = (next: Cell | null): void => {
    setCell(next);
    if (next === null) return;
    rest.last.current = next;
    rest.onRow(next.row);
  };
  const sentence = ({ row, column }: Cell): string => {
    const names = spokenLabels(tokens, words);
    const [from, to] = [names[row] ?? '', names[column] ?? ''];
    const weight = number(weights[row * tokens.length + column] ?? 0, 3);
    const place = { from, row: row + 1, to, column: column + 1 };
    return capitalised(t('attention.weight', { ...place, weight }));
  };
  const sideways = goesSideways ? t('attention.sideways') : '';
  const howTo = sentences([hint(words, 'attention.hint'), sideways], words);
  return (
    <div class="map-box">
      <HeadMap
        tokens={tokens}
        weights={weights}
        colour={(weight) => cssColour(scale, weight)}
        pointed={pointed}
        read={read}
        isWide={isWide}
        whole={rest.whole}
        label={`${headName(chosen, words)}. ${t('attention.keys')}`}
        onPoint={(next, isPressed) => {
          point(next);
          if (isPressed && next !== null) actions.onWeightRead(sentence(next));
        }}
        onMove={(next) => {
          point(next);
          speak(sentence(next));
          actions.onWeightRead(sentence(next));
        }}
        onDrawn={setSideways}
      >
        <SteadyText class="readout" data-part="attention-readout">
          {pointed === null ? howTo : sentence(pointed)}
        </SteadyText>
      </HeadMap>
      <div class="scale-row">
        <span>{t('attention.scale')}</span>
        <span class="scale">
          <span class="scale-bar" aria-hidden="true" style={{ background: scaleGradient(scale) }} />
          {WEIGHT_TICKS.map((weight) => (
            <span
              key={weight}
              class="scale-tick"
              style={{ left: `${String(100 * placeOfWeight(weight))}%` }}
            >
              {short(weight)}
            </span>
          ))}
        </span>
      </div>
      {/* Weights are not announced while the pointer moves, which is too fast for speech. */}
      <p class="visually-hidden" aria-live="polite">
        {spoken}
      </p>
    </div>
  );
}
