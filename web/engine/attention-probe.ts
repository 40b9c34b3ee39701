/**
 * Attention of a model on one text: runs a probe pass and gathers the weights of all layers and
 * heads.
 */
import { failure } from './errors.ts';
import type { TokenTable } from './token-table.ts';
import type { Attention } from './trainer.ts';
import type { EngineModel } from './binding/model.ts';

const PROBABILITIES = /^block(\d+)\.attn\.probs$/;

/** Invalid after the model is freed. */
export class AttentionProbe {
  readonly #model: EngineModel;
  readonly #tokens: TokenTable;

  constructor(model: EngineModel, tokens: TokenTable) {
    this.#model = model;
    this.#tokens = tokens;
  }

  /** Attention on the first tokens of `text`, at most `maxTokens` and at most the context. */
  run(text: string, maxTokens: number): Attention {
    const { bytes, omitted } = this.#tokens.fit(text, maxTokens);
    return { ...this.#gather(this.#model.probe(bytes)), omitted };
  }

  #gather(ids: Int32Array): Omit<Attention, 'omitted'> {
    const size = ids.length;
    const found = this.#model
      .probeNodes()
      .map((node, index) => ({ index, shape: node.shape, match: PROBABILITIES.exec(node.name) }))
      .filter(({ match }) => match !== null)
      .sort((a, b) => Number(a.match?.[1]) - Number(b.match?.[1]));
    const heads = (found[0]?.shape ?? []).reduce((a, b) => a * b, 1) / (size * size);
    if (found.length === 0 || !Number.isInteger(heads)) {
      throw failure('unexpected', 'the probe has no attention probabilities of the expected shape');
    }
    const layer = heads * size * size;
    const weights = new Float32Array(found.length * layer);
    for (const [row, { index }] of found.entries()) {
      this.#model.copyProbeData(index, weights.subarray(row * layer, (row + 1) * layer));
    }
    const tokens = this.#tokens.tokens(ids);
    return { step: this.#model.get('step'), tokens, layers: found.length, heads, weights };
  }
}
