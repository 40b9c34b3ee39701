/** Stands for `store/text/file-store.ts` in a form that keeps no texts: its notebook or page does. */
import { failure } from '../engine/errors.ts';

export const openFileStore = (): Promise<never> =>
  Promise.reject(failure('storage-denied', 'no texts are kept here'));
