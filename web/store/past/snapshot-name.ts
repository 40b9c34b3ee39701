/** The database of snapshots, for code that only deletes it. */
import { TRACES } from '../../base/form.ts';

export const SNAPSHOTS_NAME = 'glasshouse-past';

/** Deletes all saved snapshots to free storage. Does not wait for other tabs. */
export async function dropSnapshots(): Promise<void> {
  if (!TRACES) return;
  const request = indexedDB.deleteDatabase(SNAPSHOTS_NAME);
  await new Promise((resolve) => {
    for (const event of ['success', 'error', 'blocked']) request.addEventListener(event, resolve);
  });
}
