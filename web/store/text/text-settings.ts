/**
 * Settings that follow from a text: those fitted to it, or the preset of a sample text; and the
 * notices about them in the page's state.
 */
import { SITE } from '../../base/form.ts';
import { findOption, valueOf, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import { canChange, isOn } from '../address/lesson.ts';
import type { Lesson } from '../address/lesson.ts';
import { namesSettings, readRecipe } from '../address/page-settings.ts';
import type { Address } from '../address/page-settings.ts';
import type { PageState } from '../page-state.ts';
import type { ChooseFit, Session } from '../training/session.ts';
import { Fitting, sameButSeed } from './fitting.ts';
import { SuitedRecipe } from './suited-recipe.ts';
import type { Coming } from './text-controller.ts';
import type { LoadedText } from './text-source.ts';
import { findSample } from './texts.ts';
import type { SampleText } from './texts.ts';

export interface TextSettingsOptions {
  /** Receives the notices about the settings. */
  readonly state: PageState;
  readonly session: () => Session | null;
  readonly address: () => Address;
  readonly lesson: () => Lesson;
  /** Whether the app is the site's own page. */
  readonly onSite: boolean;
  /** Whether values may be kept in the tab's storage. */
  readonly keeps: boolean;
  readonly setRecipe: (recipe: Recipe) => void;
  readonly changed: () => void;
}

export class TextSettings {
  readonly #options: TextSettingsOptions;
  readonly #suited: SuitedRecipe;
  readonly #fitting: Fitting;
  /** A text loaded before the session began; null for none. */
  #early: Parameters<TextSettings['learn']> | null = null;

  constructor(options: TextSettingsOptions) {
    this.#options = options;
    const { keeps, lesson } = options;
    this.#suited = new SuitedRecipe((sample) => this.#recipeOf(sample));
    this.#fitting = new Fitting({ keeps, isAllowed: () => canChange(lesson(), 'settings') });
  }

  /** Called when the session begins, with its initial recipe; sends it the text loaded before. */
  begin(session: Session): void {
    const { recipe, table } = session;
    const address = this.#options.address();
    const sample = findSample(address.source);
    const isOurs = sample !== undefined && sameButSeed(this.#recipeOf(sample), recipe);
    const isChosen = !this.#isAskedFor() && !isOurs && namesSettings(address, table);
    session.fitVersion = this.#version();
    this.#fitting.begin(recipe, isChosen);
    this.#publish(null);
    if (this.#early !== null) this.learn(...this.#early);
    this.#early = null;
  }

  /**
   * Sends a loaded text to the session, now or when the session begins. Settings are fitted to a
   * text from the reader, or if link or host ask for it.
   */
  learn(text: LoadedText, coming: Coming): void {
    const { session, lesson } = this.#options;
    // The notice stays until the new text is analysed, so that the layout does not jump.
    if (coming === 'given' || text.bytes.length === 0 || text.useless !== null) {
      this.forget();
    } else if (coming === 'put') this.#fitting.renew();
    const now = session();
    if (now === null) {
      this.#early = [text, coming];
      return;
    }
    const asked = this.#isAskedFor();
    now.fitVersion = this.#version();
    // Settings that a reader has chosen stay, if the reader may choose any.
    const isFree = coming !== 'given' && canChange(lesson(), 'settings');
    const choose: ChooseFit = (fit) => {
      if (!asked) {
        const fitted = this.#fitting.take(fit, now.recipe);
        if (fitted !== null) this.#suited.refit(now.recipe, fitted);
        return this.#publish(fitted);
      }
      const suited = { ...fit, recipe: this.#withNamed(fit.recipe, now.table) };
      const recipe = this.#fitting[isFree ? 'take' : 'apply'](suited, now.recipe);
      if (recipe !== null && now.lessonRecipe !== null) now.giveLesson(recipe);
      return this.#publish(recipe);
    };
    now.setText(text, asked || coming !== 'given' ? choose : null, coming === 'typed');
  }

  /** Applies the settings of a text chosen after `from`. */
  follow(from: string, to: string): void {
    this.#applyChosen((wanted) => this.#suited.follow(from, to, wanted, this.#isByHand(wanted)));
  }

  /** Swaps settings when the reader's own text is restored. */
  exchange(): void {
    this.#applyChosen((wanted) => this.#suited.exchange(wanted));
  }

  /** Applies the settings that suit the text. */
  apply(): void {
    const now = this.#options.session();
    now?.fit((fit) => this.#publish(this.#fitting.apply(fit, now.recipe)));
  }

  /** Undoes the applied settings. */
  undo(): void {
    const { notice } = this.#fitting;
    if (notice !== null) this.#options.setRecipe(this.#publish(this.#fitting.undo(notice)));
  }

  /** Declines the offered settings. */
  decline(): void {
    this.#fitting.decline();
    this.#publish(null);
    this.#options.changed();
  }

  forget(): void {
    this.#fitting.forget();
    this.#publish(null);
  }

  /** Publishes the notice and the page's own recipe; returns its argument. */
  #publish<Settings extends Recipe | null>(recipe: Settings): Settings {
    const { state } = this.#options;
    state.fitNotice = this.#fitting.notice;
    state.pageRecipe = this.#fitting.pageRecipe;
    return recipe;
  }

  #recipeOf({ preset, onPage }: SampleText): Recipe {
    return SITE && this.#options.onSite ? onPage : { preset, changes: {} };
  }

  /** Whether link or host ask for settings that suit the text. */
  #isAskedFor(): boolean {
    const { params } = this.#options.address();
    return isOn(params.get('fit')) && !params.has('preset');
  }

  /**
   * Version of the rules that link or host ask for; undefined for the newest. Older links do not
   * name one and mean the first.
   */
  #version(): number | undefined {
    const { params } = this.#options.address();
    const value = params.get('fit');
    if (!isOn(value) || params.has('preset')) return undefined;
    return /^[1-9]\d?$/.test(value ?? '') ? Number(value) : 1;
  }

  /** The recipe with the settings named by link or host. */
  #withNamed(recipe: Recipe, table: OptionTable): Recipe {
    const address = this.#options.address();
    const named = readRecipe(address, table);
    const names = [...new Set(address.params.keys())].filter((name) => findOption(table, name));
    const { leftOut } = named;
    return names.reduce(
      (made, name) => withChange(table, made, name, valueOf(table, named, name)),
      leftOut === undefined ? recipe : { ...recipe, leftOut },
    );
  }

  /** Whether the reader has changed settings of this recipe. */
  #isByHand(recipe: Recipe): boolean {
    return Object.keys(recipe.changes).length > 0 && !this.#fitting.isGiven(recipe);
  }

  /**
   * Applies the settings that `choose` returns for a chosen text, and sets the notice about them.
   */
  #applyChosen(choose: (wanted: Recipe) => Recipe | null): void {
    const { state, session, lesson, setRecipe, changed } = this.#options;
    const now = session();
    state.brought = null;
    // The settings of an opened model cannot change, nor those that a lesson locks.
    if (now === null || now.model !== null || lesson().lock.has('settings')) return;
    const { recipe: wanted } = now;
    const recipe = choose(wanted);
    const { source } = state;
    if (recipe === null) {
      const before = this.#suited.presetBefore(source, wanted);
      if (before !== null) state.brought = { source, recipe: wanted, before };
      else if (this.#isByHand(wanted)) {
        const stays = changesBeyond(wanted, this.#fitting.pageRecipe);
        state.brought = { source, recipe: wanted, stays };
      }
      changed();
      return;
    }
    state.brought = recipe.preset === wanted.preset ? null : { source, recipe, from: wanted };
    this.#fitting.give(recipe);
    setRecipe(this.#publish(recipe));
  }
}

/** `recipe` without the changes that `base` has too, if they have the same preset. */
function changesBeyond(recipe: Recipe, base: Recipe | null): Recipe {
  if (recipe.preset !== base?.preset) return recipe;
  const own = Object.entries(recipe.changes).filter(
    ([name, value]) => base.changes[name] !== value,
  );
  return own.length === 0 ? recipe : { ...recipe, changes: Object.fromEntries(own) };
}
