/**
 * Lets the event loop take other messages before training goes on. A message to oneself is used
 * because timers are held back (to once a second or less) in background tabs, and animation frames
 * stop there altogether.
 */
export function makeYield(): () => Promise<void> {
  // Node: a message port would keep the process alive for ever.
  const immediate = (globalThis as { setImmediate?: (done: () => void) => void }).setImmediate;
  if (immediate !== undefined) {
    return () =>
      new Promise((resolve) => {
        immediate(resolve);
      });
  }
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(null);
    });
}
