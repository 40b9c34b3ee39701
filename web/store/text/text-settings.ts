/**
 * The settings that come with a text: those fitted to it, or the preset of a sample text.
 * What the page says of them stands in its state.
 */
import { findOption, valueOf, withChange } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import { canChange, isOn } from '../address/lesson.ts';
import type { Lesson } from '../address/lesson.ts';
import { namesSettings, readRecipe } from '../address/page-settings.ts';
import type { Address } from '../address/page-settings.ts';
import type { PageState } from '../page-state.ts';
import type { ChooseFit, Session } from '../training/session.ts';
import { Fitting } from './fitting.ts';
import { SuitedRecipe } from './suited-recipe.ts';
import type { Coming } from './text-controller.ts';
import { whyUseless } from './text-source.ts';
import type { LoadedText } from './text-source.ts';

export interface TextSettingsOptions {
  /** What is said of the settings is written here. */
  readonly state: PageState;
  readonly session: () => Session | null;
  readonly address: () => Address;
  readonly lesson: () => Lesson;
  /** Whether the tab may keep something over a reload. */
  readonly keeps: boolean;
  readonly setRecipe: (recipe: Recipe) => void;
  readonly changed: () => void;
}

export class TextSettings {
  readonly #options: TextSettingsOptions;
  readonly #suited = new SuitedRecipe();
  readonly #fitting: Fitting;

  constructor(options: TextSettingsOptions) {
    this.#options = options;
    const { keeps, lesson } = options;
    this.#fitting = new Fitting({ keeps, isAllowed: () => canChange(lesson(), 'settings') });
  }

  /** The settings that the page begins with. */
  begin(recipe: Recipe, table: OptionTable): void {
    const isChosen = !this.#isAskedFor() && namesSettings(this.#options.address(), table);
    this.#fitting.begin(recipe, isChosen);
  }

  /** A text has come, which `send` may follow. */
  come(text: LoadedText, coming: Coming): void {
    // What is said stays until the new text has been looked at, so that nothing moves meanwhile.
    if (coming === 'given' || text.bytes.length === 0 || whyUseless(text) !== null) {
      this.forget();
    } else if (coming === 'put') this.#fitting.renew();
  }

  /**
   * The text goes to the engine; settings are fitted to it where a reader put it in, or a host asks
   * for it.
   */
  send(to: Session, text: LoadedText, coming: Coming): void {
    const asked = this.#isAskedFor();
    // What a reader has chosen meanwhile stays, where there is a choice.
    const isFree = coming !== 'given' && canChange(this.#options.lesson(), 'settings');
    const choose: ChooseFit = (fit) => {
      if (!asked) return this.#said(this.#fitting.take(fit, to.recipe));
      const suited = { ...fit, recipe: this.#withNamed(fit.recipe, to.table) };
      const recipe = this.#fitting[isFree ? 'take' : 'apply'](suited, to.recipe);
      if (recipe !== null && to.lessonRecipe !== null) to.giveLesson(recipe);
      return this.#said(recipe);
    };
    to.setText(text, asked || coming !== 'given' ? choose : null, coming === 'typed');
  }

  /** Another text was chosen in the place of `from`: what comes with it. */
  follow(from: string, to: string): void {
    this.#bring((wanted) => this.#suited.follow(from, to, wanted, this.#isByHand(wanted)));
  }

  /** The reader's own text came back in the place of another. */
  exchange(): void {
    this.#bring((wanted) => this.#suited.exchange(wanted));
  }

  /** Applies the settings that suit the text. */
  apply(): void {
    const now = this.#options.session();
    now?.fit((fit) => this.#said(this.#fitting.apply(fit, now.recipe)));
  }

  /** Takes them back. */
  undo(): void {
    const { notice } = this.#fitting;
    if (notice !== null) this.#options.setRecipe(this.#said(this.#fitting.undo(notice)));
  }

  /** Stops offering them. */
  decline(): void {
    this.#fitting.decline();
    this.#said(null);
    this.#options.changed();
  }

  forget(): void {
    this.#fitting.forget();
    this.#said(null);
  }

  /** Shows what is said of fitted settings; hands them on. */
  #said<Settings extends Recipe | null>(recipe: Settings): Settings {
    this.#options.state.fitNotice = this.#fitting.notice;
    return recipe;
  }

  /** Whether the address or the host wants settings that suit the text. */
  #isAskedFor(): boolean {
    const { params } = this.#options.address();
    return isOn(params.get('fit')) && !params.has('preset');
  }

  /** A recipe with the settings on top that the address or the host names itself. */
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

  /** Whether the reader has changed some of these settings. */
  #isByHand(recipe: Recipe): boolean {
    return Object.keys(recipe.changes).length > 0 && !this.#fitting.isGiven(recipe);
  }

  /**
   * The settings that come with a text that was chosen; what they were before is said beside it.
   */
  #bring(choose: (wanted: Recipe) => Recipe | null): void {
    const { state, session, setRecipe, changed } = this.#options;
    const now = session();
    state.brought = null;
    // An opened model keeps its settings.
    if (now === null || now.model !== null) return;
    const { recipe: wanted } = now;
    const recipe = choose(wanted);
    const { source } = state;
    if (recipe === null) {
      const before = this.#suited.presetBefore(source, wanted);
      if (before !== null) state.brought = { source, recipe: wanted, before };
      else if (this.#isByHand(wanted)) state.brought = { source, recipe: wanted, stays: true };
      changed();
      return;
    }
    state.brought = recipe.preset === wanted.preset ? null : { source, recipe, from: wanted };
    this.#fitting.give(recipe);
    setRecipe(recipe);
  }
}
