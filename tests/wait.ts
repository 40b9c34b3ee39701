/** Polling, for tests in Node and in browsers. */
import { POLL } from './budgets.ts';

/** Milliseconds between two reads: the first pause, doubled each time up to the last. */
const PAUSE = { first: 5, last: 50 };

/**
 * Polls a value until `good` accepts it, and returns it. After `limit` milliseconds it throws an
 * error with `what` (default: the source of `good`) and the last value.
 */
export async function eventually<Value>(
  read: () => Value | Promise<Value>,
  good: (value: Value) => boolean,
  limit = POLL,
  what = good.toString(),
): Promise<Value> {
  const end = performance.now() + limit;
  for (let pause = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.last)) {
    const value = await read();
    if (good(value)) return value;
    if (performance.now() > end) {
      const last = JSON.stringify({ value }).slice(0, 1000);
      throw new Error(`not within ${limit / 1000} s: ${what}; the last value was ${last}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
