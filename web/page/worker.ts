/** The worker's script: runs the engine outside the thread that draws the page. */
import { KEPT, TRACES } from '../base/form.ts';
import { ignore } from '../engine/errors.ts';
import type { Wire } from '../engine/protocol.ts';
import { serve } from '../engine/serve.ts';

/**
 * Global scope of the worker; `isServed` is true once this script has run. Later chunks import
 * shared modules from this script, because a chunk of shared modules would be another request
 * before the engine is ready. WebKit runs a worker's script again when a chunk imports it: the
 * second run must not answer the page's messages.
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
