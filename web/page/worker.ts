/**
 * The worker's script: the engine lives here, away from the thread that draws the page; and beside
 * it, once it is asked for, what saves its run without the page.
 */
import { KEPT, TRACES } from '../base/form.ts';
import { ignore } from '../engine/errors.ts';
import type { Wire } from '../engine/protocol.ts';
import { serve } from '../engine/serve.ts';
import type { SaverMessage } from '../store/runs/leaving-saves.ts';
import type { RunSaver } from '../store/runs/run-saver.ts';

/**
 * What comes later shares modules with this one, and imports them from here: in a chunk of their
 * own they would be one request more before the engine is ready. WebKit does not know a worker's
 * own script among its modules, and runs it once more then: nobody else may answer the page.
 */
const scope = self as unknown as Wire & { isServed?: true };

let saver: Promise<RunSaver> | undefined;
/** What it has not been told yet. */
const untold: SaverMessage[] = [];

if (scope.isServed !== true) {
  scope.isServed = true;
  serve(scope, (trainer, message) => {
    if (!KEPT) return;
    untold.push(message as SaverMessage);
    saver ??= import('../store/runs/run-saver.ts').then((script) => new script.RunSaver(trainer));
    saver.then(
      (made) => {
        for (const one of untold.splice(0)) made.take(one);
        // The page rests: now comes what may be asked for later.
        if (TRACES) import('../engine/tracing.ts').catch(ignore);
        if (TRACES) import('../engine/formats.ts').catch(ignore);
        import('../engine/verify.ts').catch(ignore);
      },
      () => {
        // Without its script, the page's own saves are all there are; the next message asks for it
        // again.
        saver = undefined;
      },
    );
  });
}
