/**
 * Applies the recipe of a sample text when it is chosen, and restores the recipe of the reader's
 * own text with that text, unless something was changed by hand in between.
 */
import { sameRecipe } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import { findSample } from './texts.ts';
import type { SampleText } from './texts.ts';

export class SuitedRecipe {
  readonly #recipeOf: (sample: SampleText) => Recipe;
  /**
   * The recipe of the reader's own text, and the one that replaced it; null for none. `isSample`:
   * that of a sample text.
   */
  #swapped: { readonly own: Recipe; readonly now: Recipe; readonly isSample: boolean } | null =
    null;

  /** `recipeOf`: the recipe of a sample text. */
  constructor(recipeOf: (sample: SampleText) => Recipe) {
    this.#recipeOf = recipeOf;
  }

  /**
   * The recipe for text `to`, chosen after `from`; null if `wanted` stays. `byHand`: the reader has
   * changed some of `wanted`.
   */
  follow(from: string, to: string, wanted: Recipe, byHand: boolean): Recipe | null {
    const own = from === 'own' ? wanted : this.#ownOf(wanted);
    const sample = findSample(to);
    if (sample === undefined) return from === 'own' ? null : own;
    // Changes by hand stay, and also become the recipe of the reader's own text.
    if (byHand) {
      if (from === 'own') this.#swapped = null;
      return null;
    }
    const now = this.#recipeOf(sample);
    this.#swapped = own === null ? null : { own, now, isSample: true };
    return now;
  }

  /** Notes that the page fitted a recipe to a text typed into the sample, in place of `wanted`. */
  refit(wanted: Recipe, fitted: Recipe): void {
    const left = this.#swapped;
    if (left?.isSample !== true || !sameRecipe(left.now, wanted)) return;
    this.#swapped = { own: left.own, now: fitted, isSample: false };
  }

  /** Swaps recipes when the reader's own text is restored; null if `wanted` stays. */
  exchange(wanted: Recipe): Recipe | null {
    const own = this.#ownOf(wanted);
    if (own !== null) this.#swapped = { own: wanted, now: own, isSample: false };
    return own;
  }

  /**
   * The preset that the reader's own text had before changes by hand, which stay; null if nothing
   * was changed or no recipe is remembered.
   */
  presetBefore(to: string, wanted: Recipe): string | null {
    const own = to === 'own' ? (this.#swapped?.own ?? null) : null;
    return own === null || sameRecipe(own, wanted) ? null : own.preset;
  }

  #ownOf(wanted: Recipe): Recipe | null {
    const left = this.#swapped;
    return left !== null && sameRecipe(left.now, wanted) ? left.own : null;
  }
}
