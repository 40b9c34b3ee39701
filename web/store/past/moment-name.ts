/** The database of moments, for who does not read it. */
import { TRACES } from '../../base/form.ts';

export const MOMENTS_NAME = 'glasshouse-past';

/** Frees what looking back at saved runs takes. Waits for no other tab. */
export async function dropMoments(): Promise<void> {
  if (!TRACES) return;
  const request = indexedDB.deleteDatabase(MOMENTS_NAME);
  await new Promise((resolve) => {
    for (const event of ['success', 'error', 'blocked']) request.addEventListener(event, resolve);
  });
}
