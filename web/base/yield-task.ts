const waiting: (() => void)[] = [];
/**
 * One channel for all calls, because open channels are never garbage collected; null until used.
 */
let channel: MessageChannel | null = null;

/**
 * Yields to the event loop. Uses a message, because background tabs throttle timers to once a
 * second or less and stop animation frames.
 */
export function yieldTask(): Promise<void> {
  // In Node a message port would keep the process alive for ever.
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
