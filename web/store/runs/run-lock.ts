/**
 * Which runs are under way in some tab: a tab holds a lock for its run, which ends with the tab
 * however that ends. Where there are no locks (pages that are not secure contexts, sandboxes) every
 * run seems free; the store then sees to it that no tab overwrites what another has saved.
 */

const PREFIX = 'glasshouse-run-';

/** Holds the lock of a run; null when another tab has it. */
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

/** Ids of the runs that some tab holds, this one included. */
export async function heldRuns(): Promise<Set<string>> {
  try {
    const held = (await lockManager()?.query())?.held ?? [];
    const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(PREFIX));
    return new Set(names.map((name) => name.slice(PREFIX.length)));
  } catch {
    return new Set();
  }
}

/** Settles when no tab holds the run; for ever open where another keeps it. */
export async function whenFree(id: string): Promise<void> {
  try {
    await lockManager()?.request(PREFIX + id, { mode: 'shared' }, () => undefined);
  } catch {
    // Without locks, nobody holds it.
  }
}

function lockManager(): LockManager | null {
  try {
    return (navigator as Partial<Navigator>).locks ?? null;
  } catch {
    return null;
  }
}
