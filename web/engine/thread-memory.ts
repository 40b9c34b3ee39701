/** The memory of the threaded module, and whether this place may have one. */

/**
 * Pages of 64 KB: what the module begins with, and the most it may grow to, if the system lets it.
 */
const INITIAL = 64;
const MAXIMUMS = [65535, 32768, 16384];

/** A memory that threads can share; throws where that is refused. */
export function sharedMemory(): WebAssembly.Memory {
  let refusal: unknown;
  for (const maximum of MAXIMUMS) {
    try {
      return new WebAssembly.Memory({ initial: INITIAL, maximum, shared: true });
    } catch (thrown) {
      refusal = thrown; // Address space for the maximum is taken at once: less may still be had.
    }
  }
  throw refusal;
}

/**
 * Whether memory can be shared with workers here: a page must be isolated for it. Some browsers are
 * isolated and have no SharedArrayBuffer all the same; Node needs no isolation.
 */
export function canShareMemory(): boolean {
  const isolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? true;
  if (!isolated || typeof SharedArrayBuffer !== 'function') return false;
  try {
    sharedMemory();
    return true;
  } catch {
    return false;
  }
}
