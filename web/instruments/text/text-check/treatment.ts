/**
 * The list of the text check and the applied cures. After a press, rows keep their places until the
 * text is changed otherwise, so that no other button moves under the pointer. Survives a change of
 * language, in which the panel is made again.
 */
import { ignore } from '../../../engine/errors.ts';
import type { PanelContext } from '../../panel.ts';
import { CURES } from './advice.ts';
import type { Advice, Cure } from './advice.ts';

/** Parts of the panel context used here. */
export type TreatmentDependencies = Pick<PanelContext, 'session' | 'actions'>;

/** A row: the latest advice on a fault, and whether the text still has it. */
export interface Row extends Advice {
  readonly found: boolean;
}

interface Press {
  readonly cure: Cure;
  /** The text before the cure, and the function that restores it. */
  readonly before: string;
  readonly back: () => void;
}

export class Treatment {
  #rows: readonly Row[] = [];
  /** Cures that can be undone, the newest last. */
  #presses: readonly Press[] = [];
  /** The text as last examined or cured; a different text was changed elsewhere. */
  #text = '';
  /** Cures run one after another, because each changes the result of the previous one. */
  #queue: Promise<void> = Promise.resolve();

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** The cure that `undo` would revert; null if none. */
  get last(): Cure | null {
    return this.#presses.at(-1)?.cure ?? null;
  }

  /** Records the present text. Clears the undo list if the text was changed elsewhere. */
  follow(text: string): void {
    if (text !== this.#text) this.#presses = [];
    this.#text = text;
  }

  /** Updates the rows after an examination. While Undo is possible, rows keep their places. */
  look(advice: readonly Advice[]): void {
    const fresh = new Map(advice.map((one) => [one.id, one]));
    const before = this.#presses.length === 0 ? [] : this.#rows;
    const rows = before.map((row) => {
      const now = fresh.get(row.id);
      fresh.delete(row.id);
      return { ...row, ...now, found: now !== undefined };
    });
    this.#rows = [...rows, ...[...fresh.values()].map((one) => ({ ...one, found: true }))];
  }

  /** Applies a cure, after earlier presses are done. */
  apply(cure: Cure, { session, actions }: TreatmentDependencies): Promise<void> {
    return this.#inTurn(async () => {
      if (session() === null) return;
      const before = await actions.readText();
      this.follow(before);
      this.#text = CURES[cure](before);
      const back = actions.onMend(this.#text);
      this.#presses = [...this.#presses, { cure, before, back }];
      this.#mark(cure, false);
    });
  }

  /** Reverts the last cure, unless the text was changed by hand since. */
  undo({ actions }: TreatmentDependencies): Promise<void> {
    return this.#inTurn(async () => {
      this.follow(await actions.readText());
      const last = this.#presses.at(-1);
      if (last === undefined) return;
      this.#presses = this.#presses.slice(0, -1);
      this.#text = last.before;
      this.#mark(last.cure, true);
      last.back();
    });
  }

  /** Sets the state of a row until the text is examined again. */
  #mark(cure: Cure, found: boolean): void {
    this.#rows = this.#rows.map((row) => (row.cure === cure ? { ...row, found } : row));
  }

  /**
   * Runs presses in order. An unreadable text is reported elsewhere and does not block later
   * presses.
   */
  #inTurn(press: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(press).catch(ignore);
    return this.#queue;
  }
}
