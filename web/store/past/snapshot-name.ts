/** The database of snapshots, for who does not read it. */
import { TRACES } from '../../base/form.ts';

export const SNAPSHOTS_NAME = 'glasshouse-past';

/** Frees what looking back at saved runs takes. Waits for no other tab. */
export async function dropSnapshots(): Promise<void> {
  if (!TRACES) return;
  const request = indexedDB.deleteDatabase(SNAPSHOTS_NAME);
  await new Promise((resolve) => {
    for (const event of ['success', 'error', 'blocked']) request.addEventListener(event, resolve);
  });
}
