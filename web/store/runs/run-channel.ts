/** Opens the channel on which tabs and workers report changes of the run list, or null. */
export function openRunChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  try {
    return new BroadcastChannel('glasshouse-runs');
  } catch {
    // Without it a list is refreshed only when its tab becomes visible.
    return null;
  }
}
