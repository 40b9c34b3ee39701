/**
 * Typographic signs that have a plain twin: only these can be replaced without changing any word.
 */

const PLAIN: readonly (readonly [sign: string, plain: string])[] = [
  ['‘', "'"],
  ['’', "'"],
  ['‚', "'"],
  ['“', '"'],
  ['”', '"'],
  ['„', '"'],
  ['\u00a0', ' '],
  ['\u202f', ' '],
];

/** A rare sign, where it stands, and its twin. */
export interface Twin {
  readonly at: number;
  readonly sign: string;
  readonly plain: string;
}

/**
 * The signs of `text` that occur at most `rare` times while their twins occur more often. A quote
 * in a line with plain quotes is none: it may stand in a string of a program.
 */
export function rareTwins(text: string, rare: number): Twin[] {
  const twins: Twin[] = [];
  for (const [sign, plain] of PLAIN) {
    const at = placesOf(text, sign, rare + 1);
    if (at.length > rare || placesOf(text, plain, rare + 1).length <= rare) continue;
    const free = at.filter((place) => plain === ' ' || !lineAt(text, place).includes(plain));
    twins.push(...free.map((place) => ({ at: place, sign, plain })));
  }
  return twins.sort((a, b) => a.at - b.at);
}

/** Replaces these signs. */
export function replaceTwins(text: string, rare: number): string {
  let out = '';
  let from = 0;
  for (const { at, plain } of rareTwins(text, rare)) {
    out += text.slice(from, at) + plain;
    from = at + 1;
  }
  return out + text.slice(from);
}

/** The first `most` places of the sign. */
function placesOf(text: string, sign: string, most: number): number[] {
  const places: number[] = [];
  let at = text.indexOf(sign);
  while (at >= 0 && places.length < most) {
    places.push(at);
    at = text.indexOf(sign, at + 1);
  }
  return places;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end);
}
