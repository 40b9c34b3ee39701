/** Tests a full-size GPT-2 in Chromium; `make test-large` also fine-tunes it. */
import { freemem } from 'node:os';
import { expect, it } from 'vitest';
import { gpt2Files } from '../node/gpt2-vocabulary.ts';
import { runLargeModel } from '../node/large-model.ts';
import { engineBytes } from '../node/load-engine.ts';
import { launchChromium, openPage } from './harness.ts';

const room = freemem() >= 6 * 2 ** 30;
if (!room) console.log('skipped for want of memory: this test asks for 6 GB that are free');

it.skipIf(!room)(
  'a GPT-2 of 124 million weights loads in Chromium without a second copy and decodes',
  async () => {
    const { vocab, merges } = gpt2Files();
    const text = new TextDecoder();
    const large = process.env['LARGE'] !== undefined;
    const browser = await launchChromium();
    try {
      const { page, problems } = await openPage(browser);
      const figures = await page.evaluate(runLargeModel, {
        wasm: Buffer.from(engineBytes()).toString('base64'),
        vocab: text.decode(vocab),
        merges: text.decode(merges),
        tokens: large ? 20 : 5,
        steps: large ? 2 : 0,
        rounds: 0,
      });
      if (large) console.log(figures);
      expect(figures.checks[0]).toBe(figures.checks[1]);
      expect(figures.bytesLoaded).toBeLessThan(1.5 * figures.fileBytes);
      expect(figures.ids.every((id) => id >= 0 && id < 50257)).toBe(true);
      expect(figures.tuneBytes).toBeLessThan(figures.limitBytes);
      if (large) expect(figures.losses[1]).toBeLessThan(figures.losses[0]!);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  300_000,
);
