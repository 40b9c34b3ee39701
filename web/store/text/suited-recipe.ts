/**
 * The preset that comes with a sample text, and the way back: a sample is often only looked at, and
 * what was wanted with the reader's own text comes back with it unless something was changed by
 * hand meanwhile.
 */
import { sameRecipe } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import { findSample } from './texts.ts';

export class SuitedRecipe {
  /**
   * What was wanted with the reader's own text, and what sample texts have brought in its place.
   */
  #left: { readonly own: Recipe; readonly now: Recipe } | null = null;

  /**
   * What comes with the text `to` that is chosen instead of `from`; null where what is wanted
   * stays. `byHand`: the reader has changed some of it.
   */
  follow(from: string, to: string, wanted: Recipe, byHand: boolean): Recipe | null {
    const own = from === 'own' ? wanted : this.#ownOf(wanted);
    const sample = findSample(to);
    if (sample === undefined) return from === 'own' ? null : own;
    // What was changed by hand stays, and with the reader's own text it is what that text has from
    // now on.
    if (byHand) {
      if (from === 'own') this.#left = null;
      return null;
    }
    const now = { preset: sample.preset, changes: {} };
    this.#left = own === null ? null : { own, now };
    return now;
  }

  /**
   * What comes with the reader's own text that takes the place of another: each has what it had.
   */
  exchange(wanted: Recipe): Recipe | null {
    const own = this.#ownOf(wanted);
    if (own !== null) this.#left = { own: wanted, now: own };
    return own;
  }

  /**
   * The preset that the reader's own text had, where what was changed by hand meanwhile stays; or
   * null.
   */
  presetBefore(to: string, wanted: Recipe): string | null {
    const own = to === 'own' ? (this.#left?.own ?? null) : null;
    return own === null || sameRecipe(own, wanted) ? null : own.preset;
  }

  #ownOf(wanted: Recipe): Recipe | null {
    const left = this.#left;
    return left !== null && sameRecipe(left.now, wanted) ? left.own : null;
  }
}
