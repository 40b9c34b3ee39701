/**
 * Head scores of a model before its first step, from the model itself at step 0, or later from a
 * second model of the same recipe and seed, if memory allows. This also works for a resumed run,
 * whose initial weights follow from its seed.
 */
import { AttentionProbe } from './attention-probe.ts';
import { GlasshouseError } from './errors.ts';
import { headStatistics } from './head-statistics.ts';
import type { HeadStatistics } from './head-statistics.ts';
import { TokenTable } from './token-table.ts';
import type { Attention } from './trainer.ts';
import type { EngineRecipe } from './binding/recipe.ts';
import type { EngineText } from './binding/text.ts';

/** The initial state of a model. Owns the recipe. The caller frees it. */
export class Untrained {
  readonly #recipe: EngineRecipe;
  /** Hash of the training text, which may be gone. */
  readonly #hash: string;
  #known: { readonly key: string; readonly heads: readonly HeadStatistics[] } | null = null;

  /** `recipe` made the model from `text`. */
  constructor(recipe: EngineRecipe, text: EngineText) {
    this.#recipe = recipe;
    this.#hash = text.hash;
    // Weights do not depend on the batch: the second model needs memory for one sequence only.
    recipe.set('batch', 1);
  }

  /** Whether `text` is the training text. */
  isOf(text: EngineText): boolean {
    return text.hash === this.#hash;
  }

  /** Stores the scores if `attention` is of step 0. */
  note(text: string, maxTokens: number, attention: Attention): void {
    if (attention.step !== 0) return;
    this.#known = { key: keyOf(text, maxTokens), heads: headStatistics(attention) };
  }

  /** The scores if known without a second model; else null. */
  recall(text: string, maxTokens: number): readonly HeadStatistics[] | null {
    return this.#known?.key === keyOf(text, maxTokens) ? this.#known.heads : null;
  }

  /** Bytes of the second model on the text `from`. */
  bytes(from: EngineText): number {
    return (JSON.parse(this.#recipe.planJson(from)) as { total_bytes: number }).total_bytes;
  }

  /** Makes the second model on the text `from` and scores its heads; null if memory is refused. */
  measure(text: string, maxTokens: number, from: EngineText): readonly HeadStatistics[] | null {
    let model;
    try {
      model = this.#recipe.train(from);
    } catch (thrown) {
      if (thrown instanceof GlasshouseError && /allocation|memory/.test(thrown.code)) return null;
      throw thrown;
    }
    try {
      const probe = new AttentionProbe(model, new TokenTable(model));
      this.note(text, maxTokens, probe.run(text, maxTokens));
    } finally {
      model.free();
    }
    return this.recall(text, maxTokens);
  }

  free(): void {
    this.#recipe.free();
  }
}

function keyOf(text: string, maxTokens: number): string {
  return `${String(maxTokens)} ${text}`;
}
