/** Sharing of a text index between runs: web/store/training/text-trace.ts. */
import { expect, test } from 'vitest';
import { parseOptionTable } from '../web/engine/options.ts';
import { TextTrace } from '../web/store/training/text-trace.ts';
import type { TextTraceOptions } from '../web/store/training/text-trace.ts';

const table = parseOptionTable(
  '{"presets":["one"],"options":[{"name":"lr","live":true,"presets":[1]},{"name":"seed","presets":[1]}]}',
);

test('an index stays when an option changes that may change during a run, and no other', () => {
  let changes: Record<string, number> = {};
  const current = () => ({
    text: { key: 'a text' },
    recipe: { preset: 'one', changes },
    model: null,
  });
  const trainer = { closed: new Promise(() => undefined) };
  const options = { trainer, start: null, current, table } as unknown as TextTraceOptions;
  const trace = new TextTrace(options);
  const { key } = trace;
  changes = { lr: 2 };
  expect(trace.key).toBe(key);
  changes = { lr: 2, seed: 3 };
  expect(trace.key).not.toBe(key);
});
