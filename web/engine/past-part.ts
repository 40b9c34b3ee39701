/** What a trainer keeps of the past of its run, and how it goes back in one. */
import { TRACES } from '../base/form.ts';
import { failure, ignore } from './errors.ts';
import { currentRun } from './run.ts';
import type { Run, RunSlot } from './run.ts';
import type { WayBack } from './trainer.ts';

export class PastPart {
  readonly #slot: RunSlot;
  /** Counts the ways back that were begun. */
  #ways = 0;

  constructor(slot: RunSlot) {
    this.#slot = slot;
  }

  async keep(bytes: number, fileBytes: number): Promise<void> {
    if (!TRACES) throw failure('questions', 'this form of the page does not look back');
    this.#slot.snapshots = null;
    if (bytes === 0) return;
    const { KeptSnapshots } = await import('./kept-snapshots.ts');
    const snapshots = new KeptSnapshots(bytes);
    this.#slot.snapshots = snapshots;
    if (this.#slot.run !== null) snapshots.note(this.#slot.run);
    if (fileBytes === 0) return;
    // Nothing waits for the disk.
    void import('./snapshot-file.ts')
      .then(({ SnapshotFile }) => SnapshotFile.open(fileBytes))
      .then((file) => {
        if (file !== null) snapshots.addFile(file);
      }, ignore);
  }

  giveUp(): void {
    this.#ways++;
  }

  /** Goes there; `rest` ends what the run was doing, `show` tells where it is then. */
  async goBack(
    way: WayBack,
    { rest, show }: { readonly rest: (run: Run) => void; readonly show: (run: Run) => void },
    onProgress?: (step: number) => void,
  ): Promise<void> {
    if (!TRACES) throw failure('questions', 'this form of the page does not look back');
    const count = ++this.#ways;
    const { goBack } = await import('./going-back.ts');
    const run = currentRun(this.#slot);
    const isWanted = (): boolean => count === this.#ways && run === this.#slot.run;
    const check = (): void => {
      if (!isWanted()) throw failure('cancelled', 'another step is looked at now');
    };
    rest(run);
    check();
    try {
      await goBack(run.model, way, check, onProgress);
    } catch (thrown) {
      // It may have gone a part of the way.
      if (isWanted()) show(run);
      throw thrown;
    }
    show(run);
  }
}
