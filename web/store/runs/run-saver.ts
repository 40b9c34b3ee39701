/**
 * Saves the run from its worker when the page is left and cannot. This is the worker's side; the
 * page's is leaving-saves.ts.
 */
import type { DirectTrainer } from '../../engine/direct.ts';
import type { Checkpoint } from '../../engine/trainer.ts';
import { LossHistory } from '../../data/loss-history.ts';
import type { SavedAs, SaverMessage } from './leaving-saves.ts';
import { openRunChannel } from './run-channel.ts';
import { heldRuns } from './run-lock.ts';
import { RunStore } from './run-store.ts';

/** Milliseconds that training pauses after a save, until the next page answers. */
const PATIENCE = 2000;

export class RunSaver {
  readonly #trainer: DirectTrainer;
  readonly #channel = openRunChannel();
  #store: Promise<RunStore> | null = null;
  #answered: Int32Array | null = null;
  #run: SavedAs | null = null;
  /** Stamp of the last saved state. */
  #saved = '';
  /** Saves run one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(trainer: DirectTrainer) {
    this.#trainer = trainer;
  }

  take(message: SaverMessage): void {
    if (message.kind === 'open') {
      this.#answered = message.answered;
      // The page cannot open it either, and reports that.
      this.#store = RunStore.open(message.writer);
      this.#store.catch(() => undefined);
    } else if (message.kind === 'run') {
      this.#run = message.run;
    } else {
      this.#last = this.#last
        .then(() => this.#save())
        // Nobody may be left to be told; a page that stays reports its own next save.
        .catch(() => undefined)
        .then(() => {
          if (this.#answered !== null) Atomics.add(this.#answered, 0, 1);
        });
    }
  }

  /** Saves the run after its current step. */
  async #save(): Promise<void> {
    const [run, store] = [this.#run, await this.#store];
    const { place } = this.#trainer;
    if (run === null || store === null || place?.run !== run.number) return;
    const stamp = `${String(place.run)} ${String(place.step)} ${place.state}`;
    if (place.step === 0 || place.state === 'diverged' || stamp === this.#saved) return;
    const writing = this.#write(run, store);
    // Training pauses meanwhile: it would delay the write, and its steps would need another save.
    // If the page stays after all, it continues.
    void this.#trainer.hold(async () => {
      await writing.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    });
    if (!(await writing)) return;
    this.#saved = stamp;
    this.#channel?.postMessage(null);
  }

  /** False if another tab has resumed the run. */
  async #write({ note, facts, text, probe }: SavedAs, store: RunStore): Promise<boolean> {
    const spared = heldRuns();
    const point = await this.#trainer.checkpoint(note);
    const { state, step, steps, file, history } = point;
    const [updated, loss] = [Date.now(), smoothedLoss(point)];
    const save = { file, history, probe };
    return store.put({ ...facts, updated, state, step, steps, loss }, save, text, await spared);
  }
}

/** The loss as the page shows it. */
function smoothedLoss({ history, step }: Checkpoint): number | null {
  const losses = new LossHistory();
  losses.restore(history, step);
  return losses.smoothedLast() ?? null;
}
