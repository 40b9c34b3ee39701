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
   * The recipe of the reader's own text, and the sample's recipe that replaced it; null for none.
   */
  #swapped: { readonly own: Recipe; readonly now: Recipe } | null = null;

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
    this.#swapped = own === null ? null : { own, now };
    return now;
  }

  /**
   * Swaps recipes when the reader's own text is restored; null if `wanted` stays. `byHand`: as in
   * `follow`.
   */
  exchange(wanted: Recipe, byHand: boolean): Recipe | null {
    const own = byHand ? this.#ownOf(wanted) : (this.#swapped?.own ?? null);
    if (own !== null) this.#swapped = { own: wanted, now: own };
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
