/** Plain facts of a distribution over a vocabulary. */

/** The ids of the `count` largest values, the largest first; of equal ones the smaller id first. */
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

/** Entropy in nats; what has no weight adds nothing. */
export function entropyOf(weights: Float32Array): number {
  let sum = 0;
  for (const weight of weights) if (weight > 0) sum -= weight * Math.log(weight);
  return sum;
}

/**
 * Bits per character of a loss in nats per token, with which models of different tokenizers compare
 * fairly. `tokensPerCharacter` is that of the text whose loss it is, see RunInfo.
 */
export function bitsPerCharacter(loss: number, tokensPerCharacter: number): number {
  return (loss / Math.LN2) * tokensPerCharacter;
}
