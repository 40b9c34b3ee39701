/**
 * Byte-pair encoding of a text, step by step: the text is split into words, each word into bytes;
 * then, of the learned pairs that occur, the earliest is merged everywhere, until none is left.
 * Tokens are identified by their bytes in hexadecimal. Uses no DOM.
 */

/** A merge; its index in the list is its rank, the order of learning. */
export interface MergeRule {
  readonly left: { readonly hex: string };
  readonly right: { readonly hex: string };
}

/** The pairs of a vocabulary with their ranks. */
export type MergeRanks = ReadonlyMap<string, number>;

/** A token of the text at some step. */
export interface Piece {
  readonly hex: string;
  /** Index of its word; merges do not cross words. */
  readonly word: number;
}

/** The text after a merge, or before the first. */
export interface MergeStep {
  readonly pieces: readonly Piece[];
  /** Rank of the merge; null before the first. */
  readonly rank: number | null;
  /** Indices in `pieces` of the tokens that this merge made. */
  readonly made: ReadonlySet<number>;
}

/**
 * The words of GPT-2's pre-tokenizer: English endings after an apostrophe; letters, digits, or
 * other signs, each with the one space before them; runs of white space. (Radford et al., 2019,
 * encoder.py.)
 */
const WORDS = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

const encoder = new TextEncoder();

/** Ranks by pair, for `mergeSteps`. A pair listed twice has its first rank. */
export function ranksOf(rules: readonly MergeRule[]): MergeRanks {
  const ranks = new Map<string, number>();
  for (const [rank, { left, right }] of rules.entries()) {
    const pair = `${left.hex} ${right.hex}`;
    if (!ranks.has(pair)) ranks.set(pair, rank);
  }
  return ranks;
}

/** Every step of `text` from its bytes to its tokens; the first step is the bytes themselves. */
export function mergeSteps(text: string, ranks: MergeRanks): MergeStep[] {
  let pieces = bytesOf(text);
  const steps: MergeStep[] = [{ pieces, rank: null, made: new Set() }];
  for (;;) {
    const rank = lowestRank(pieces, ranks);
    if (rank === null) return steps;
    const made = new Set<number>();
    pieces = mergeAll(pieces, ranks, rank, made);
    steps.push({ pieces, rank, made });
  }
}

function bytesOf(text: string): Piece[] {
  return (text.match(WORDS) ?? []).flatMap((word, index) =>
    Array.from(encoder.encode(word), (byte) => ({
      hex: byte.toString(16).toUpperCase().padStart(2, '0'),
      word: index,
    })),
  );
}

/** Rank of the pair at `at` and `at + 1`; undefined if it crosses words or was not learned. */
function rankAt(pieces: readonly Piece[], at: number, ranks: MergeRanks): number | undefined {
  const [left, right] = [pieces[at], pieces[at + 1]];
  if (left === undefined || right === undefined || left.word !== right.word) return undefined;
  return ranks.get(`${left.hex} ${right.hex}`);
}

function lowestRank(pieces: readonly Piece[], ranks: MergeRanks): number | null {
  let lowest: number | null = null;
  for (let at = 0; at < pieces.length; at++) {
    const rank = rankAt(pieces, at, ranks);
    if (rank !== undefined && (lowest === null || rank < lowest)) lowest = rank;
  }
  return lowest;
}

/** Merges all pairs of `rank`, from the left; notes the positions in `made`. */
function mergeAll(
  pieces: readonly Piece[],
  ranks: MergeRanks,
  rank: number,
  made: Set<number>,
): Piece[] {
  const merged: Piece[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as Piece;
    if (rankAt(pieces, at, ranks) !== rank) {
      merged.push(piece);
      continue;
    }
    made.add(merged.length);
    merged.push({ hex: piece.hex + (pieces[at + 1]?.hex ?? ''), word: piece.word });
    at += 1;
  }
  return merged;
}
