/**
 * Controls: a text whose letters, words or lines stand in random order. What order could teach is
 * gone, and how much is left can be computed: no model can do better on text that it never saw.
 */

export type Shuffle = 'letters' | 'words' | 'lines';

export interface ShuffledText {
  readonly text: string;
  /** Characters that have a loss; the end of a document counts as one. */
  readonly characters: number;
  /**
   * How much of it no model can know, in nats: the entropy of its pieces, each as frequent as it
   * is (Shannon, "A Mathematical Theory of Communication", 1948, section 6). NaN for lines, of
   * which each is new.
   */
  readonly nats: number;
}

/** Shuffles a text; where sequences are `documents`, each line keeps how many pieces it has. */
export function shuffled(
  text: string,
  kind: Shuffle,
  documents: boolean,
  seed: number,
): ShuffledText {
  const lines = text.split('\n');
  const random = generator(seed);
  const characters = Array.from(text).length;
  if (kind === 'lines') {
    // What ends the last line is no line.
    const end = lines.at(-1) === '' ? lines.splice(-1) : [];
    const mixed = [...inRandomOrder(lines, random), ...end].join('\n');
    return { text: mixed, characters, nats: NaN };
  }
  if (!documents) {
    // A word with the space behind it: so the order of both is random.
    const pieces = kind === 'letters' ? Array.from(text) : (text.match(/\S+\s*|\s+/g) ?? []);
    return { text: inRandomOrder(pieces, random).join(''), characters, nats: entropy(pieces) };
  }
  const full = lines.filter((line) => line.trim() !== '');
  const split = (line: string): string[] =>
    kind === 'letters' ? Array.from(line) : (line.match(/\S+/g) ?? []);
  const counts = full.map((line) => split(line).length);
  const pieces = full.flatMap(split);
  const mixed = inRandomOrder(pieces, random);
  let next = 0;
  const made = counts.map((count) =>
    mixed.slice(next, (next += count)).join(kind === 'letters' ? '' : ' '),
  );
  const length = made.reduce((sum, line) => sum + Array.from(line).length + 1, 0);
  return {
    text: `${made.join('\n')}\n`,
    characters: length,
    nats: entropy(pieces) + entropy(counts),
  };
}

/** Whether some lines have several words: if not, their words are the lines, or no words at all. */
export function hasWords(text: string): boolean {
  return (text.match(/\S+/g) ?? []).length > (text.match(/^.*\S/gm) ?? []).length;
}

/** Of all pieces together, in nats. */
function entropy(pieces: readonly unknown[]): number {
  const counts = new Map<unknown, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  let nats = 0;
  for (const count of counts.values()) nats -= count * Math.log(count / pieces.length);
  return nats;
}

/** Fisher and Yates. */
function inRandomOrder<Piece>(pieces: readonly Piece[], random: () => number): Piece[] {
  const all = [...pieces];
  for (let left = all.length - 1; left > 0; left--) {
    const at = Math.floor(random() * (left + 1));
    [all[left], all[at]] = [all[at]!, all[left]!];
  }
  return all;
}

/** Numbers from 0 to below 1, the same for the same seed (SplitMix with 32 bits). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
