/**
 * Changes of one head's attention from step A to step B: a map, a sentence on the pointed cell, and
 * a table of the largest changes.
 */
import { useMemo, useState } from 'preact/hooks';
import type { Cell } from '../../base/cell.ts';
import { placeWithin } from '../../data/attention-data.ts';
import type { HeadPlace } from '../../data/attention-data.ts';
import type { Attention } from '../../engine/trainer.ts';
import { capitalised } from '../../i18n/index.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { HeadMap } from '../../kit/head-map.tsx';
import { hint } from '../../kit/hint.ts';
import { gainGradient } from '../../kit/loss-colour.ts';
import { listLabels, spokenLabels } from '../../kit/row-labels.ts';
import { SteadyText } from '../../kit/steady-text.tsx';
import { valueColours } from '../../kit/value-colour.ts';
import { KeptFold, useInstrument } from '../component.tsx';
import { headChange, signed } from './changes.ts';
import type { WeightChange } from './changes.ts';

/** Minimum end of the colour scale: if all changes are smaller, all cells stay pale. */
const LEAST_RANGE = 0.1;
/** Number of changes in the table. */
const ROWS = 20;

export interface ChangeMapProps {
  readonly before: Attention;
  readonly after: Attention;
  readonly head: HeadPlace;
}

export function ChangeMap({ before, after, head }: ChangeMapProps) {
  const { words, isDark } = useInstrument();
  const { t, percent } = words;
  const { layer, head: at } = placeWithin(head, after);
  const change = useMemo(
    () => headChange(before, after, { layer, head: at }),
    [before, after, layer, at],
  );
  const { tokens, differences, changes } = change;
  const [pointed, point] = useState<Cell | null>(null);
  const [moved, move] = useState<Cell | null>(null);

  const names = spokenLabels(tokens, words);
  const valuesOf = (one: WeightChange) => ({
    from: names[one.row] ?? '',
    row: one.row + 1,
    to: names[one.column] ?? '',
    column: one.column + 1,
    before: percent(one.before),
    after: percent(one.after),
  });
  const sentence = (cell: Cell | null): string => {
    const found = changes.find(({ row, column }) => row === cell?.row && column === cell.column);
    if (found === undefined) return '';
    return capitalised(t('moments.attention.cell', valuesOf(found)));
  };
  const most = changes.find((one) => one.before !== one.after);
  const range = Math.max(LEAST_RANGE, most === undefined ? 0 : Math.abs(most.after - most.before));
  const { of } = valueColours(-range, range, isDark());
  const name = t('attention.head', { layer: layer + 1, head: at + 1 });
  return (
    <section class="moments-attention">
      <h3>{t('moments.attention')}</h3>
      <p class="note">{name}</p>
      <p data-part="moments-most">
        {most === undefined
          ? t('moments.attention.same')
          : t('moments.attention.most', valuesOf(most))}
      </p>
      <div class="map-box">
        <HeadMap
          tokens={tokens}
          weights={differences}
          colour={(value) => `rgb(${of(value).join(' ')})`}
          pointed={pointed}
          label={`${name}. ${t('attention.keys')}`}
          onPoint={point}
          onMove={(cell) => {
            point(cell);
            move(cell);
          }}
        />
      </div>
      <p class="moments-scale">
        <span>{t('moments.attention.less', { share: percent(range) })}</span>
        <span
          class="moments-bar"
          aria-hidden="true"
          style={{ background: gainGradient(isDark()) }}
        />
        <span>{t('moments.attention.more', { share: percent(range) })}</span>
      </p>
      <SteadyText class="readout">{sentence(pointed) || hint(words, 'attention.hint')}</SteadyText>
      <p class="visually-hidden" aria-live="polite">
        {sentence(moved)}
      </p>
      <KeptFold name="moments.attention" kind="data" title={t('moments.attention.table')}>
        {() => {
          const labels = listLabels(tokens);
          const label = (index: number): string => `${labels[index] ?? ''} (${String(index + 1)})`;
          return (
            <DataTable
              caption={t('moments.attention.table')}
              heads={[
                t('attention.table.from'),
                t('moments.attention.to'),
                'A',
                'B',
                t('moments.change'),
              ]}
              rows={changes
                .slice(0, ROWS)
                .map((one) => [
                  label(one.row),
                  label(one.column),
                  percent(one.before),
                  percent(one.after),
                  signed(percent(Math.abs(one.after - one.before)), one.after - one.before),
                ])}
            />
          );
        }}
      </KeptFold>
    </section>
  );
}
