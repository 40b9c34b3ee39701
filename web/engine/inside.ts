/** Everything that looks inside one model. */
import { analyse } from './analysis.ts';
import { AttentionProbe } from './attention-probe.ts';
import { Generation } from './generation.ts';
import type { HeadStatistics } from './head-statistics.ts';
import { wasImported } from './receipt.ts';
import { TensorReader } from './tensors.ts';
import { TokenTable } from './token-table.ts';
import type { Analysis, Attention, Merge, Token } from './trainer.ts';
import type { Untrained } from './untrained.ts';
import type { EngineModel } from './binding/model.ts';
import type { EngineText } from './binding/text.ts';

/** Owns `untrained`. Invalid after the model is freed. */
export class Inside {
  readonly #model: EngineModel;
  readonly #tokens: TokenTable;
  readonly #probe: AttentionProbe;
  readonly #untrained: Untrained | null;
  /** Whether the initial weights came from a file; null until computed. */
  #imported: boolean | null = null;
  readonly generation: Generation;
  readonly tensors: TensorReader;

  /** `untrained` is null if the initial weights are unknown. */
  constructor(model: EngineModel, untrained: Untrained | null) {
    this.#model = model;
    this.#tokens = new TokenTable(model);
    this.#probe = new AttentionProbe(model, this.#tokens);
    this.#untrained = untrained;
    this.generation = new Generation(model, this.#tokens);
    this.tensors = new TensorReader(model, this.#tokens);
  }

  /** Attention on the first tokens of `text`. */
  attention(text: string, maxTokens: number): Attention {
    const attention = this.#probe.run(text, maxTokens);
    this.#untrained?.note(text, maxTokens, attention);
    return attention;
  }

  analyse(text: string, maxTokens: number, isCut: boolean): Analysis {
    return analyse(this.#model, this.#tokens, text, maxTokens, isCut);
  }

  /**
   * See Inspection.untrainedHeads. `held`: the text set last, null if none; `limit`: maximum bytes
   * of both models together.
   */
  untrainedHeads(
    text: string,
    maxTokens: number,
    held: EngineText | null,
    limit: number,
  ): readonly HeadStatistics[] | null {
    const untrained = this.#untrained;
    if (untrained === null) return null;
    if (this.#model.get('step') === 0) this.attention(text, maxTokens);
    const known = untrained.recall(text, maxTokens);
    if (known !== null || held === null || !untrained.isOf(held)) return known;
    if (this.#model.get('memory_bytes') + untrained.bytes(held) > limit) return null;
    if (this.#isImported()) return null;
    return untrained.measure(text, maxTokens, held);
  }

  /** A resumed run may have begun with weights of another file; its receipt says so. */
  #isImported(): boolean {
    this.#imported ??= wasImported({ json: this.#model.receiptJson() });
    return this.#imported;
  }

  /** See Inspection.vocabulary. */
  vocabulary(first: number, count: number): Token[] {
    const begin = Math.max(0, Math.floor(first));
    const end = Math.min(this.#model.get('vocab'), begin + Math.floor(count));
    return this.#tokens.tokens(
      Array.from({ length: Math.max(0, end - begin) }, (_, at) => begin + at),
    );
  }

  merges(first: number, count: number): Merge[] {
    return this.#model.merges(first, count).map(([left, right, result, occurrences]) => ({
      left: this.#tokens.token(left),
      right: this.#tokens.token(right),
      result: this.#tokens.token(result),
      occurrences,
    }));
  }

  free(): void {
    this.#untrained?.free();
  }
}
