/** The kept run that a reader is offered to go on with, after a reload or a crash. */
import { heldRuns, whenFree } from './run-lock.ts';
import type { RunList } from './run-list.ts';
import type { RunRecord } from './run-record.ts';

export class RunOffer {
  readonly #list: RunList;
  readonly #isWanted: () => boolean;
  readonly #changed: () => void;
  #run: RunRecord | null = null;

  /** `isWanted` is false once a run has begun. */
  constructor(list: RunList, isWanted: () => boolean, changed: () => void) {
    this.#list = list;
    this.#isWanted = isWanted;
    this.#changed = changed;
  }

  /** Null without one, or once the reader has dismissed it. */
  get run(): RunRecord | null {
    return this.#run;
  }

  /** Finds the run to offer: that of this tab before a reload, `own`, or else the newest. */
  async find(own: string | null): Promise<void> {
    const isHeld = own !== null && (await heldRuns()).has(own);
    // Read after that look: what a page that is gone had saved until then is in it.
    await this.#list.refresh();
    if (!isHeld) {
      await this.#offerNewest(own);
      return;
    }
    // The page before a reload is not gone yet, and saves its run until it is: then that is
    // offered.
    void whenFree(own)
      .then(() => this.#list.refresh())
      .then(() => this.#offerNewest(own));
  }

  withdraw(): void {
    this.#run = null;
  }

  async dismiss(): Promise<void> {
    const run = this.#run;
    this.withdraw();
    this.#changed();
    if (run !== null) await this.#list.change(run.id, { dismissed: true });
  }

  /** Offers the run of this tab, or else the newest that no tab works on. */
  async #offerNewest(own: string | null): Promise<void> {
    const records = this.#list.records.filter(({ dismissed }) => !dismissed);
    const held = await heldRuns();
    if (!this.#isWanted()) return;
    const ours = records.find(({ id }) => id === own);
    this.#run = ours ?? records.find(({ id }) => !held.has(id)) ?? null;
    this.#changed();
  }
}
