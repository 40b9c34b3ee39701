/**
 * Byte ranges of a text that training skips: the option `left_out`. It makes the twin of a run,
 * which differs only in never having seen these bytes.
 */

/** Byte offsets from 0, without the byte at `to`. */
export type ByteRange = readonly [from: number, to: number];

/**
 * The canonical list, as in receipts: ascending, touching ranges joined. Invalid ranges stay, so
 * that the engine refuses them.
 */
export function joinRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const joined: ByteRange[] = [];
  for (const range of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    const isRange = range[0] < range[1];
    if (last === undefined || !isRange || !(range[0] <= last[1])) joined.push(range);
    else joined[joined.length - 1] = [last[0], Math.max(last[1], range[1])];
  }
  return joined;
}

/** Formats ranges for the engine and the command line: "812:840,1024:1100". */
export function rangesText(ranges: readonly ByteRange[]): string {
  return joinRanges(ranges)
    .map((range) => range.join(':'))
    .join(',');
}

/** Parses the format of `rangesText`; null if malformed. The engine checks the byte offsets. */
export function readRanges(text: string): ByteRange[] | null {
  const ranges = text.split(',').map((range) => /^(\d{1,15}):(\d{1,15})$/.exec(range));
  return ranges.every((range) => range !== null)
    ? ranges.map(([, from, to]) => [Number(from), Number(to)])
    : null;
}
