/** Facts of a distribution over the vocabulary, and losses in bits per character. */

/** The ids of the `count` largest values, descending; equal values ascending by id. */
export function likeliest(values: ArrayLike<number>, count: number): number[] {
  const best: number[] = [];
  const value = (id: number): number => values[id] ?? 0;
  for (let id = 0; id < values.length; id++) {
    const last = best.at(-1);
    if (best.length >= count && (last === undefined || value(id) <= value(last))) continue;
    let place = best.length;
    while (place > 0 && value(id) > value(best[place - 1] ?? 0)) place -= 1;
    best.splice(place, 0, id);
    if (best.length > count) best.pop();
  }
  return best;
}

/** Entropy in nats; zero weights add nothing. */
export function entropyOf(weights: Float32Array): number {
  let sum = 0;
  for (const weight of weights) if (weight > 0) sum -= weight * Math.log(weight);
  return sum;
}

/**
 * Converts a loss in nats per token to bits per character, which compare across tokenizers.
 * `tokensPerCharacter` must be that of the same text, see RunInfo.
 */
export function bitsPerCharacter(loss: number, tokensPerCharacter: number): number {
  return (loss / Math.LN2) * tokensPerCharacter;
}
