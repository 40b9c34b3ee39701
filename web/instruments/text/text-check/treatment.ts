/**
 * The list of the text check, and the cures that were pressed. After a press, rows keep their
 * places until the text is changed in another way: a button that does something else must not move
 * to where somebody has just pressed. It outlives the panel, which is made anew for another
 * language.
 */
import { ignore } from '../../../engine/errors.ts';
import type { PanelContext } from '../../panel.ts';
import { CURES } from './advice.ts';
import type { Advice, Cure } from './advice.ts';

/** The text that it changes. */
export type TreatmentDependencies = Pick<PanelContext, 'session' | 'actions'>;

/** A row: what was said last of a finding, and whether it is still found. */
export interface Row extends Advice {
  readonly found: boolean;
}

interface Press {
  readonly cure: Cure;
  /** The text before it, and what brings that back as it was. */
  readonly before: string;
  readonly back: () => void;
}

export class Treatment {
  #rows: readonly Row[] = [];
  /** What can be undone, the last press at the end. */
  #presses: readonly Press[] = [];
  /** The text as it was examined or changed last; any other is somebody else's. */
  #text = '';
  /** One press after the other: each changes what the one before it made. */
  #queue: Promise<void> = Promise.resolve();

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** What `undo` takes back; null if nothing. */
  get last(): Cure | null {
    return this.#presses.at(-1)?.cure ?? null;
  }

  /** A text was examined: one that was not made here ends what could be undone. */
  follow(text: string): void {
    if (text !== this.#text) this.#presses = [];
    this.#text = text;
  }

  /** The rows after another look: those that were there first, in their order. */
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

  /** Applies a cure, once what was pressed before it is done. */
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

  /** Takes the last press back, unless the text has been changed by hand since. */
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

  /** Until the text has been examined again. */
  #mark(cure: Cure, found: boolean): void {
    this.#rows = this.#rows.map((row) => (row.cure === cure ? { ...row, found } : row));
  }

  /** A text that could not be read has been said, and stops nothing that is pressed later. */
  #inTurn(press: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(press).catch(ignore);
    return this.#queue;
  }
}
