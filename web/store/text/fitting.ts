/**
 * The settings that suit a text which a reader puts in: applied where the page itself chose the
 * settings so far, only offered where the reader or a link did. What a reader takes back is not
 * applied again.
 */
import { sameRecipe } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import type { Fit } from '../../engine/trainer.ts';
import { keep, recall } from '../storage.ts';

/** Where the settings that were applied last are kept for this tab. */
const KEPT = 'fitted';

/**
 * The recipe with the seed of another: no seed suits a text better, and it may be the reader's own.
 */
function withSeedOf({ preset, changes }: Recipe, other: Recipe): Recipe {
  const { seed } = other.changes;
  return { preset, changes: seed === undefined ? changes : { ...changes, seed } };
}

/** Whether two recipes are the same but for their seeds. */
export function sameButSeed(one: Recipe, other: Recipe): boolean {
  const seedless = ({ preset, changes }: Recipe): Recipe => ({
    preset,
    changes: Object.fromEntries(Object.entries(changes).filter(([name]) => name !== 'seed')),
  });
  return sameRecipe(seedless(one), seedless(other));
}

export interface FitNotice {
  readonly fit: Fit;
  /** `same`: the settings were these already. */
  readonly status: 'applied' | 'offered' | 'same';
  /** What was wanted before, to go back to. */
  readonly before: Recipe;
}

export interface FittingOptions {
  /** Whether the tab may keep something over a reload. */
  readonly keeps: boolean;
  /** Whether the reader may change settings at all. */
  readonly isAllowed: () => boolean;
}

export class Fitting {
  readonly #options: FittingOptions;
  /** The settings that the page chose; null once anybody else has. */
  #given: Recipe | null = null;
  /** What the reader does not want for this text. */
  #isDeclined = false;
  /** What to say of the text; null for nothing. */
  notice: FitNotice | null = null;

  constructor(options: FittingOptions) {
    this.#options = options;
  }

  /** The settings that the page begins with. `chosen`: a link or a lesson names some of them. */
  begin(recipe: Recipe, chosen: boolean): void {
    const kept = this.#options.keeps ? readRecipe(recall('tab', KEPT)) : null;
    // After a reload the address names what was applied before it.
    const isOurs = kept !== null && sameButSeed(kept, recipe);
    this.#given = chosen && !isOurs ? null : recipe;
  }

  /** The page has chosen these settings. */
  give(recipe: Recipe): void {
    this.#given = recipe;
    if (this.#options.keeps) keep('tab', KEPT, JSON.stringify(recipe));
  }

  /** Whether nobody but the page chose these settings. */
  isGiven(recipe: Recipe): boolean {
    return this.#given !== null && sameRecipe(this.#given, recipe);
  }

  /** Another text has come: what was declined for the last one may be offered again. */
  renew(): void {
    this.#isDeclined = false;
  }

  /** What was said of the last text goes. */
  forget(): void {
    this.notice = null;
    this.renew();
  }

  /** Takes up what suits the text; answers the settings to apply, or null where `wanted` stays. */
  take(found: Fit, wanted: Recipe): Recipe | null {
    if (!this.#options.isAllowed()) return null;
    const fit = { ...found, recipe: withSeedOf(found.recipe, wanted) };
    const last = this.notice;
    const isGiven = this.#given !== null && sameButSeed(this.#given, wanted);
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

  /** The reader asks for the settings that suit the text. */
  apply(found: Fit, wanted: Recipe): Recipe {
    const fit = { ...found, recipe: withSeedOf(found.recipe, wanted) };
    this.#isDeclined = false;
    this.give(fit.recipe);
    this.notice = { fit, before: wanted, status: 'applied' };
    return fit.recipe;
  }

  /** Takes applied settings back; answers those from before. They are still on offer. */
  undo({ fit, before }: FitNotice): Recipe {
    this.#given = null;
    this.notice = { fit, before, status: 'offered' };
    return before;
  }

  /** The reader keeps other settings. */
  decline(): void {
    this.#isDeclined = true;
    this.notice = null;
  }
}

/** A recipe that was kept; null for anything else that lies there. */
function readRecipe(text: string | null): Recipe | null {
  try {
    const { preset, changes } = JSON.parse(text ?? '') as Partial<Recipe>;
    const isRecipe = typeof preset === 'string' && typeof changes === 'object';
    return isRecipe ? { preset, changes: { ...changes } } : null;
  } catch {
    return null;
  }
}
