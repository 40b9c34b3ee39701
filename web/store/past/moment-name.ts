/** The database of moments, for who does not read it. */
import { TRACES } from '../../base/form.ts';

export const MOMENTS_NAME = 'glasshouse-past';

/** Frees what looking back at saved runs takes: it goes before any run does. Waits for no tab. */
export function dropMoments(): void {
  if (TRACES) indexedDB.deleteDatabase(MOMENTS_NAME);
}
