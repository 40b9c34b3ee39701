/**
 * Long: compares receipts and samples of the tests/bits recipes with Node's, to the bit, in every
 * browser: with one thread and, if memory can be shared, with three. engines.test.ts runs a short
 * version.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInNode } from '../bits/reference.ts';
import type { BitsRun } from '../bits/run-recipe.mjs';
import { isLong } from '../long.ts';
import { bitsIn, serveBits, sharesMemory } from './bits-page.ts';
import { describeInEngines } from './engines/index.ts';

describe.runIf(isLong)('the bits', { timeout: 1_200_000 }, () => {
  let reference: BitsRun[];
  let server: Awaited<ReturnType<typeof serveBits>>;

  beforeAll(async () => {
    reference = await runInNode('wasm', 1);
    server = await serveBits();
  }, 1_200_000);
  afterAll(() => server.close());

  describeInEngines((engine) => {
    test('every recipe has the bits of Node, with one thread and with three', async () => {
      const page = await engine.launch();
      try {
        await page.goto(`${server.url}bits`);
        expect(await bitsIn(page, 1)).toEqual(reference);
        const shares = await sharesMemory(page);
        // WebKitGTK has no shared memory, so it always takes the single-thread path.
        expect(shares).toBe(engine.name !== 'webkit');
        if (shares) expect(await bitsIn(page, 3)).toEqual(reference);
      } finally {
        await page.close();
      }
    });
  });
});
