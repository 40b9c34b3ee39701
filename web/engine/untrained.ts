/**
 * What the heads of a model did before its first step. At step 0 the model itself tells; later a
 * second model is made from the same recipe, looked at and freed, where there is room for it. A run
 * that goes on from a checkpoint has its beginning in its seed as well.
 */
import { AttentionProbe } from './attention-probe.ts';
import { GlasshouseError } from './errors.ts';
import { headStatistics } from './head-statistics.ts';
import type { HeadStatistics } from './head-statistics.ts';
import { TokenTable } from './token-table.ts';
import type { Attention } from './trainer.ts';
import type { EngineRecipe } from './binding/recipe.ts';
import type { EngineText } from './binding/text.ts';

/** Remembers a model's beginning. Owns the recipe: free it. */
export class Untrained {
  readonly #recipe: EngineRecipe;
  /** Of the text that the model was made from, which may be gone. */
  readonly #hash: string;
  #known: { readonly key: string; readonly heads: readonly HeadStatistics[] } | null = null;

  /** `recipe` made the model from `text`. */
  constructor(recipe: EngineRecipe, text: EngineText) {
    this.#recipe = recipe;
    this.#hash = text.hash;
    // Weights do not depend on the batch: the second model needs memory for one sequence only.
    recipe.set('batch', 1);
  }

  /** Whether the model was made from `text`. */
  isOf(text: EngineText): boolean {
    return text.hash === this.#hash;
  }

  /** Keeps what attention of the model at step 0 tells. */
  note(text: string, maxTokens: number, attention: Attention): void {
    if (attention.step !== 0) return;
    this.#known = { key: keyOf(text, maxTokens), heads: headStatistics(attention) };
  }

  /** What is known without another model; null for nothing. */
  recall(text: string, maxTokens: number): readonly HeadStatistics[] | null {
    return this.#known?.key === keyOf(text, maxTokens) ? this.#known.heads : null;
  }

  /** Bytes that the second model would take, which learns `from`. */
  bytes(from: EngineText): number {
    return (JSON.parse(this.#recipe.planJson(from)) as { total_bytes: number }).total_bytes;
  }

  /** Makes the second model of the text `from`, and looks; null when memory is refused. */
  look(text: string, maxTokens: number, from: EngineText): readonly HeadStatistics[] | null {
    let model;
    try {
      model = this.#recipe.train(from);
    } catch (thrown) {
      if (thrown instanceof GlasshouseError && /allocation|memory/.test(thrown.code)) return null;
      throw thrown;
    }
    try {
      const probe = new AttentionProbe(model, new TokenTable(model));
      this.note(text, maxTokens, probe.look(text, maxTokens));
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
