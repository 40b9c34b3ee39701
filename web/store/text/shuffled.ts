/**
 * Control texts: the letters, words or lines of a text in random order. Their order teaches
 * nothing, so no model has a lower loss on unseen text than their entropy, which is computed here.
 */

export type Shuffle = 'letters' | 'words' | 'lines';

export interface ShuffledText {
  readonly text: string;
  /** Number of characters with a loss; the end of a document counts as one. */
  readonly characters: number;
  /**
   * Total entropy of the pieces in nats, by their frequencies (Shannon, "A Mathematical Theory of
   * Communication", 1948, section 6); for documents, plus that of the numbers of pieces per line.
   * NaN for shuffled lines, because each line is new.
   */
  readonly nats: number;
}

/** Shuffles a text; if sequences are `documents`, each line keeps its number of pieces. */
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
    // An empty part after the last line feed is no line.
    const end = lines.at(-1) === '' ? lines.splice(-1) : [];
    const mixed = [...inRandomOrder(lines, random), ...end].join('\n');
    return { text: mixed, characters, nats: NaN };
  }
  if (!documents) {
    // A word keeps its trailing space, so that word order and spaces are random.
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

/** Whether some line has several words; otherwise shuffling words is shuffling lines. */
export function hasWords(text: string): boolean {
  return (text.match(/\S+/g) ?? []).length > (text.match(/^.*\S/gm) ?? []).length;
}

/** Total entropy of all pieces in nats. */
function entropy(pieces: readonly unknown[]): number {
  const counts = new Map<unknown, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  let nats = 0;
  for (const count of counts.values()) nats -= count * Math.log(count / pieces.length);
  return nats;
}

/** Fisher-Yates shuffle. */
function inRandomOrder<Piece>(pieces: readonly Piece[], random: () => number): Piece[] {
  const all = [...pieces];
  for (let left = all.length - 1; left > 0; left--) {
    const at = Math.floor(random() * (left + 1));
    [all[left], all[at]] = [all[at]!, all[left]!];
  }
  return all;
}

/** Pseudo-random numbers in [0, 1) (SplitMix, 32 bits). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
