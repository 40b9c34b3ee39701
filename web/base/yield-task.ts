const waiting: (() => void)[] = [];
/** Shared, because an open channel is never garbage collected. Null until it is needed. */
let channel: MessageChannel | null = null;

/**
 * Lets the event loop take other messages before the work goes on. A message to oneself is used
 * because timers are held back (to once a second or less) in background tabs, and animation frames
 * stop there altogether.
 */
export function yieldTask(): Promise<void> {
  // Node: a message port would keep the process alive for ever.
  const immediate = (globalThis as { setImmediate?: (done: () => void) => void }).setImmediate;
  return new Promise((resolve) => {
    if (immediate !== undefined) {
      immediate(resolve);
      return;
    }
    if (channel === null) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => waiting.shift()?.();
    }
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}
