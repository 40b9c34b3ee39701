/** Finds embeddings of tokens that training brought together: vowels, or the closest pair. */
import type { Matrix } from '../../data/pca.ts';
import { lengthsOf, nearest } from '../../data/cosine.ts';
import type { Kind } from './token-kinds.ts';

/** Maximum number of tokens to compare: time grows with its square. */
const MOST = 100;
/** Minimum number of vowels that count as a group. */
const FEWEST = 3;

export interface Found {
  readonly what: 'vowels' | 'pair';
  /** The vowels of the group, or the pair. */
  readonly rows: readonly number[];
}

/**
 * The vowels to which another vowel is nearest, if there are enough; otherwise the two letters or
 * pieces with the largest cosine; null with fewer than three. `kinds`: kind of each row.
 */
export function findTogether(matrix: Matrix, kinds: readonly Kind[]): Found | null {
  const isText = (row: number): boolean => kinds[row] !== 'sign';
  const rows = kinds.flatMap((_, row) => (isText(row) ? [row] : [])).slice(0, MOST);
  if (rows.length < 3) return null;
  const own: Matrix = {
    rows: rows.length,
    columns: matrix.columns,
    values: Float32Array.from(
      rows.flatMap((row) => [
        ...matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns),
      ]),
    ),
  };
  const lengths = lengthsOf(own);
  const closest = rows.map((_, at) => nearest(own, lengths, at, 1)[0]);
  const isVowel = (at: number | undefined): boolean => kinds[rows[at ?? -1] ?? -1] === 'vowel';
  const vowels = rows.filter((_, at) => isVowel(at) && isVowel(closest[at]?.row));
  if (vowels.length >= FEWEST) return { what: 'vowels', rows: vowels };
  const best = closest.reduce(
    (most, one, at) =>
      one !== undefined && one.cosine > (closest[most]?.cosine ?? -2) ? at : most,
    0,
  );
  const other = closest[best];
  return other === undefined ? null : { what: 'pair', rows: [rows[best]!, rows[other.row]!] };
}
