/** Shared memory of the threaded module, and whether it is available. */

/** Pages of 64 KB: initial size, and maximum sizes to try in turn. */
const INITIAL = 64;
const MAXIMUMS = [65535, 32768, 16384];

/** Memory shared between threads; throws if refused. */
export function sharedMemory(): WebAssembly.Memory {
  let refusal: unknown;
  for (const maximum of MAXIMUMS) {
    try {
      return new WebAssembly.Memory({ initial: INITIAL, maximum, shared: true });
    } catch (thrown) {
      // The address space for the maximum is reserved at once: a smaller maximum may fit.
      refusal = thrown;
    }
  }
  throw refusal;
}

/**
 * Whether workers can share memory. The page must be cross-origin isolated, and even then some
 * browsers lack SharedArrayBuffer; Node needs no isolation.
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
