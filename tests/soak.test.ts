/**
 * Long training takes no more memory than short training, in the module and in a trainer with all
 * of the page's requests: 10,000 steps of the smallest model, or 200,000 with LONG=1 (set by
 * `make soak`).
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { LossHistory } from '../web/data/loss-history.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { isLong } from './long.ts';
import { BareEngine, Status } from './node/bare-engine.ts';
import { engineBytes } from './node/load-engine.ts';

const STEPS = isLong ? Number(process.env['SOAK_STEPS'] ?? 200_000) : 10_000;
const SMALLEST = { layers: 1, heads: 1, channels: 4, context: 8, steps: 10 * STEPS };
const TEXT = 'anna\nbob\ncarla\ndora\nemil\n'.repeat(20);
const LIMIT = 60_000 + STEPS * 3;
/** Twice the size of a run's full history, plus slack for the heap itself. */
const HEAP_ROOM = 16 * 2 ** 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use on the heap and in array buffers outside of it. */
function heap(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe(`${STEPS.toLocaleString('en')} steps`, () => {
  test(
    'leave the memory of the module as it was after the first ones',
    { timeout: LIMIT },
    async () => {
      const engine = await BareEngine.load();
      const trainer = engine.train('microgpt', SMALLEST, TEXT);
      const round = (): void => {
        for (let step = 0; step < 100; step++) {
          if (engine.call('gpt_step', trainer) !== Status.OK) throw new Error('a step failed');
        }
        engine.sample(trainer, 'a', { tokens: 8, seed: 1 });
        engine.lend('anna', (at, n) => engine.call('gpt_probe', trainer, at, n, 1));
        engine.readText((out, room) => engine.call('gpt_receipt_line', trainer, out, room));
      };
      round();
      const before = engine.memoryBytes();
      for (let step = 100; step < STEPS; step += 100) round();
      expect(engine.get(trainer, 'step')).toBe(STEPS);
      expect(engine.memoryBytes()).toBe(before);
      expect(Number.isFinite(engine.call('gpt_loss', trainer))).toBe(true);
      console.log(`module: ${before} bytes after 100 and after ${STEPS} steps`);
    },
  );

  test('leave the heap of a watched trainer as it was', { timeout: LIMIT }, async () => {
    const trainer = new DirectTrainer(engineBytes());
    const history = new LossHistory();
    let seen = 0;
    trainer.subscribe(({ lossesFrom, losses, learningRates, gradientNorms, step }) => {
      history.append(lossesFrom, losses, learningRates, gradientNorms);
      seen = step;
    });
    await trainer.setText(new TextEncoder().encode(TEXT));
    await trainer.prepare({ preset: 'microgpt', changes: SMALLEST });
    await trainer.watch({
      attention: { text: 'anna', maxTokens: 8, live: true },
      samples: { count: 2, maxTokens: 8 },
    });
    const sizes: { step: number; bytes: number }[] = [];
    for (let part = 1; part <= 4; part++) {
      await trainer.start();
      while (seen < (part * STEPS) / 4) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await trainer.analyse('anna\nbob', 8);
      }
      await trainer.pause();
      await trainer.checkpoint('');
      sizes.push({ step: seen, bytes: heap() });
    }
    trainer.close();
    expect(history.length).toBeGreaterThanOrEqual(STEPS);
    console.log(sizes.map(({ step, bytes }) => `heap at ${step}: ${bytes}`).join(', '));
    expect(sizes[3]!.bytes - sizes[0]!.bytes).toBeLessThan(HEAP_ROOM);
  });
});
