/** Lists the Trainer implementations, for tests of their common contract. */
import { WorkerTrainer } from '../../web/engine/client.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { serve } from '../../web/engine/serve.ts';
import type { Trainer } from '../../web/engine/trainer.ts';
import { compileEngine } from '../../web/engine/compile.ts';
import { engineBytes } from '../node/load-engine.ts';

/** `direct` calls the engine; `worker` uses a message channel, like the page. */
export const TRAINERS: Readonly<Record<string, () => Trainer>> = {
  direct: () => new DirectTrainer(engineBytes()),
  worker: () => {
    const { port1, port2 } = new MessageChannel();
    port1.start();
    port2.start();
    serve(port1);
    return new WorkerTrainer(port2, compileEngine(engineBytes()), () => {
      port1.close();
      port2.close();
    });
  },
};
