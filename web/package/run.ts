/**
 * Calls of a host (store/host/host.ts) that a trainer lacks: `train`, `status` and `losses`, with
 * the same names and meaning in every form.
 */
import { LossHistory } from '../data/loss-history.ts';
import { failure, GlasshouseError } from '../engine/errors.ts';
import { wrongOf } from '../engine/interface/check.ts';
import type { Snapshot, Trainer } from '../engine/trainer.ts';
import { QUESTIONS } from '../store/host/host.ts';
import type { AskOptions, Status } from '../store/host/host.ts';

/** Status of a trainer's run. */
export type RunStatus = Omit<Status, 'preset' | 'place' | 'state'> & {
  readonly state: 'loading' | Snapshot['state'];
};

/** A trainer that knows how its run goes. */
export interface RunCalls {
  /**
   * Trains the prepared run to step `until`, by default to the end, and resolves there. Rejects
   * with GlasshouseError: `paused` if the run is paused before, `diverged` if the loss diverges,
   * `cancelled` if the signal aborts, which also pauses the run, `worker` if the trainer is closed,
   * or the reason why it cannot start.
   */
  train(until?: number, options?: AskOptions): Promise<RunStatus>;
  /** Status of the newest report; the state is `loading` before the first run. */
  status(): RunStatus;
  /**
   * Stored losses in nats per token, from step 1; a long run stores only every second, fourth, …
   * step.
   */
  losses(): readonly number[];
}

/** Adds the calls to `trainer`. */
export function withRun<Running extends Trainer>(trainer: Running): Running & RunCalls {
  let last: Snapshot | null = null;
  let history = new LossHistory();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  let isClosed = false;
  void trainer.closed.then(() => {
    isClosed = true;
    wake();
  });
  trainer.subscribe((snapshot) => {
    if (snapshot.run !== last?.run) history = new LossHistory();
    last = snapshot;
    history.append(snapshot.lossesFrom, snapshot.losses);
    for (const { step, loss } of snapshot.validations) history.addValidation(step, loss);
    wake();
  });

  const status = (): RunStatus => ({
    state: last?.state ?? 'loading',
    step: last?.step ?? 0,
    steps: last?.steps ?? 0,
    loss: history.last ?? null,
    smoothedLoss: history.smoothedLast() ?? null,
    validationLoss: history.lastValidation?.loss ?? null,
    error: last?.error ?? null,
  });
  /** Resolves once `condition` holds after a report, or the trainer is closed. */
  const reaches = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!condition() && !isClosed) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });

  const train = async (until?: number, { signal }: AskOptions = {}): Promise<RunStatus> => {
    const wrong = wrongOf('train', QUESTIONS.train.args, [until]);
    if (wrong !== null) throw wrong;
    const goal = until ?? Infinity;
    const isThere = (): boolean => last !== null && last.step >= goal;
    const isAborted = (): boolean => signal?.aborted === true;
    const cancel = (): void => {
      void trainer.pause();
    };
    if (isThere()) return status();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      if (!isAborted()) {
        await trainer.start(until);
        await reaches(() => last?.state !== 'running' || isThere());
      }
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    const now = status();
    if (isAborted()) throw failure('cancelled', 'the signal was given');
    if (isClosed) throw failure('worker', 'the trainer was closed');
    if (now.state === 'finished' || isThere()) return now;
    if (now.state !== 'diverged') throw failure('paused', 'the run was paused', [now.step]);
    throw new GlasshouseError(now.error ?? failure('diverged', 'the loss is no number any more'));
  };
  return Object.assign(trainer, { train, status, losses: () => history.all });
}
