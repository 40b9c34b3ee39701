/** Kinds of points: rows of a weight table, or activations at the tokens of a text. */

/**
 * The token table, the position table, or the activations of a text after this number of blocks (0:
 * before the first).
 */
export type Shown = 'tokens' | 'positions' | number;

/** All kinds of points for a model of `layers` blocks. */
export function choicesOf(layers: number): readonly Shown[] {
  return ['tokens', 'positions', ...Array.from({ length: layers + 1 }, (_, block) => block)];
}

/** Engine names of the tensor; the first that exists is used. */
export function tensorsOf(shown: Shown): readonly string[] {
  if (shown === 'tokens') return ['wte.weight'];
  if (shown === 'positions') return ['wpe.weight'];
  if (shown === 0) return ['embed.norm', 'embed.position'];
  return [`block${String(shown - 1)}.mlp.residual`];
}
