/**
 * What was done about the findings of the check-up, in order, and how each of it is taken back. It
 * outlives the panel, which is made anew for another language.
 */
import { ignore } from '../../../engine/errors.ts';
import { sameRecipe, valueOf } from '../../../engine/options.ts';
import type { Recipe } from '../../../engine/options.ts';
import type { AllWords } from '../../../i18n/index.ts';
import type { PageState } from '../../../store/page-state.ts';
import type { PanelContext } from '../../panel.ts';
import { adviceOn } from './advice.ts';
import type { Advice, Checked } from './advice.ts';
import { BYTES, isMend, mended } from './remedy.ts';
import type { Remedy } from './remedy.ts';
import { rowsAfter } from './rows.ts';
import type { Row } from './rows.ts';

/** The text and the settings that it changes. */
export type Hands = Pick<PanelContext, 'session' | 'state' | 'actions'>;

export class Treatment {
  #rows: readonly Row[] = [];
  /** What each row was told of when it was last found: its words in another language come of it. */
  readonly #told = new Map<string, Checked>();
  /** What was pressed and can be taken back, the last at the end. */
  #done: readonly Remedy[] = [];
  /** The tokenizer before `bytes` was done. */
  #tokenizer = BYTES.value as number;
  /**
   * The text before it was mended, and how to have it back as it was; null while it is not mended.
   */
  #unmended: { readonly text: string; readonly back: () => void } | null = null;
  /** The text that the remedies were for; another one cannot be taken back to. */
  #treated: { readonly source: string; readonly version: number } | null = null;
  /**
   * Not null while the text of a remedy is on its way: the next version is that one. Holds the
   * error that the text had before it.
   */
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

  get done(): readonly Remedy[] {
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

  /** Carries a remedy out, once what was pressed before it is done. */
  carryOut(remedy: Remedy, hands: Hands): Promise<void> {
    return this.#inTurn(() => this.#carryOut(remedy, hands));
  }

  /** Undoes one remedy. */
  takeBack(remedy: Remedy, hands: Hands): Promise<void> {
    return this.#inTurn(() => {
      this.#takeBack([remedy], hands);
    });
  }

  takeAllBack(hands: Hands): Promise<void> {
    return this.#inTurn(() => {
      this.#takeBack(this.#done, hands);
    });
  }

  /**
   * After what was pressed before. A text that could not be read has been said, and stops nothing
   * else.
   */
  #inTurn(press: () => void | Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(press).catch(ignore);
    return this.#queue;
  }

  /** Forgets the remedies of the text, or of what they set, once that is another by other hands. */
  follow({ session, state }: Hands): void {
    const now = session();
    if (now === null) return;
    const { source, version, textError } = state;
    const treated = this.#treated ?? { source, version };
    const isOther = version !== treated.version;
    // The text of the remedy will not come: nothing was done.
    const isLost =
      this.#awaited !== null && textError !== null && textError !== this.#awaited.error;
    if (source !== treated.source || isLost || (isOther && this.#awaited === null)) {
      this.#overtaken = source === treated.source && !isLost && this.#unmended !== null;
      this.#done = this.#done.filter((remedy) => !isMend(remedy));
      [this.#unmended, this.#pressed] = [null, false];
    }
    if (isOther || isLost) this.#awaited = null;
    this.#treated = { source, version };
    // The settings may have been changed by hand.
    const isBytes = valueOf(now.table, now.recipe, BYTES.option) === BYTES.value;
    if (!isBytes) this.#done = this.#done.filter(isMend);
    if (this.#left === null || !sameRecipe(this.#left, now.recipe)) this.#pressed = false;
    this.#left = now.recipe;
  }

  async #carryOut(remedy: Remedy, hands: Hands): Promise<void> {
    const { session, actions } = hands;
    const now = session();
    if (now === null) return;
    if (isMend(remedy)) {
      const text = await actions.readText();
      this.#done = [...this.#done, remedy];
      this.#ours(hands, () => {
        const back = actions.onMend(mended(text, [remedy]));
        this.#unmended ??= { text, back };
        this.#overtaken = false;
      });
    } else {
      this.#done = [...this.#done, remedy];
      this.#tokenizer = valueOf(now.table, now.recipe, BYTES.option);
      actions.onOption(BYTES.option, BYTES.value);
    }
    this.#rest(hands);
  }

  /** Undoes some remedies. All other changes of the text are made anew without them. */
  #takeBack(gone: readonly Remedy[], hands: Hands): void {
    const { actions } = hands;
    this.#done = this.#done.filter((remedy) => !gone.includes(remedy));
    if (gone.includes('bytes')) actions.onOption(BYTES.option, this.#tokenizer);
    if (this.#unmended !== null && gone.some(isMend)) {
      const { text, back } = this.#unmended;
      const rest = this.#done.filter(isMend);
      if (rest.length === 0) this.#unmended = null;
      this.#ours(hands, () => {
        if (rest.length === 0) back();
        else actions.onMend(mended(text, rest));
      });
    }
    // Until the text has been looked at again, it is as before the press.
    this.#rows = this.#rows.map((row) =>
      row.remedies.some((remedy) => gone.includes(remedy)) ? { ...row, found: true } : row,
    );
    this.#rest(hands);
  }

  /**
   * The text becomes another one by what is done here: what was mended before can still be undone.
   */
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
