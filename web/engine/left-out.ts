/**
 * The bytes of a text that training never reads: the option `left_out` of a recipe. With it a twin
 * of a run is made that differs in nothing but that it has not seen these bytes.
 */

/** From the first byte of a text, counted from 0, to the one behind the last. */
export type ByteRange = readonly [from: number, to: number];

/**
 * The list of the same bytes in the one form that receipts have: rising, joined where ranges touch.
 * Ranges that the engine will refuse stay as they are.
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

/** As the engine and the command line read it: "812:840,1024:1100". */
export function rangesText(ranges: readonly ByteRange[]): string {
  return joinRanges(ranges)
    .map((range) => range.join(':'))
    .join(',');
}

/** The ranges of such a list; null where it is none. Whether a text has them, the engine says. */
export function readRanges(text: string): ByteRange[] | null {
  const ranges = text.split(',').map((range) => /^(\d{1,15}):(\d{1,15})$/.exec(range));
  return ranges.every((range) => range !== null)
    ? ranges.map(([, from, to]) => [Number(from), Number(to)])
    : null;
}
