/** The saved run that the reader is offered to resume after a reload or a crash. */
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

  /** The offered run; null if none, or if dismissed. */
  get run(): RunRecord | null {
    return this.#run;
  }

  /** Finds the run to offer: `own`, the run of this tab before a reload, or else the newest. */
  async find(own: string | null): Promise<void> {
    const isHeld = own !== null && (await heldRuns()).has(own);
    // Refreshed after the lock check, to include the last save of the old page.
    await this.#list.refresh();
    if (!isHeld) {
      await this.#offerNewest(own);
      return;
    }
    // The old page still lives and saves its run: the offer waits for its end.
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

  /** Offers the run of this tab, or else the newest that no tab holds. */
  async #offerNewest(own: string | null): Promise<void> {
    const records = this.#list.records.filter(({ dismissed }) => !dismissed);
    const held = await heldRuns();
    if (!this.#isWanted()) return;
    const ours = records.find(({ id }) => id === own);
    this.#run = ours ?? records.find(({ id }) => !held.has(id)) ?? null;
    this.#changed();
  }
}
