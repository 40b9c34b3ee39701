/** Stands for `app/runs/run-store.ts` in a form that keeps no runs: its notebook or page does. */
import { failure } from '../engine/errors.ts';

export const RunStore = {
  open: (): Promise<never> => Promise.reject(failure('storage-denied', 'no runs are kept here')),
};
