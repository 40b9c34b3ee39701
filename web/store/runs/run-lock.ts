/**
 * Locks of the runs that are open in some tab. The browser releases a lock when its tab ends,
 * however it ends. Without the lock API (insecure contexts, sandboxes) every run seems free; the
 * store still prevents one tab from overwriting the saves of another.
 */

const PREFIX = 'glasshouse-run-';

/** Locks a run and returns its release; null if another tab holds it. */
export async function holdRun(id: string): Promise<(() => void) | null> {
  const locks = lockManager();
  if (locks === null) return () => undefined;
  return new Promise((resolve) => {
    const held = (lock: Lock | null): Promise<void> | undefined => {
      if (lock === null) {
        resolve(null);
        return undefined;
      }
      return new Promise((release) => {
        resolve(release);
      });
    };
    locks.request(PREFIX + id, { ifAvailable: true }, held).catch(() => {
      resolve(() => undefined);
    });
  });
}

/** Ids of the runs held by any tab, including this one. */
export async function heldRuns(): Promise<Set<string>> {
  try {
    const held = (await lockManager()?.query())?.held ?? [];
    const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(PREFIX));
    return new Set(names.map((name) => name.slice(PREFIX.length)));
  } catch {
    return new Set();
  }
}

/** Resolves once no tab holds the run. */
export async function whenFree(id: string): Promise<void> {
  try {
    await lockManager()?.request(PREFIX + id, { mode: 'shared' }, () => undefined);
  } catch {
    // Every run counts as free without the lock API.
  }
}

function lockManager(): LockManager | null {
  try {
    return (navigator as Partial<Navigator>).locks ?? null;
  } catch {
    return null;
  }
}
