/** A table of the points' coordinates and nearest neighbours. */
import { useMemo } from 'preact/hooks';
import { nearest } from '../../data/cosine.ts';
import type { Neighbour } from '../../data/cosine.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../component.tsx';
import type { Names } from './point-names.ts';
import type { Points } from './points.ts';

/** Maximum and minimum rows, and the multiplications to spend on neighbours. */
const MOST_ROWS = 200;
const LEAST_ROWS = 20;
const MOST_PRODUCTS = 20_000_000;

export interface PointsTableProps {
  readonly points: Points;
  readonly names: Names;
  /** Euclidean length of each row. */
  readonly lengths: Float64Array;
  readonly neighbourText: (neighbour: Neighbour) => string;
}

export function PointsTable({ points, names, lengths, neighbourText }: PointsTableProps) {
  const { t, number } = useWords();
  const { matrix, seen, step, frame } = points;
  const room = Math.floor(MOST_PRODUCTS / (matrix.rows * matrix.columns));
  const count = Math.min(matrix.rows, MOST_ROWS, Math.max(LEAST_ROWS, room));
  const rows = useMemo(
    () =>
      Array.from({ length: count }, (_, row) => {
        const near = nearest(matrix, lengths, row, 1)[0];
        return [
          names.spoken[row] ?? '',
          number(seen.x[row] ?? NaN, 3),
          number(seen.y[row] ?? NaN, 3),
          near === undefined ? '–' : neighbourText(near),
        ];
      }),
    [points, names],
  );
  const values = { step: number(step), axes: number(frame.step) };
  return (
    <DataTable
      label={t('plane.table')}
      caption={
        count < matrix.rows
          ? t('plane.table.first', { ...values, count })
          : t('plane.table.caption', values)
      }
      heads={[t('plane.col.point'), 'x', 'y', t('plane.col.near')]}
      rows={rows}
    />
  );
}
