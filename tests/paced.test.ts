/** Requests that repeat while a model trains: web/kit/paced.ts. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Paced } from '../web/kit/paced.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a question that fails is reported, and the next one is asked in its time', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (thrown: unknown) => reported.push(thrown));
  const error = new Error('no answer');
  const ask = vi.fn(() => Promise.reject(error));
  const paced = new Paced(ask);
  paced.request();
  paced.request();
  await vi.runAllTimersAsync();
  expect(ask).toHaveBeenCalledTimes(2);
  expect(reported).toEqual([error, error]);
});
