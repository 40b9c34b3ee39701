/**
 * Settings that suit a text of the reader: applied if the page itself chose the present settings,
 * otherwise only offered. Settings that the reader undid are not applied again.
 */
import { KEPT } from '../../base/form.ts';
import { sameRecipe } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import type { Fit } from '../../engine/trainer.ts';
import { keep, recall } from '../storage.ts';
import { readStored, RECIPE } from '../stored.ts';

/** Name of the note of the last applied settings in the tab's storage. */
const PLACE = 'fitted';

/**
 * The recipe with the seed of another: seeds do not depend on texts; the reader may have chosen it.
 */
function withSeedOf({ preset, changes }: Recipe, other: Recipe): Recipe {
  const { seed } = other.changes;
  return { preset, changes: seed === undefined ? changes : { ...changes, seed } };
}

/** Whether two recipes are equal except for the seed. */
export function sameButSeed(one: Recipe, other: Recipe): boolean {
  const seedless = ({ preset, changes }: Recipe): Recipe => ({
    preset,
    changes: Object.fromEntries(Object.entries(changes).filter(([name]) => name !== 'seed')),
  });
  return sameRecipe(seedless(one), seedless(other));
}

export interface FitNotice {
  readonly fit: Fit;
  /** `same`: these settings were already chosen. */
  readonly status: 'applied' | 'offered' | 'same';
  /** The recipe that undo restores. */
  readonly before: Recipe;
}

export interface FittingOptions {
  /** Whether values may be kept in the tab's storage. */
  readonly keeps: boolean;
  /** Whether the reader may change settings. */
  readonly isAllowed: () => boolean;
}

export class Fitting {
  readonly #options: FittingOptions;
  #pageRecipe: Recipe | null = null;
  /** Whether the reader declined the settings for this text. */
  #isDeclined = false;
  /** The notice about the settings; null for none. */
  notice: FitNotice | null = null;

  constructor(options: FittingOptions) {
    this.#options = options;
  }

  /** Sets the initial recipe. `chosen`: whether a link or lesson names some of its settings. */
  begin(recipe: Recipe, chosen: boolean): void {
    const kept = KEPT && this.#options.keeps ? readStored(RECIPE, recall('tab', PLACE)) : null;
    // After a reload, the address names the settings that the page had applied.
    const isOurs = kept !== null && sameButSeed(kept, recipe);
    this.#pageRecipe = chosen && !isOurs ? null : recipe;
  }

  /** The recipe chosen by the page; null once the reader or a link chose another. */
  get pageRecipe(): Recipe | null {
    return this.#pageRecipe;
  }

  /** Notes a recipe chosen by the page. */
  give(recipe: Recipe): void {
    this.#pageRecipe = recipe;
    if (this.#options.keeps) keep('tab', PLACE, JSON.stringify(recipe));
  }

  /** Whether this recipe was chosen by the page alone. */
  isGiven(recipe: Recipe): boolean {
    return this.#pageRecipe !== null && sameRecipe(this.#pageRecipe, recipe);
  }

  /** Allows an offer again, for a new text. */
  renew(): void {
    this.#isDeclined = false;
  }

  /** Clears the notice about the last text. */
  forget(): void {
    this.notice = null;
    this.renew();
  }

  /** Handles the settings found for a text; returns the recipe to apply, null if `wanted` stays. */
  take(found: Fit, wanted: Recipe): Recipe | null {
    if (!this.#options.isAllowed()) return null;
    const fit = { ...found, recipe: withSeedOf(found.recipe, wanted) };
    const last = this.notice;
    const isGiven = this.#pageRecipe !== null && sameButSeed(this.#pageRecipe, wanted);
    const before = last?.status === 'applied' && isGiven ? last.before : wanted;
    if (sameRecipe(fit.recipe, wanted)) {
      this.notice = { fit, before, status: sameRecipe(before, wanted) ? 'same' : 'applied' };
      return null;
    }
    if (isGiven) {
      this.give(fit.recipe);
      this.notice = { fit, before, status: 'applied' };
      return fit.recipe;
    }
    this.notice = this.#isDeclined ? null : { fit, before, status: 'offered' };
    return null;
  }

  /** Applies the settings at the reader's request. */
  apply(found: Fit, wanted: Recipe): Recipe {
    const fit = { ...found, recipe: withSeedOf(found.recipe, wanted) };
    this.#isDeclined = false;
    this.give(fit.recipe);
    this.notice = { fit, before: wanted, status: 'applied' };
    return fit.recipe;
  }

  /** Returns the recipe before the applied settings, which are then offered. */
  undo({ fit, before }: FitNotice): Recipe {
    this.#pageRecipe = null;
    this.notice = { fit, before, status: 'offered' };
    return before;
  }

  /** Withdraws the offer, because the reader keeps other settings. */
  decline(): void {
    this.#isDeclined = true;
    this.notice = null;
  }
}
