/** The worker's script: the engine lives here, away from the thread that draws the page. */
import { KEPT, TRACES } from '../base/form.ts';
import { ignore } from '../engine/errors.ts';
import type { Wire } from '../engine/protocol.ts';
import { serve } from '../engine/serve.ts';

/**
 * What comes later shares modules with this one, and imports them from here: in a chunk of their
 * own they would be one request more before the engine is ready. WebKit does not know a worker's
 * own script among its modules, and runs it once more then: nobody else may answer the page.
 */
const scope = self as unknown as Wire & { isServed?: true };

if (scope.isServed !== true) {
  scope.isServed = true;
  serve(scope, () => {
    if (!KEPT) return;
    if (TRACES) import('../engine/tracing.ts').catch(ignore);
    if (TRACES) import('../engine/formats.ts').catch(ignore);
    if (TRACES) import('../engine/going-back.ts').catch(ignore);
    import('../engine/verify.ts').catch(ignore);
  });
}
