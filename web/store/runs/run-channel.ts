/** By which all that save and delete runs tell each other that the list of runs has changed. */
export function openRunChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  try {
    return new BroadcastChannel('glasshouse-runs');
  } catch {
    // A list is then as old as the last look at it.
    return null;
  }
}
