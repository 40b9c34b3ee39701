/** Training on a short text with fitted settings. */
import { expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { engineBytes } from './node/load-engine.ts';

test(
  'a run with fitted settings writes the sentence of a short paragraph before it ends',
  { timeout: 120_000 },
  async () => {
    const trainer = new DirectTrainer(engineBytes());
    try {
      await trainer.setText(
        'the tide will take us home and the tide will bring us back. '.repeat(10),
      );
      await trainer.watch({ attention: null, samples: { count: 6, maxTokens: 120 } });
      await trainer.prepare((await trainer.fit()).recipe);
      const written = await new Promise<readonly string[]>((resolve) => {
        const all: string[] = [];
        trainer.subscribe(({ samples, state }) => {
          for (const { texts } of samples) all.push(...texts);
          const found = all.filter((text) =>
            /the tide will (take us home|bring us back)/.test(text),
          );
          if (found.length > 0 || state === 'finished') resolve(found);
        });
        void trainer.start();
      });
      expect(written).not.toEqual([]);
    } finally {
      trainer.close();
    }
  },
);
