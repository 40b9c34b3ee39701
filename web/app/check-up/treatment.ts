/**
 * What was done about the findings of the check-up, in order, and how each of it is taken back. It
 * outlives the panel, which is made anew for another language.
 */
import { sameRecipe, valueOf } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { PageState, PanelContext } from '../panels/panel.ts';
import { adviceOn } from './advice.ts';
import type { Advice, Checked } from './advice.ts';
import { mendOf, mended } from './remedy.ts';
import type { Mend, Remedy } from './remedy.ts';
import { isSame, rowsAfter } from './rows.ts';
import type { Done, Row } from './rows.ts';

/** What it acts on: the text and the settings, by the hands of whoever presses. */
export type Hands = Pick<PanelContext, 'session' | 'state' | 'actions'>;

/** Something that was done, and the settings before it. */
interface Entry extends Done {
  readonly before: Recipe;
}

export class Treatment {
  #rows: readonly Row[] = [];
  /** What each row was told of when it was last found: its words in another language come of it. */
  readonly #told = new Map<string, Checked>();
  /** What was pressed and can be taken back, the last at the end. */
  #done: readonly Entry[] = [];
  /** The text before it was mended, and how to have it back as it was; null while it is not mended. */
  #unmended: { readonly bytes: Uint8Array; readonly back: () => void } | null = null;
  /** The text that the remedies were for; another one cannot be taken back to. */
  #treated: { readonly source: string; readonly version: number } | null = null;
  /** A remedy's text is on its way: the next version is of our making. With what was wrong before it. */
  #awaited: { readonly error: PageState['textError'] } | null = null;
  #pressed = false;
  #overtaken = false;
  /** The settings as they were left here. */
  #left: Recipe | null = null;
  /** One press after the other: each changes what the one before it made. */
  #queue: Promise<void> = Promise.resolve();

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get done(): readonly Done[] {
    return this.#done;
  }

  /** Whether a press was the last that changed text or settings: then rows keep their places. */
  get pressed(): boolean {
    return this.#pressed;
  }

  /** Whether what was done to the text cannot be undone since somebody has changed it by hand. */
  get overtaken(): boolean {
    return this.#overtaken;
  }

  /** There is nothing to say. */
  clear(): void {
    this.#rows = [];
  }

  /** The rows after another look at the text. */
  look(checked: Checked, advice: readonly Advice[]): void {
    // The advice is on the text before the one that is on its way.
    if (this.#awaited !== null) return;
    for (const { id } of advice) this.#told.set(id, checked);
    this.#rows = rowsAfter(this.#rows, advice, this.#done, this.#pressed);
  }

  /** Says what is there in other words. */
  retell(words: AllWords): void {
    this.#rows = this.#rows.map((row) => {
      const checked = this.#told.get(row.id);
      const advice = checked === undefined ? [] : adviceOn(checked, words);
      const again = advice.find(({ id }) => id === row.id);
      if (again === undefined) return row;
      const { remedies, offered, found } = row;
      return { ...again, remedies, offered, found };
    });
  }

  /** Carries a remedy of the row `id` out, once what was pressed before it is done. */
  carryOut(id: string, remedy: Remedy, hands: Hands): Promise<void> {
    this.#queue = this.#queue.then(() => this.#carryOut(id, remedy, hands));
    return this.#queue;
  }

  /** Takes one of what was done back. */
  takeBack(id: string, remedy: Remedy, hands: Hands): Promise<void> {
    this.#queue = this.#queue.then(() => {
      this.#takeBack(
        this.#done.filter((one) => isSame(one, id, remedy)),
        hands,
      );
    });
    return this.#queue;
  }

  takeAllBack(hands: Hands): Promise<void> {
    this.#queue = this.#queue.then(() => {
      this.#takeBack(this.#done, hands);
    });
    return this.#queue;
  }

  /** Forgets the remedies of the text, or of what they set, once that is another by other hands. */
  follow({ session, state }: Hands): void {
    const now = session();
    if (now === null) return;
    const { source, version, textError } = state;
    const treated = this.#treated ?? { source, version };
    const isOther = version !== treated.version;
    // It will not come: what was done is not, and what there is is what it is.
    const isLost =
      this.#awaited !== null && textError !== null && textError !== this.#awaited.error;
    if (source !== treated.source || isLost || (isOther && this.#awaited === null)) {
      this.#overtaken = source === treated.source && !isLost && this.#unmended !== null;
      this.#done = this.#done.filter(({ remedy }) => mendOf(remedy) === null);
      [this.#unmended, this.#pressed] = [null, false];
    }
    if (isOther || isLost) this.#awaited = null;
    this.#treated = { source, version };
    // The settings may have been changed by hand.
    this.#done = this.#done.filter(({ remedy }) => {
      if (remedy.kind === 'preset') return now.recipe.preset === remedy.preset;
      if (remedy.kind !== 'option') return true;
      return valueOf(now.table, now.recipe, remedy.name) === remedy.value;
    });
    if (this.#left === null || !sameRecipe(this.#left, now.recipe)) this.#pressed = false;
    this.#left = now.recipe;
  }

  async #carryOut(id: string, remedy: Remedy, hands: Hands): Promise<void> {
    const { session, actions } = hands;
    const now = session();
    if (now === null) return;
    const mend = mendOf(remedy);
    const bytes = mend === null ? null : await actions.readBytes();
    this.#done = [...this.#done, { id, remedy, before: now.recipe }];
    if (remedy.kind === 'option') actions.onOption(remedy.name, remedy.value);
    else if (remedy.kind === 'preset') actions.onPreset(remedy.preset);
    else if (bytes !== null) {
      this.#ours(hands, () => {
        const back = actions.onMend(mended(bytes, [remedy.kind]));
        this.#unmended ??= { bytes, back };
        this.#overtaken = false;
      });
    }
    this.#rest(hands);
  }

  /** Takes some of what was done back. All other changes of the text are made anew without it. */
  #takeBack(gone: readonly Entry[], hands: Hands): void {
    const { session, actions } = hands;
    const now = session();
    if (now === null) return;
    this.#done = this.#done.filter((one) => !gone.includes(one));
    for (const { remedy, before } of [...gone].reverse()) {
      if (remedy.kind === 'preset') actions.onRecipe(before);
      if (remedy.kind !== 'option') continue;
      actions.onOption(remedy.name, valueOf(now.table, before, remedy.name));
    }
    const mends = (all: readonly Entry[]): Mend[] =>
      all.map(({ remedy }) => mendOf(remedy)).filter((mend) => mend !== null);
    if (this.#unmended !== null && mends(gone).length > 0) {
      const { bytes, back } = this.#unmended;
      const rest = mends(this.#done);
      if (rest.length === 0) this.#unmended = null;
      this.#ours(hands, () => {
        if (rest.length === 0) back();
        else actions.onMend(mended(bytes, rest));
      });
    }
    // Until the text has been looked at again, it is as before the press.
    this.#rows = this.#rows.map((row) =>
      gone.some(({ id }) => id === row.id) ? { ...row, found: true } : row,
    );
    this.#rest(hands);
  }

  /** The text becomes another one by what is done here: what was mended before can still be undone. */
  #ours({ state }: Hands, act: () => void): void {
    const { version } = this.#treated ?? state;
    this.#awaited = { error: state.textError };
    act();
    this.#treated = { source: state.source, version };
  }

  /** The settings are left as they are now, by a press here. */
  #rest({ session }: Hands): void {
    this.#left = session()?.recipe ?? null;
    this.#pressed = true;
  }
}
