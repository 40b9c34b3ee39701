/** The choice between a worker and the page for the engine: web/engine/create.ts. */
import { afterEach, expect, test, vi } from 'vitest';
import { createTrainer } from '../web/engine/create.ts';
import { engineBytes } from './node/load-engine.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A worker whose script neither answers nor fails. */
class SilentWorker extends EventTarget {
  readonly terminate = vi.fn();
  readonly postMessage = vi.fn();
}

test('a worker that stays silent is ended after a minute, and the engine runs on the page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const worker = new SilentWorker();
  let isThere = false;
  const creating = createTrainer(engineBytes(), [() => worker as unknown as Worker]);
  void creating.then(() => (isThere = true));
  await vi.advanceTimersByTimeAsync(59_000);
  expect([isThere, worker.terminate.mock.calls.length]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  const { trainer, place } = await creating;
  expect(place).toBe('page');
  expect(worker.terminate).toHaveBeenCalledOnce();
  expect((await trainer.options()).presets).toContain('microgpt');
  trainer.close();
});
