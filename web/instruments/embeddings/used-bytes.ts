/** Leaves out the points of byte tokens that the training text never contains. */
import type { Token } from '../../engine/trainer.ts';
import type { Rows } from './read-rows.ts';

/** The bytes that occur in `content`. */
export async function usedBytes(content: Blob): Promise<ReadonlySet<number>> {
  const used = new Set<number>();
  const reader = content.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return used;
    for (const byte of value) used.add(byte);
  }
}

/** Rows of the token table without the tokens of one byte that is not in `used`. */
export function withoutUnused(rows: Rows, used: ReadonlySet<number>): Rows {
  const { tokens, matrix } = rows;
  if (tokens === null) return rows;
  const kept = tokens.flatMap((token, row) => (isUnused(token, used) ? [] : [row]));
  if (kept.length === tokens.length) return rows;
  const { columns } = matrix;
  const values = new Float32Array(kept.length * columns);
  for (const [at, row] of kept.entries()) {
    values.set(matrix.values.subarray(row * columns, (row + 1) * columns), at * columns);
  }
  return {
    ...rows,
    matrix: { values, rows: kept.length, columns },
    tokens: kept.map((row) => tokens[row]!),
    unused: tokens.length - kept.length,
  };
}

function isUnused({ kind, hex }: Token, used: ReadonlySet<number>): boolean {
  return kind !== 'bos' && hex.length === 2 && !used.has(parseInt(hex, 16));
}
