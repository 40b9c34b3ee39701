/** Cosine similarity of the rows of a matrix, and the nearest rows by it. */
import type { Matrix } from './pca.ts';

/** A row near the chosen one. */
export interface Neighbour {
  readonly row: number;
  /** From -1 (opposite) over 0 (orthogonal) to 1 (the same direction). */
  readonly cosine: number;
}

/** The Euclidean norm of each row. */
export function lengthsOf({ values, rows, columns }: Matrix): Float64Array {
  return new Float64Array(rows).map((_, row) => {
    let sum = 0;
    for (let at = row * columns; at < (row + 1) * columns; at++) sum += values[at]! ** 2;
    return Math.sqrt(sum);
  });
}

/**
 * The `count` rows with the largest cosine to `row`, nearest first, ties in row order: cos(a, b) =
 * a·b / (|a| |b|). A row of zeros has no direction and no neighbours. `lengths` are the norms of
 * the rows.
 */
export function nearest(
  { values, rows, columns }: Matrix,
  lengths: Float64Array,
  row: number,
  count: number,
): readonly Neighbour[] {
  const found: Neighbour[] = [];
  const begin = row * columns;
  for (let other = 0; other < rows; other++) {
    const length = (lengths[row] ?? 0) * lengths[other]!;
    if (other === row || !(length > 0)) continue;
    let sum = 0;
    for (let at = 0; at < columns; at++) sum += values[begin + at]! * values[other * columns + at]!;
    const cosine = sum / length;
    if (found.length === count && cosine <= found[count - 1]!.cosine) continue;
    const place = found.findIndex((one) => one.cosine < cosine);
    found.splice(place < 0 ? found.length : place, 0, { row: other, cosine });
    if (found.length > count) found.pop();
  }
  return found;
}
